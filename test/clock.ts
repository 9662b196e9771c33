import { afterEach, beforeEach, vi } from "vitest";

/** The time at which the current test began. */
export let start = 0;

/** Stops the clock in each test of a file or a group. Timers go on. */
export function stopClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    start = Date.now();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Sets the clock to a time after the beginning of the test. */
export const elapse = (milliseconds: number) => vi.setSystemTime(start + milliseconds);

/** Lets time pass. */
export const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
