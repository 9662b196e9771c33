#!/usr/bin/env node
import type { Output } from "./command-type";
import { main } from "./main";

/** Whoever reads the output may stop, as `head` does. What is being written to the service goes on. */
function outputOf(stream: NodeJS.WriteStream): Output {
  let isOpen = true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    isOpen = false;
    if (error.code === "EPIPE") return;
    process.exitCode = 1;
    if (stream !== process.stderr) process.stderr.write(`The output cannot be written: ${error.message}\n`);
  });
  return {
    write(content) {
      if (isOpen) stream.write(content);
      return isOpen;
    },
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
  };
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** npx passes on a signal that the terminal has sent to all processes, so the same one may come twice. */
const SAME_SIGNAL_MS = 500;

/** The first signal aborts. A later one ends the process. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const remove = () => {
    for (const name of SIGNALS) process.off(name, stop);
  };
  const stop = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    if (process.stderr.isTTY) process.stderr.write("\nWaiting for the requests that are under way.\n");
    setTimeout(remove, SAME_SIGNAL_MS).unref();
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    remove();
  }
}

const exitCode = await main({
  argv: process.argv.slice(2),
  env: process.env,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  interruptible,
});
// `process.exit` would cut output that is still on its way. An error of the output keeps its code.
process.exitCode = exitCode || (process.exitCode ?? 0);
