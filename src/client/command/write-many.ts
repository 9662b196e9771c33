import { EXIT, type ExitCode, exitOf } from "../exit";
import { type Outcomes, runPool, type Step, startRun, withRest } from "../file/apply-plan";
import { plural } from "../file/format-file";
import type { Context } from "./command-type";
import { errorFields, errorLines, print, printResult, say, startProgress, withoutKey } from "./output";

export const outcomesToJson = ({ done, failed, skipped }: Outcomes) => ({
  done: done.map(({ op, key }) => ({ op, key })),
  failed: failed.map(({ op, key, error, message }) => ({
    op,
    key: withoutKey(key),
    ...errorFields(error ?? message),
  })),
  skipped: skipped.map(({ op, key, message }) => ({ op, key, message: message ?? null })),
});

/** Says why writes were skipped. The exit code is by how many were made, and what the others failed with. */
export function endRun(context: Context, { done, failed, skipped }: Outcomes): ExitCode {
  if (skipped.length > 0) say(context, `Skipped: ${skipped[0]?.message}`);
  if (failed.length + skipped.length === 0) return EXIT.done;
  if (done.length > 0) return EXIT.partly;
  if (failed.some(({ error }) => exitOf(error) === EXIT.key)) return EXIT.key;
  const isStale = failed.length > 0 && failed.every(({ error }) => error?.status === 412);
  return isStale ? EXIT.refused : EXIT.failed;
}

/** Shows each step of a run as it ends. An interrupt ends it between two requests. */
export async function showRun<Result>(
  context: Context,
  describe: (count: number) => string,
  toLine: (step: Step) => string,
  work: (options: { signal: AbortSignal; onStep: (step: Step) => void }) => Promise<Result>,
): Promise<Result> {
  const progress = startProgress(context, describe);
  const onStep = (step: Step) => {
    const { key, outcome, error, message } = step;
    progress.clear();
    if (outcome === "done" && !context.json) print(context, `${toLine(step)}\n`);
    if (outcome === "failed") {
      say(context, `Failed: ${withoutKey(key)}: ${errorLines(error ?? message).join(" ")}`);
    }
    progress.step();
  };
  const result = await context.io.interruptible((signal) => work({ signal, onStep }));
  progress.clear();
  return result;
}

interface Writes<Item> {
  op: Step["op"];
  noun: string;
  /** Completes `12 links moved`. */
  verb: string;
  nameOf(item: Item): string;
  write(item: Item): Promise<unknown>;
}

/** Makes independent writes, and prints the name of each that is done. */
export async function writeMany<Item>(
  context: Context,
  items: readonly Item[],
  { op, noun, verb, nameOf, write }: Writes<Item>,
): Promise<ExitCode> {
  const outcomes = await showRun(
    context,
    (count) => `${count} of ${plural(items.length, noun)}`,
    ({ key }) => key,
    async (options) => {
      const run = startRun(options);
      await runPool(items, (item) => run.step(op, nameOf(item), () => write(item)));
      return run.outcomes;
    },
  );
  if (context.json) printResult(context, outcomesToJson(outcomes), []);
  say(context, withRest(`${plural(outcomes.done.length, noun)} ${verb}`, outcomes));
  return endRun(context, outcomes);
}
