import { beforeEach, expect, vi } from "vitest";
import * as sleeping from "../../src/lib/sleep";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Enough turns of the event loop for a fake call to reach its next delay. */
const TURNS = 20;

let now = 0;
let timers: { at: number; resolve: () => void }[] = [];
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

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.push({ at: now + ms, resolve });
    if (!isRunning) void run();
  });

/** The delays of this test so far, in milliseconds. */
export const waits = (): number[] => vi.mocked(sleeping.sleep).mock.calls.map(([ms]) => ms);

/** What runs processes or a real service needs real time. */
const IN_REAL_TIME = /\/(?:action|package|service)\/|\/(?:process|https-proxy|stdio)\.test/;

// In the other tests time passes only while every caller sleeps. Jitter is half of its range.
beforeEach(() => {
  if (IN_REAL_TIME.test(expect.getState().testPath ?? "")) return undefined;
  now = 0;
  timers = [];
  const spies = [
    vi.spyOn(sleeping, "sleep").mockImplementation(sleep),
    vi.spyOn(performance, "now").mockImplementation(() => now),
    vi.spyOn(Math, "random").mockReturnValue(0.5),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
});
