import { stripVTControlCharacters } from "node:util";

/** A line in which workerd reports an error, such as `workerd/util/sqlite.c++:1672: failed: …`, or the stack below it. */
const isRuntimeError = (line: unknown): line is string =>
  typeof line === "string" && /^(?:[^\s.]+\.c\+\+:\d+: |stack: )/.test(stripVTControlCharacters(line));

/**
 * Holds back what workerd reports: it reports a locked database also if the retry succeeds. Miniflare writes these lines
 * with `console.log` or `console.error`. The result returns the lines held back, and lets later ones through.
 */
export function holdRuntimeErrors(output: Pick<Console, "error" | "log">): () => string {
  let held = "";
  const releases = (["error", "log"] as const).map((method) => {
    const write = output[method].bind(output);
    output[method] = (...values: unknown[]) => {
      const [line] = values;
      if (isRuntimeError(line)) held += `${line}\n`;
      else write(...values);
    };
    return () => {
      output[method] = write;
    };
  });
  return () => {
    for (const release of releases) release();
    return held;
  };
}
