import { expect, it } from "vitest";
import { campaignChange } from "../../../../src/resources/links/write/next-state";

it.each([
  ["a given value wins", "spring", false, { kind: "give", value: "spring" }],
  ["a given value wins over a group", "spring", true, { kind: "give", value: "spring" }],
  ["null clears the campaign", null, false, { kind: "inherit", explicitStays: false }],
  ["null clears the campaign, also with a group", null, true, { kind: "inherit", explicitStays: false }],
  ["a group replaces an inherited campaign", undefined, true, { kind: "inherit", explicitStays: true }],
  ["no input keeps the campaign", undefined, false, { kind: "keep" }],
] as const)("%s", (_, given, namesGroup, change) => {
  expect(campaignChange(given, namesGroup)).toEqual(change);
});
