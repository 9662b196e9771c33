import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BREAKAGES } from "./breakages";

it.each(BREAKAGES)("the breakage can be applied: $name", ({ file, find }) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  expect(text.split(find)).toHaveLength(2);
});
