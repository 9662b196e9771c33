import { expect, it } from "vitest";
import { chunksBySize } from "../../src/lib/chunks";

it.each<[string, string[], string[][]]>([
  ["no rows", [], []],
  ["rows that fit", ["a", "b"], [["a", "b"]]],
  ["rows that fit exactly", ["aaaa", "bb"], [["aaaa", "bb"]]],
  ["rows that do not fit", ["aaaa", "bbbb", "c"], [["aaaa"], ["bbbb", "c"]]],
  ["a row that is too long alone", ["a", "b".repeat(20), "c"], [["a"], ["b".repeat(20)], ["c"]]],
])("%s are divided by the size of their JSON", (_, rows, expected) => {
  expect(chunksBySize(rows, 10)).toEqual(expected);
});
