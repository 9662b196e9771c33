import { runPool } from "../file/pool";
import { type Step, startRun } from "../file/run";
import type { Context } from "./command";
import { type ExitCode, exitOfWrites } from "./exit";
import { plural, print, printJson, say, startProgress } from "./output";
import { errorFields, errorLines, withoutKey } from "./report";

const AT_ONCE = 8;

export const failureLine = ({ key, error, message }: Step): string =>
  `Failed: ${withoutKey(key)}: ${errorLines(error ?? message).join(" ")}`;

/** The steps of a run for programs. */
export const stepsToJson = (steps: readonly Step[]) => ({
  done: steps.filter(({ outcome }) => outcome === "done").map(({ op, key }) => ({ op, key })),
  failed: steps
    .filter(({ outcome }) => outcome === "failed")
    .map(({ op, key, error, message }) => ({ op, key: withoutKey(key), ...errorFields(error ?? message) })),
  skipped: steps
    .filter(({ outcome }) => outcome === "skipped")
    .map(({ op, key, message }) => ({ op, key, message: message ?? null })),
});

export const exitOfSteps = (steps: readonly Step[]): ExitCode => {
  const count = (outcome: Step["outcome"]) => steps.filter((step) => step.outcome === outcome).length;
  const failures = steps.filter(({ outcome }) => outcome === "failed").map(({ error }) => error);
  return exitOfWrites(count("done"), failures, count("skipped"));
};

interface Writes<Item> {
  op: Step["op"];
  noun: string;
  /** Completes `12 links moved`. */
  verb: string;
  nameOf(item: Item): string;
  write(item: Item): Promise<unknown>;
}

/** Makes independent writes, and prints the name of each that is done. An interrupt ends it between two requests. */
export async function writeMany<Item>(
  context: Context,
  items: readonly Item[],
  { op, noun, verb, nameOf, write }: Writes<Item>,
): Promise<ExitCode> {
  const progress = startProgress(context, (count) => `${count} of ${plural(items.length, noun)}`);
  const onStep = (step: Step) => {
    progress.clear();
    if (step.outcome === "failed") say(context, failureLine(step));
    if (step.outcome === "done" && !context.json) print(context, `${step.key}\n`);
    progress.step();
  };
  const steps = await context.io.interruptible(async (signal) => {
    const run = startRun({ signal, onStep });
    await runPool(items, AT_ONCE, (item) => run.step(op, nameOf(item), () => write(item)));
    return run.steps;
  });
  progress.clear();
  const { done, failed, skipped } = stepsToJson(steps);
  if (context.json) printJson(context, { done, failed, skipped });
  const rest = [
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  say(context, `${[`${plural(done.length, noun)} ${verb}`, ...rest].join(", ")}.`);
  if (skipped.length > 0) say(context, `Skipped: ${skipped[0]?.message}`);
  return exitOfSteps(steps);
}
