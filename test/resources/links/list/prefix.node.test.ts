import { expect, it } from "vitest";
import { endOfPrefix } from "../../../../src/resources/links/list/prefix";

it.each([
  ["a", "b"],
  ["site:", "site;"],
  ["a\ud7ff", "a\ue000"],
  ["a\u{10ffff}", "b"],
  ["😀", "😁"],
  ["\u{10ffff}\u{10ffff}", undefined],
  ["", undefined],
])("the texts that begin with %j end before %j", (prefix, end) => {
  expect(endOfPrefix(prefix)).toBe(end);
});
