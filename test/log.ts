import { vi } from "vitest";
import { refused } from "../src/http/request-log";

/** The log lines of a file's tests. `setup.ts` keeps them off the screen, and `secrets.ts` takes them at the end. */
export const logged: string[] = [];

/** The log lines that `work` writes, whatever was refused before. */
export async function linesOf(work: () => Promise<unknown>) {
  Object.assign(refused, { lines: 0, left: 0 });
  const from = logged.length;
  await work();
  return logged.slice(from).map((line) => JSON.parse(line));
}

/** The lines of failures that `work` writes. */
export async function failuresOf(work: () => Promise<unknown>) {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    await work();
    return log.mock.calls.map(([line]) => JSON.parse(String(line)));
  } finally {
    log.mockRestore();
  }
}
