import { expect, it } from "vitest";
import { z } from "../../../src/lib/zod";
import { findUsesOfZod } from "./source";

it("the zod of the bundle has all that the Worker uses", () => {
  const uses = findUsesOfZod();
  expect(new Set(uses.map(({ name }) => name))).toContain("object");
  expect(
    uses.filter(({ name }) => !(name in z)),
    "Add it to src/lib/zod.ts.",
  ).toEqual([]);
});
