import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "../../src/cli/main";
import { openPlatform, type Platform, type PlatformOptions, proxyOptions } from "../../src/cli/platform";
import type { Env } from "../../src/context";
import { withoutBlocking } from "../service/statements";
import { workerConfig } from "../worker-config";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The documents by their paths from the root. */
export const DOCUMENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "README.md",
    "SECURITY.md",
    ".github/CONTRIBUTING.md",
    "src/README.md",
    "test/README.md",
    ...readdirSync(join(ROOT, "src/docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `src/docs/${name}`),
  ].map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
);

/** The shell blocks under a heading of a document. */
export function shellBlocksOf(document: string, heading: string): string[] {
  const part = (DOCUMENTS[document] ?? "").split(/^## /m).find((text) => text.startsWith(heading)) ?? "";
  return Array.from(part.matchAll(/^```sh\n([\s\S]*?)^```/gm), ([, block = ""]) => block);
}

const directories: string[] = [];

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "waymark-"));
  directories.push(directory);
  return directory;
}

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** The words of a command line, in which a value may be in double quotes. */
export const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? "");

/** Runs `npm run admin` in this process. The first argument may be a whole command line. */
export async function runMain(
  [line = "", ...more]: readonly string[],
  open?: (options: PlatformOptions) => Promise<Platform>,
): Promise<Outcome> {
  let out = "";
  let err = "";
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const argv = [...wordsOf(line), ...more];
  const code = await (open === undefined ? main(argv, terminal) : main(argv, terminal, open));
  return { code, out, err };
}

/** Parses a command's JSON output. Fails unless it succeeded and wrote nothing else. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any result
export function jsonOf<Result = any>({ code, out, err }: Outcome): Result {
  if (code !== 0 || err !== "" || !/^\{.*\}\n$/.test(out)) {
    throw new Error(`exit ${code}, standard output ${JSON.stringify(out)}, standard error ${err}`);
  }
  return JSON.parse(out);
}

/** Runs commands on one state. They share a platform, since opening one takes longer than a command. */
export async function openState(state: string) {
  const { getPlatformProxy } = await import("wrangler");
  const proxy = await getPlatformProxy<Env>({
    ...proxyOptions({ remote: false, persistTo: state }),
    configPath: workerConfig(),
  });
  const env: Env = { ...proxy.env, DB: withoutBlocking(proxy.env.DB) };
  const { dispose } = proxy;
  const open = (options: PlatformOptions) =>
    openPlatform({ ...options, persistTo: state }, async () => ({ env, dispose: async () => undefined }));
  const admin = (...argv: string[]): Promise<Outcome> => runMain(argv, open);
  return {
    state,
    env,
    admin,
    json: async (...argv: string[]) => jsonOf(await admin(...argv, "--json")),
    dispose,
  };
}

/** Runs commands on a new state with empty tables. */
export async function openLocal() {
  const local = await openState(temporaryDirectory());
  const migrations = readdirSync(join(ROOT, "migrations")).filter((name) => name.endsWith(".sql"));
  const statements = migrations
    .sort()
    .flatMap((name) =>
      readFileSync(join(ROOT, "migrations", name), "utf8").split("--> statement-breakpoint"),
    );
  // The same layout as wrangler's.
  statements.push("create table d1_migrations (id integer primary key, name text)");
  statements.push(...migrations.map((name) => `insert into d1_migrations (name) values ('${name}')`));
  await local.env.DB.batch(statements.map((statement) => local.env.DB.prepare(statement)));
  return local;
}

/** The environment without variables of npm and vitest, and without an account. */
export function plainEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const ours = /^(npm_|vitest|node_env$|node_options$|test$|ci$|cloudflare_|wrangler_)/i;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(kept), ...more };
}

/** A process with its output so far. It has its own process group, so that its children can be ended too. */
export interface Started {
  child: ChildProcess;
  said: Outcome;
  /** Resolves when the process has ended and both outputs are closed. */
  ended: Promise<Outcome>;
}

const started: ChildProcess[] = [];

export function start(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Started {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: options.env ?? plainEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  started.push(child);
  const said: Outcome = { code: null, out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      said.code = code;
      resolve(said);
    });
  });
  return { child, said, ended };
}

/** Ends all processes of `start` with their children, and removes the temporary directories. */
export function cleanUp(): void {
  for (const { pid } of started.splice(0)) {
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // The whole group has ended.
    }
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** Runs `npm run --silent …` and waits for its end. */
export const npmRun = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome> =>
  start("npm", ["run", "--silent", ...args], env === undefined ? {} : { env }).ended;

/** Polls until `look` returns a value. Fails with `what` after `seconds`. */
export async function until<T>(
  what: () => string,
  seconds: number,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(what());
}
