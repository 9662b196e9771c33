import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gridStep, percentage, topOf, toTenth } from "../../../src/console/clicks/scale";
import { Stat } from "../../../src/console/clicks/stat";

describe("the distance of the gridlines", () => {
  it("is a whole number of at most two digits and zeros, and leaves little room above the highest value", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (highest) => {
        const step = gridStep(highest);
        expect(String(step)).toMatch(/^[1-9]5?0*$/);
        expect(step * 3).toBeGreaterThanOrEqual(highest);
        expect(step * 3).toBeLessThanOrEqual(Math.max(3, highest * 2));
      }),
    );
  });
});

it("a number is rounded to a tenth, unless that makes nothing of it", () => {
  expect([12.34, 0.25, 0.04, 0].map(toTenth)).toEqual([12.3, 0.3, 0.04, 0]);
});

describe("shares", () => {
  it.each([
    [1, 3, "33%"],
    [2, 3, "67%"],
    [1, 1000, "under 1%"],
    [999, 1000, "99%"],
    [0, 10, "0%"],
    [0, 0, "0%"],
    [5, 5, "100%"],
  ])("%d of %d is %s", (part, whole, text) => {
    expect(percentage(part, whole)).toBe(text);
  });

  it("the highest are named, and the others are one with those that were not kept by name", () => {
    const values = ["c", "Other", "a", "d", "b"].map((label, index) => ({
      label,
      value: [3, 100, 5, 2, 4][index] ?? 0,
    }));
    expect(topOf(values, 3)).toEqual([
      { label: "a", value: 5 },
      { label: "b", value: 4 },
      { label: "c", value: 3 },
      { label: "Other", value: 102 },
    ]);
    const chosen = values.map((one) => ({ ...one, isChosen: one.label === "d" }));
    expect(topOf(chosen, 3).map(({ label, value }) => [label, value])).toEqual([
      ...[
        ["a", 5],
        ["b", 4],
        ["c", 3],
        ["d", 2],
      ],
      ["Other", 100],
    ]);
    expect(topOf([{ label: "a", value: 1 }], 3)).toEqual([{ label: "a", value: 1 }]);
  });
});

it.each([
  [12, 10, "▲ 20%"],
  [5, 10, "▼ 50%"],
  [0, 10, "▼ 100%"],
  [1000, 1001, "no change"],
  [10, 10, "no change"],
  [10, 1, "▲ 900%"],
  [1_200, 1, "▲ from 1 to 1,200"],
  [3, 0, "none before"],
  [0, 0, "no change"],
])("a change from %d to %d before is %s", (value, before, said) => {
  const text = String(Stat({ value, label: "clicks", before, than: "the day before" }));
  expect(/<span class="delta[^>]*>(?:<span[^>]*>)?([^<]*)</.exec(text)?.[1]).toBe(said);
});
