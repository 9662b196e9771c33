import { expect, it } from "vitest";
import type { LinkState } from "../../../../src/resources/links/link-repository";
import { writeRows } from "../../../../src/resources/links/write/link-rows";
import { sizeOfChangedRules } from "../../../../src/resources/links/write/link-state";
import { written } from "../../../fakes";
import { row } from "./links";

it("a value is stored under its name, whatever the order of the fields in a state", () => {
  const was = row();
  const reversed = Object.fromEntries(Object.entries(was).toReversed()) as unknown as LinkState;
  const rowsOf = (will: LinkState) =>
    writeRows(1, [
      { was, will: { ...was, title: "b" } },
      { was, will },
    ]).map(written);
  expect(rowsOf(reversed)).toEqual(rowsOf(was));
});

it.each<[string | null | undefined, string | null | undefined, number]>([
  ["[1]", "[1]", 0],
  ["[1]", "[12]", 7],
  ["[1]", null, 3],
  [null, "[12]", 4],
  [undefined, "[1]", 3],
  ["[1]", undefined, 3],
  [null, undefined, 0],
])("rules %s that become %s have a size of %i", (before, after, size) => {
  const state = (rules: string | null | undefined) => (rules === undefined ? undefined : row({ rules }));
  expect(sizeOfChangedRules({ was: state(before), will: state(after) })).toBe(size);
});
