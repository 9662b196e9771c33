import { type ChildProcess, spawn } from "node:child_process";

export interface Options {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The process and its children are killed after this time. */
  maxMs?: number;
}

interface Ended {
  code: number | null;
  output: string;
}

const MAX_MS = 120_000;
const GRACE_MS = 5_000;

/** Keeps tools from reporting usage and from asking for updates. */
const QUIET = {
  CI: "1",
  NO_COLOR: "1",
  NO_UPDATE_NOTIFIER: "1",
  DO_NOT_TRACK: "1",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

const running = new Set<ChildProcess>();

function open(command: string, args: readonly string[], { cwd, env }: Options) {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...QUIET, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that its children end with it.
    detached: true,
  });
  running.add(child);
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  // At "exit" some of the output may not have arrived yet.
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
  return { child, ended, output: () => output };
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

/** Runs a command to its end. Rejects with its output if it fails or takes too long. */
export async function run(command: string, args: readonly string[], options: Options = {}): Promise<string> {
  const { child, ended } = open(command, args, options);
  const maxMs = options.maxMs ?? MAX_MS;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill(child, "SIGKILL");
  }, maxMs);
  const { code, output } = await ended.finally(() => clearTimeout(timer));
  if (isLate) throw new Error(`It took more than ${maxMs / 1000} s.\n${output}`);
  if (code !== 0) throw new Error(`It ended with ${code}.\n${output}`);
  return output;
}

/** Starts a command and waits until its output matches. Rejects with its output if it does not. */
export async function start(
  command: string,
  args: readonly string[],
  ready: RegExp,
  options: Options = {},
): Promise<RegExpExecArray> {
  const { child, ended, output } = open(command, args, options);
  const maxMs = options.maxMs ?? MAX_MS;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      kill(child, "SIGKILL");
      reject(new Error(`It was not ready after ${maxMs / 1000} s.\n${output()}`));
    }, maxMs);
    const look = () => {
      const found = ready.exec(output());
      if (found === null) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    ended.then(({ code }) => {
      clearTimeout(timer);
      reject(new Error(`It ended with ${code} before it was ready.\n${output()}`));
    }, reject);
  });
}

/** Ends all processes that were started here. */
export async function stopAll(): Promise<void> {
  const all = [...running];
  const ended = all.map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of all) kill(child, "SIGTERM");
  const timer = setTimeout(killAll, GRACE_MS);
  await Promise.all(ended);
  clearTimeout(timer);
}

/** For an exit that cannot wait. */
export function killAll(): void {
  for (const child of running) kill(child, "SIGKILL");
}
