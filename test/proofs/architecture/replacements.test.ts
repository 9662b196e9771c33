import { expect, it } from "vitest";
import { findReplacements } from "./source";

/** Functions that are named, not written in place. */
const FUNCTIONS = new Set(["toByte", "escaped"]);

it("no text that may have a $ is a replacement, which gives it a meaning: a function is", () => {
  const found = findReplacements();
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([...FUNCTIONS]));
  expect(found.filter(({ name }) => !FUNCTIONS.has(name))).toEqual([]);
});
