import type { Clock } from "./clock";

const MAX_AT_ONCE = 8;
/** The service allows 3,000 requests a minute for a key, which is 50 a second. */
const MAX_PER_SECOND = 40;
const SECOND_MS = 1000;

interface Pace {
  /** Runs the task as soon as the limits allow it. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Starts no task during this time. */
  pause(ms: number): void;
}

/** Starts at most 40 tasks in any second, and runs at most 8 at once. */
export function createPace(clock: Clock): Pace {
  const waiting: (() => void)[] = [];
  /** The latest starts, at most 40. */
  const starts: number[] = [];
  let running = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const earliestStart = (): number => {
    const [oldest] = starts;
    const isFull = oldest !== undefined && starts.length === MAX_PER_SECOND;
    return Math.max(pausedUntil, isFull ? oldest + SECOND_MS : Number.NEGATIVE_INFINITY);
  };

  async function enter(): Promise<void> {
    // `leave` hands its slot to the next in line, so `running` does not change.
    if (running === MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    for (;;) {
      const now = clock.now();
      const missing = earliestStart() - now;
      if (missing <= 0) {
        starts.push(now);
        if (starts.length > MAX_PER_SECOND) starts.shift();
        return;
      }
      await clock.sleep(missing);
    }
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }

  return {
    async run(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
}
