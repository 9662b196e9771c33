import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OFFLINE } from "../../../src/cli/wrangler";
import type { ServerOptions, Started } from "./server";

// Starts and stops servers in their own processes.

/** The same for every workerd, so that garbage collections are spread evenly. */
const STEADY = "--max-semi-space-size=1 --semi-space-growth-factor=1";

export interface Server extends Started {
  process: ChildProcess;
}

export const servers = new Set<ChildProcess>();

export async function startServer(options: ServerOptions): Promise<Server> {
  const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), {
    env: { ...process.env, ...OFFLINE, MINIFLARE_WORKERD_V8_FLAGS: STEADY },
    // The Worker's log is discarded.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  servers.add(child);
  child.send(options);
  const started = await Promise.race([
    once(child, "message").then(([message]) => message as Started),
    once(child, "exit").then(() => undefined),
  ]);
  if (started === undefined) throw new Error(`The server of ${options.worker} did not start.`);
  return { ...started, process: child };
}

export async function stopServer(child: ChildProcess): Promise<void> {
  servers.delete(child);
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

/** The SQL of each migration in a folder. */
export function migrationsOf(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return files.sort().map((name) => readFileSync(join(folder, name), "utf8"));
}
