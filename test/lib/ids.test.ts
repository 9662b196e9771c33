import { describe, expect, it } from "vitest";
import { idsInOrder, newId } from "../../src/lib/ids";
import { storedId } from "../../src/lib/ulid-text";

describe("an id", () => {
  it("is a ULID of its time, another one each time", () => {
    const ids = Array.from({ length: 1_000 }, () => newId(1_700_000_000_000));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => storedId(id) === id && id.startsWith("01HF7YAT00"))).toBe(true);
  });

  it("has every character in every place of its random part", () => {
    const ids = Array.from({ length: 2_000 }, () => newId(1));
    for (let place = 10; place < 26; place++) {
      expect(new Set(ids.map((id) => id.charAt(place))).size).toBe(32);
    }
  });

  it("of one moment stands behind the one before where the order matters", () => {
    const next = idsInOrder();
    const ids = Array.from({ length: 1_000 }, () => next(5));
    expect(ids.toSorted()).toEqual(ids);
  });
});
