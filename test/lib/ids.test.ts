import { describe, expect, it, vi } from "vitest";
import { idsInOrder, newId } from "../../src/lib/ids";
import { storedId } from "../../src/lib/ulid-text";

describe("an id", () => {
  it("is a ULID with its creation time, and unique", () => {
    const ids = Array.from({ length: 1_000 }, () => newId(1_700_000_000_000));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => storedId(id) === id && id.startsWith("01HF7YAT00"))).toBe(true);
  });

  it("can have every character at every position of its random part", () => {
    const ids = Array.from({ length: 2_000 }, () => newId(1));
    for (let place = 10; place < 26; place++) {
      expect(new Set(ids.map((id) => id.charAt(place))).size).toBe(32);
    }
  });

  it("takes 16 random bytes, which are requested 256 at a time", () => {
    const requests = vi.spyOn(crypto, "getRandomValues");
    for (let count = 0; count < 160; count++) newId(1);
    expect(requests).toHaveBeenCalledTimes(10);
    requests.mockRestore();
  });

  it("created in the same millisecond sorts after the previous one, if order matters", () => {
    const next = idsInOrder();
    const ids = Array.from({ length: 1_000 }, () => next(5));
    expect(ids.toSorted()).toEqual(ids);
  });
});
