import { expect, it } from "vitest";
import { sortNaturally } from "../../src/lib/natural-order";

const sorted = (...names: string[]) => sortNaturally(names.map((name) => ({ name }))).map(({ name }) => name);

it.each([
  ["numbers by their value", ["Tag 2", "Tag 10", "Tag 100"]],
  ["numbers before letters", ["2026", "10000", "Autumn"]],
  ["without regard to case and accents", ["anniversary", "Été", "etui", "Sale", "zürich", "Zurich 2"]],
  ["several numbers in a name", ["v1.2", "v1.10", "v2.1"]],
  ["names that differ only in case or accents", ["SALE", "Sale", "sale", "sàle"]],
  ["other scripts after Latin letters", ["zebra", "Ωmega", "夏祭り"]],
])("names are in natural order: %s", (_, names) => {
  expect(sorted(...names.toReversed())).toEqual(names);
  expect(sorted(...names)).toEqual(names);
});

it("items of the same name keep their order", () => {
  const items = [
    { id: 2, name: "Sale" },
    { id: 1, name: "Sale" },
  ];
  expect(sortNaturally(items)).toEqual(items);
});
