import fc from "fast-check";
import { expect, it } from "vitest";
import { letterDistance, nearestSlug } from "../../src/lib/nearest";
import { foldSlug, SLUG_PATTERN } from "../../src/lib/slug-text";

it.each([
  ["sumer", "summer"],
  ["sumemr", "summer"],
  ["summer1", "summer"],
  ["summer-sale", "summersale"],
  ["summer_sale", "summer-sale"],
  ["0ffer", "offer"],
  ["saie", "sale"],
  ["sa1e", "sale"],
  ["wlnter", "winter"],
  ["wimter", "winter"],
  ["witner", "winter"],
])("%s was meant to be %s", (typed, meant) => {
  expect(nearestSlug(typed, ["autumn", meant, "spring-2026"])).toBe(meant);
});

it.each([
  ["wp-admin", ["summer", "admin"]],
  ["sale", ["gate", "male-x"]],
  ["ab", ["xy", "abcd"]],
  ["summer", []],
])("%s was meant to be none of %j", (typed, slugs) => {
  expect(nearestSlug(typed, slugs)).toBeUndefined();
});

it("a look-alike is nearer than another letter, and of two that are as near the first one counts", () => {
  expect(nearestSlug("off0r", ["offer", "offor", "offir"])).toBe("offor");
  expect(nearestSlug("sumer", ["sumner", "summer"])).toBe("sumner");
});

/** The same by its definition, without a bound. */
function distanceOf(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  const rest = (a: number, b: number) => distanceOf(one.slice(a), other.slice(b));
  const groups = ["0o", "1il", "5s", "2z", "8b", "6g", "uv", "-_"];
  const [a = "", b = ""] = [one[0], other[0]];
  const alike = groups.some((group) => group.includes(a) && group.includes(b));
  const exchanged = one.length > 1 && other.length > 1 && a === other[1] && one[1] === b;
  return Math.min(
    rest(1, 0) + 1,
    rest(0, 1) + 1,
    rest(1, 1) + (a === b ? 0 : alike ? 0.5 : 1),
    exchanged ? rest(2, 2) + 1 : Number.POSITIVE_INFINITY,
  );
}

/** The same for long texts: each cell of the table is the distance of two beginnings. */
function tableDistance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 || column === 0 ? row + column : 0)),
  );
  const cell = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++)
    for (let column = 1; column <= other.length; column++) {
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      (table[row] ?? [])[column] = Math.min(
        cell(row - 1, column) + 1,
        cell(row, column - 1) + 1,
        cell(row - 1, column - 1) + distanceOf(one.charAt(row - 1), other.charAt(column - 1)),
        isExchanged && row > 1 && column > 1 ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return cell(one.length, other.length);
}

it("the distance is that of its definition, up to the bound", () => {
  const slug = fc.string({ unit: fc.constantFrom("a", "b", "0", "o", "-"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(slug, slug, fc.constantFrom(1, 2), (one, other, max) => {
      const distance = distanceOf(one, other);
      expect(letterDistance(one, other, max)).toBe(distance <= max ? distance : undefined);
    }),
  );
});

it("the nearest of many long slugs is the one that the whole table of distances finds", () => {
  const letters = fc.constantFrom(..."ab0o1l-_");
  const long = fc.string({ unit: letters, minLength: 30, maxLength: 64 });
  const edit = fc.tuple(fc.nat(63), fc.constantFrom("add", "drop", "replace", "exchange"), letters);
  const edited = (text: string, [at, how, letter]: [number, string, string]): string => {
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    if (how === "add") return head + letter + tail;
    if (how === "drop") return head + tail.slice(1);
    if (how === "replace") return head + letter + tail.slice(1);
    return head + (tail[1] ?? "") + (tail[0] ?? "") + tail.slice(2);
  };
  const near = fc.array(fc.array(edit, { maxLength: 3 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(long, near, (typed, edits) => {
      const slugs = edits.map((some) => some.reduce(edited, typed));
      const distances = slugs.map((slug) => tableDistance(typed, slug));
      const least = Math.min(...distances);
      expect(nearestSlug(typed, slugs)).toBe(least <= 2 ? slugs[distances.indexOf(least)] : undefined);
    }),
  );
});

it("no slug is far from itself, and long ones that differ in many letters are far", () => {
  fc.assert(
    fc.property(fc.stringMatching(SLUG_PATTERN), (slug) => {
      expect(nearestSlug(foldSlug(slug), [foldSlug(slug)])).toBe(foldSlug(slug));
    }),
  );
  const long = Array.from({ length: 2_000 }, (_, index) => `${"a".repeat(58)}${index}`.padEnd(64, "b"));
  expect(nearestSlug("a".repeat(64), long)).toBeUndefined();
});
