import type { Clock } from "../../src/client/api/clock";

export interface FakeClock extends Clock {
  /** All delays so far, in milliseconds. */
  waits: number[];
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Enough turns of the event loop for a fake call to reach its next delay. */
const TURNS = 20;

/** A clock that advances only while every caller sleeps. */
export function fakeClock(random: () => number = () => 0.5): FakeClock {
  const timers: { at: number; resolve: () => void }[] = [];
  const waits: number[] = [];
  let now = 0;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (timers.length > 0) {
      for (let turns = 0; turns < TURNS; turns++) await turn();
      timers.sort((one, other) => one.at - other.at);
      const next = timers.shift();
      now = Math.max(now, next?.at ?? now);
      next?.resolve();
    }
    isRunning = false;
  }

  return {
    waits,
    now: () => now,
    random,
    sleep: (ms) =>
      new Promise((resolve) => {
        waits.push(ms);
        timers.push({ at: now + ms, resolve });
        if (!isRunning) void run();
      }),
  };
}
