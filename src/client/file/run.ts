import { WaymarkError } from "../api/error";
import type { Action } from "./plan";

/** One write of a plan and how it ended. */
export interface Step {
  op: "create_tag" | Action["op"];
  /** The key of the link, or the name of the tag. */
  key: string;
  outcome: "done" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  message?: string;
  error?: WaymarkError;
}

/** The steps of a run by their outcome. */
export type Outcomes = Readonly<Record<Step["outcome"], readonly Step[]>>;

export interface RunOptions {
  /** Once aborted, nothing more is begun. What is under way ends. */
  signal?: AbortSignal;
  onStep?: (step: Step) => void;
}

const AT_ONCE = 8;

export const INTERRUPTED = "Interrupted.";

/** Statuses after which every other request would fail as well. 0 is no response. */
const HOPELESS: ReadonlySet<number> = new Set([0, 401, 403, 429, 503]);

/** Runs `work` on each item in order, a few at once. After its first failure no further item is begun. */
export async function runPool<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  // Shared, so a loop that fails ends the generator for all of them.
  const queue = (function* () {
    yield* items;
  })();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}

/** Gathers the steps of an apply. It stops after a failure that would repeat itself. */
export function startRun({ signal, onStep }: RunOptions) {
  const outcomes: Record<Step["outcome"], Step[]> = { done: [], failed: [], skipped: [] };
  let endedBy: string | undefined;
  const add = (step: Step) => {
    outcomes[step.outcome].push(step);
    onStep?.(step);
  };
  const skip = (op: Step["op"], key: string, message: string) =>
    add({ op, key, outcome: "skipped", message });
  return {
    outcomes,
    skip,
    isComplete: () => outcomes.failed.length + outcomes.skipped.length === 0,
    /** Skips all further steps. */
    stop(message: string) {
      endedBy ??= message;
    },
    async step(op: Step["op"], key: string, work: () => Promise<unknown>): Promise<void> {
      if (signal?.aborted) endedBy ??= INTERRUPTED;
      if (endedBy !== undefined) return skip(op, key, endedBy);
      try {
        await work();
        add({ op, key, outcome: "done" });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const refusal = error instanceof WaymarkError ? error : undefined;
        add({ op, key, outcome: "failed", message, ...(refusal && { error: refusal }) });
        if (refusal !== undefined && HOPELESS.has(refusal.status)) endedBy ??= message;
      }
    },
  };
}

/** A sentence that ends with what failed and what was skipped. */
export function withRest(start: string, { failed, skipped }: Outcomes): string {
  const rest = Object.entries({ failed, skipped }).filter(([, steps]) => steps.length > 0);
  return `${[start, ...rest.map(([outcome, steps]) => `${steps.length} ${outcome}`)].join(", ")}.`;
}
