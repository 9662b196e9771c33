import { expect, it } from "vitest";
import { addressesIn } from "../../../src/lib/short-url";
import { isSlugShaped } from "../../../src/lib/slug-text";
import { slugRefusal } from "../../../src/resources/imports/slug-refusal";

it.each([
  ["sale", ["sale"]],
  ["/sale", ["sale"]],
  ["https://go.example.com/sale", ["go.example.com sale"]],
  ["HTTPS://Go.example.com:8443/Sale/", ["go.example.com Sale"]],
  ['["https://bit.ly/sale"]', ["bit.ly sale"]],
  ["https://go.example.com/sale,https://bit.ly/other", ["go.example.com sale", "bit.ly other"]],
  ["", []],
  ["https://go.example.com/sale,no address", ["https://go.example.com/sale,no address"]],
])("a cell %j has the addresses %j", (cell, addresses) => {
  expect(addressesIn(cell).map(({ host, slug }) => [host, slug].filter(Boolean).join(" "))).toEqual(
    addresses,
  );
});

it.each([
  ["no slug", "“no slug” has a space, which a slug cannot have. Write no-slug, for example."],
  ["a/b", "“a/b” is a path, and a slug has one part without slashes. Write a-b, for example."],
  [
    "https://go.example.com/sale?x=1#y",
    "“https://go.example.com/sale?x=1#y” has a query or an anchor, which a slug cannot have. Write sale, for example.",
  ],
  ["https://go.example.com/", "“https://go.example.com/” has no slug after its host."],
  [
    "é".repeat(64),
    `“${"é".repeat(64)}” is no slug: it may have letters, digits, hyphens and underscores, with a letter or digit first. Write ${"e".repeat(64)}, for example.`,
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
])("a cell that is no slug is kept whole and refused with the reason: %j", (cell, message) => {
  expect(addressesIn(cell)).toEqual([{ slug: cell }]);
  expect(isSlugShaped(cell)).toBe(false);
  expect(slugRefusal(cell)).toBe(message);
});
