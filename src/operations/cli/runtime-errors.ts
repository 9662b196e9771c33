import { stripVTControlCharacters } from "node:util";

/** A line in which workerd reports an error, such as `workerd/util/sqlite.c++:1672: failed: …`, or the stack below it. */
const isRuntimeError = (line: unknown): line is string =>
  typeof line === "string" && /^(?:[^\s.]+\.c\+\+:\d+: |stack: )/.test(stripVTControlCharacters(line));

/**
 * Holds back what workerd reports: it reports a locked database also if the retry succeeds. Miniflare writes these lines
 * with `console.error`. The result returns the lines held back, and lets later ones through.
 */
export function holdRuntimeErrors(output: Pick<Console, "error">): () => string {
  const write = output.error.bind(output);
  let held = "";
  output.error = (...values: unknown[]) => {
    const [line] = values;
    if (isRuntimeError(line)) held += `${line}\n`;
    else write(...values);
  };
  return () => {
    output.error = write;
    return held;
  };
}
