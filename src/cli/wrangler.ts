import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { makeStaticFiles } from "./built-files";

const BINARY = join(
  dirname(createRequire(import.meta.url).resolve("wrangler/package.json")),
  "bin",
  "wrangler.js",
);

/** Stops local runs from fetching `request.cf` from Cloudflare. */
export const OFFLINE = { CLOUDFLARE_CF_FETCH_ENABLED: "false" };

/** No prompts, no metrics, no banner. The Worker is the one of wrangler.toml, also in the builds of another. */
const QUIET = {
  ...OFFLINE,
  WRANGLER_CI_OVERRIDE_NAME: undefined,
  CI: "1",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
};

/** Starts wrangler and shows its output in the terminal. `wrangler dev` sends a message when it listens. */
export function startWrangler(args: readonly string[]): ChildProcess {
  makeStaticFiles();
  return spawn(process.execPath, [BINARY, ...args], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...QUIET },
  });
}

/** Runs wrangler and returns its standard output. Rejects with its whole output if it fails. */
export function runWrangler(args: readonly string[], echo = false): Promise<string> {
  makeStaticFiles();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BINARY, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...QUIET },
    });
    let out = "";
    let all = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk;
      all += chunk;
      if (echo) process.stdout.write(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      all += chunk;
      if (echo) process.stderr.write(chunk);
    });
    child.on("error", reject);
    // At "exit" some of the output may not have arrived yet.
    child.on("close", (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`wrangler ${args.join(" ")} failed${echo ? "." : `:\n${all.trim()}`}`));
    });
  });
}
