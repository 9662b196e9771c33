import { expect, it } from "vitest";
import { campaignChange } from "../../src/lib/campaign";

it.each([
  ["a given value wins", "spring", false, { kind: "give", value: "spring" }],
  ["a given value wins over a group", "spring", true, { kind: "give", value: "spring" }],
  ["null gives up what there was", null, false, { kind: "inherit", explicitStays: false }],
  ["null gives up what there was, also with a group", null, true, { kind: "inherit", explicitStays: false }],
  ["a group renews what was inherited", undefined, true, { kind: "inherit", explicitStays: true }],
  ["nothing changes nothing", undefined, false, { kind: "keep" }],
] as const)("%s", (_, given, namesGroup, change) => {
  expect(campaignChange(given, namesGroup)).toEqual(change);
});
