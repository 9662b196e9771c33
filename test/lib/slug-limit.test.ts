import { expect, it } from "vitest";
import { slugLimit } from "../../src/lib/slug-text";

it.each([
  [null, 1_000_000],
  [0, 1_000],
  [100, 1_000],
  [101, 1_010],
  [99_999, 999_990],
  [100_000, 1_000_000],
  [100_000_000, 1_000_000],
])("a limit of %s links allows %i slugs", (links, slugs) => {
  expect(slugLimit(links)).toBe(slugs);
});
