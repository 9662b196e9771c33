import { sleep } from "../../lib/sleep";

const MAX_AT_ONCE = 8;
/** The service allows 3,000 requests a minute for a key, which is 50 a second. */
const MAX_PER_SECOND = 40;
const SECOND_MS = 1000;

/** Starts at most 40 tasks in any second, and runs at most 8 at once, in the order of the calls. */
export function createPace() {
  const waiting: (() => void)[] = [];
  /** The latest starts, at most 40. */
  const starts: number[] = [];
  let left = MAX_AT_ONCE;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  function missingMs(): number {
    const oldest = starts.length < MAX_PER_SECOND ? undefined : starts[0];
    return Math.max(pausedUntil, (oldest ?? Number.NEGATIVE_INFINITY) + SECOND_MS) - performance.now();
  }

  return {
    /** Runs the task as soon as the limits allow it. */
    async run<T>(task: () => Promise<T>): Promise<T> {
      // A task that ends hands its place to the next in line.
      if (left === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else left--;
      try {
        for (let ms = missingMs(); ms > 0; ms = missingMs()) await sleep(ms);
        starts.push(performance.now());
        if (starts.length > MAX_PER_SECOND) starts.shift();
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) left++;
        else next();
      }
    },
    /** Starts no task during this time. */
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
    },
  };
}
