import { expect, it } from "vitest";
import { once } from "../../src/lib/once";

it("one run is the result of all calls, unless it failed", async () => {
  let runs = 0;
  const read = once(async () => {
    runs += 1;
    if (runs === 1) throw new Error("no network");
    return runs;
  });
  const first = await Promise.allSettled([read(), read()]);
  expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(runs).toBe(1);
  expect(await Promise.all([read(), read()])).toEqual([2, 2]);
  expect(await read()).toBe(2);
});
