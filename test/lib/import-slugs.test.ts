import { describe, expect, it } from "vitest";
import { slugRefusal, slugsIn } from "../../src/lib/import-slugs";
import { isSlugShaped } from "../../src/lib/slug-text";

it.each([
  ["sale", ["sale"]],
  ["/sale", ["sale"]],
  ["https://go.example.com/sale", ["sale"]],
  ["HTTPS://go.example.com/Sale/", ["Sale"]],
  ['["https://bit.ly/sale"]', ["sale"]],
  ["https://go.example.com/sale,https://bit.ly/other", ["sale", "other"]],
  ["[\"bit.ly/a\", 'bit.ly/b']", ["a", "b"]],
  ["", []],
])("a cell %j has the slugs %j", (cell, slugs) => {
  expect(slugsIn(cell)).toEqual(slugs);
});

describe("a cell that is no slug is kept whole and refused with the reason", () => {
  it.each([
    ["no slug", "“no slug” has a space, which a slug cannot have. Write no-slug, for example."],
    ["a/b", "“a/b” is a path, and a slug has one part without slashes. Write a-b, for example."],
    [
      "https://go.example.com/a/sale",
      "“https://go.example.com/a/sale” is a path, and a slug has one part without slashes. Write a-sale, for example.",
    ],
    [
      "https://go.example.com/sale?x=1#y",
      "“https://go.example.com/sale?x=1#y” has a query or an anchor, which a slug cannot have. Write sale, for example.",
    ],
    ["https://go.example.com/", "“https://go.example.com/” has no slug after its host."],
    [
      ",",
      "“,” is no slug: it may have letters, digits, hyphens and underscores, with a letter or digit first.",
    ],
    [
      "zürich",
      "“zürich” is no slug: it may have letters, digits, hyphens and underscores, with a letter or digit first. Write zurich, for example.",
    ],
    [
      "x".repeat(81),
      `“${"x".repeat(80)}…” has 81 characters, and a slug has at most 64. Write ${"x".repeat(64)}, for example.`,
    ],
    [
      `${"x".repeat(79)}!`,
      `“${"x".repeat(79)}!” has 80 characters, and a slug has at most 64. Write ${"x".repeat(64)}, for example.`,
    ],
    ["🎉".repeat(65), `“${"🎉".repeat(65)}” has 65 characters, and a slug has at most 64.`],
  ])("%j", (cell, message) => {
    expect(slugsIn(cell)).toEqual([cell]);
    expect(isSlugShaped(cell)).toBe(false);
    expect(slugRefusal(cell)).toBe(message);
  });
});
