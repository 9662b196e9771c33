import { expect, it } from "vitest";
import { ownerOf } from "../../src/lib/external-id";

it.each([
  ["site:home-hero", "site"],
  ["my shop:a:b", "my shop"],
  ["hero", undefined],
  [":hero", undefined],
  ["site:", undefined],
  [null, undefined],
])("%j is owned by %j", (externalId, owner) => {
  expect(ownerOf(externalId)).toBe(owner);
});
