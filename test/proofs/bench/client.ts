import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BROWSER, type Load } from "./variants";

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

/** Sends at a fixed rate. Returns the latencies in milliseconds, measured from the time each request was due. */
export async function openLoop(url: string, rate: number, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const latencies: number[] = [];
  const answers: Promise<void>[] = [];
  const startedAt = performance.now() + 10;
  for (let sent = 0; sent < rate * seconds; sent++) {
    const due = startedAt + (sent * 1000) / rate;
    await until(due);
    answers.push(
      visit(url, agent).then(() => {
        latencies.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(answers);
  agent.destroy();
  return latencies;
}

/** Timers are up to a millisecond late, so the last two milliseconds are a busy wait on the event loop. */
async function until(due: number): Promise<void> {
  const ahead = due - performance.now();
  if (ahead > 3) await sleep(ahead - 2);
  while (performance.now() < due) await new Promise(setImmediate);
}

/** Makes one visit without following the redirect. */
export const visit = (
  url: string,
  agent?: Agent,
  init: { method?: string; headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<{ status: number; cache: string | undefined }> =>
  new Promise((resolve, reject) => {
    const { method = "GET", headers = BROWSER, body } = init;
    const outgoing = request(url, { method, headers, ...(agent && { agent }) }, (response) => {
      response.resume();
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, cache: response.headers["x-cache"]?.toString() }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
