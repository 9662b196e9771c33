import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetFileName } from "../../../src/resources/engagement/file-name";

const CODE = "k3f9x2q";

describe("the file name of an asset", () => {
  it.each([
    [0, 40, "Poster", "Bern, Marktgasse 3", "01-poster-bern-marktgasse-3-k3f9x2q"],
    [199, 200, "Größe Ä", null, "200-grosse-a-k3f9x2q"],
    [4, 200, "Poster", "", "005-poster-k3f9x2q"],
    [0, 1, "Bern", "Bern", "01-bern-k3f9x2q"],
    [0, 1, "東京", "../../etc", "01-etc-k3f9x2q"],
    [0, 1, "CON", "nul", "01-con-nul-k3f9x2q"],
  ])("%s of %s: %j at %j is %j", (index, total, name, place, expected) => {
    expect(assetFileName(index, total, { name, place, code: CODE })).toBe(expected);
  });

  it("is safe on every system and unique, whatever the texts are", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 100 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text, place: fc.option(text) }), { maxLength: 200 }),
        (assets) => {
          const names = assets.map((asset, index) =>
            assetFileName(index, assets.length, { ...asset, code: CODE }),
          );
          for (const name of names) {
            expect(name).toMatch(/^\d{2,3}(-[a-z0-9]+)+$/);
            expect(name.length).toBeLessThanOrEqual(120);
          }
          expect(new Set(names).size).toBe(names.length);
          expect(names).toEqual([...names].sort());
        },
      ),
      { numRuns: 30 },
    );
  });
});
