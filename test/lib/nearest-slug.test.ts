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

it("the distance is that of its definition, up to the bound", () => {
  const slug = fc.string({ unit: fc.constantFrom("a", "b", "0", "o", "-"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(slug, slug, fc.constantFrom(1, 2), (one, other, max) => {
      const distance = distanceOf(one, other);
      expect(letterDistance(one, other, max)).toBe(distance <= max ? distance : undefined);
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
