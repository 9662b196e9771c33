import { SECOND_MS } from "../../lib/time";

const MAX_DIFFERENCE_MS = 30 * SECOND_MS;

/**
 * Throws if this machine's clock differs from D1's: a command writes its own time, and what is pushed, ended or expired follows
 * from it.
 */
export async function assertClock(readD1: () => Promise<number>, now: () => number): Promise<void> {
  const before = now();
  const there = await readD1();
  const ahead = before > there ? before - there : Math.min(0, now() - there);
  if (Math.abs(ahead) <= MAX_DIFFERENCE_MS) return;
  const seconds = Math.round(Math.abs(ahead) / SECOND_MS);
  throw new Error(
    `the clock of this machine is ${seconds} seconds ${ahead > 0 ? "ahead of" : "behind"} D1's, and commands write its time. Set it, and run the command again.`,
  );
}
