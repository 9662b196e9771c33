import type { Waymark, WaymarkOptions } from "./types";

/** For tests: time and chance. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
  random(): number;
}

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

export function waymark(options: WaymarkOptions, clock: Clock = systemClock): Waymark {
  throw new Error(`not built yet: ${options.url} ${clock.now()}`);
}
