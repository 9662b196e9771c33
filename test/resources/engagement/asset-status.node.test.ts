import { expect, it } from "vitest";
import { type AssetStatus, isAssetStatusMove } from "../../../src/resources/engagement/asset-status";

it.each<[AssetStatus, AssetStatus, boolean]>([
  ["draft", "draft", true],
  ["draft", "live", true],
  ["draft", "retired", true],
  ["live", "draft", false],
  ["live", "live", true],
  ["live", "retired", true],
  ["retired", "draft", false],
  ["retired", "live", true],
  ["retired", "retired", true],
])("an asset can change from %s to %s: %s", (from, to, may) => {
  expect(isAssetStatusMove(from, to)).toBe(may);
});
