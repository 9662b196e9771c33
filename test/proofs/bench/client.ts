import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Load } from "./variants";

const CONNECTIONS = 32;

/** Throws if wrk is not installed, and says how to install it. */
export function assertWrk(): void {
  if (spawnSync("wrk", ["--version"]).error === undefined) return;
  throw new Error("wrk is not installed. Debian and Ubuntu: apt-get install wrk. macOS: brew install wrk.");
}

export interface Shot {
  requests: number;
  /** Requests a second. */
  rate: number;
  /** The number of responses that are neither 2xx nor 3xx. */
  refused: number;
}

/** Sends as many requests as the server accepts over 32 connections. `from` is the first number of a rotation. */
export async function saturate(
  url: string,
  load: Load,
  seconds: number,
  from: number,
  headers: Readonly<Record<string, string>>,
): Promise<Shot> {
  const script = fileURLToPath(new URL(load.kind === "rotate" ? "rotate.lua" : "post.lua", import.meta.url));
  const connections = (load.kind === "api" ? load.connections : undefined) ?? CONNECTIONS;
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`];
  for (const [name, value] of Object.entries(headers)) args.push("-H", `${name}: ${value}`);
  if (load.kind === "rotate") args.push("-s", script, url, "--", load.prefix, `${from}`, `${load.count}`);
  else if (load.kind === "api" && load.body !== undefined)
    args.push("-s", script, `${url}${load.path}`, "--", load.body);
  else args.push(`${url}${load.path}`);

  const client = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  client.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  await once(client, "close");
  const read = (pattern: RegExp): number | undefined => {
    const found = pattern.exec(output)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const requests = read(/(\d+) requests in/);
  const rate = read(/Requests\/sec:\s+([\d.]+)/);
  if (requests === undefined || rate === undefined) throw new Error(`wrk said:\n${output}`);
  const errors = /Socket errors: .*/.exec(output)?.[0];
  if (errors !== undefined) process.stderr.write(`${url}: ${errors}\n`);
  return { requests, rate, refused: read(/Non-2xx or 3xx responses: (\d+)/) ?? 0 };
}
