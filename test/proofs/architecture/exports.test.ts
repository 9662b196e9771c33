import { expect, it } from "vitest";
import { findUnusedExports } from "./source";

/** The entry of the npm package. */
const EXCEPT = /^client\/index /;

it("another file of src or a test imports every export of src", () => {
  const unused = findUnusedExports().filter((line) => !EXCEPT.test(line));
  expect(unused, "Remove the word export, or code that its own file does not use either.").toEqual([]);
});
