import { spawn } from "node:child_process";

const MAX_MS = 300_000;

/** Keeps tools from reporting usage and from asking for updates. */
const QUIET = {
  CI: "1",
  NO_COLOR: "1",
  NO_UPDATE_NOTIFIER: "1",
  DO_NOT_TRACK: "1",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

/** Runs a command to its end. Rejects with its output if it fails or takes too long. */
export function run(
  command: string,
  args: readonly string[],
  { cwd }: { cwd?: string } = {},
): Promise<string> {
  const child = spawn(command, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...QUIET },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: MAX_MS,
    killSignal: "SIGKILL",
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  // At "exit" some of the output may not have arrived yet.
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`It ended with ${code ?? signal}.\n${output}`));
    });
  });
}
