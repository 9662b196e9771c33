import { expect, it } from "vitest";
import { createPace } from "../../../src/client/api/send";
import { sleep } from "../../../src/lib/sleep";

/** Runs many tasks at once and records when each started. */
async function runMany(tasks: number, taskMs: number): Promise<{ starts: number[]; most: number }> {
  const begun = performance.now();
  const pace = createPace();
  const starts: number[] = [];
  let running = 0;
  let most = 0;
  const task = async () => {
    starts.push(performance.now() - begun);
    most = Math.max(most, ++running);
    await sleep(taskMs);
    running--;
  };
  await Promise.all(Array.from({ length: tasks }, () => pace.run(task)));
  return { starts, most };
}

it.each([1, 30, 100, 199, 201, 1000])(
  "at most 8 tasks at once and 40 starts in any second, with tasks of %i ms",
  async (ms) => {
    const { starts, most } = await runMany(130, ms);
    const inSecondFrom = (from: number) => starts.filter((at) => at >= from && at < from + 1000).length;
    expect(starts).toHaveLength(130);
    expect(most).toBeLessThanOrEqual(8);
    expect(Math.max(...starts.map(inSecondFrom))).toBeLessThanOrEqual(40);
  },
);

it("no task waits longer than the limits require", async () => {
  expect((await runMany(40, 0)).starts.at(-1)).toBe(0);
  expect((await runMany(41, 0)).starts.at(-1)).toBe(1000);
  expect((await runMany(130, 0)).starts.at(-1)).toBe(3000);
  expect((await runMany(16, 500)).starts.at(-1)).toBe(500);
});

it("a task that fails frees its slot", async () => {
  const pace = createPace();
  const fail = () => pace.run(() => Promise.reject(new Error("no")));
  await Promise.allSettled(Array.from({ length: 20 }, fail));
  expect(await pace.run(async () => "yes")).toBe("yes");
});
