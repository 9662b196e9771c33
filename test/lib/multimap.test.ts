import { expect, it } from "vitest";
import { append } from "../../src/lib/multimap";

it("values are appended to the list of their key, in order", () => {
  const values = new Map<string, number[]>();
  append(values, "a", 1);
  const list = values.get("a");
  append(values, "b", 2);
  append(values, "a", 3);
  expect([...values]).toEqual([
    ["a", [1, 3]],
    ["b", [2]],
  ]);
  expect(values.get("a")).toBe(list);
});
