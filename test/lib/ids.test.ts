import { describe, expect, it } from "vitest";
import { firstIdAt, idsByTime, idsInOrder, newId, timeOfId } from "../../src/lib/ids";
import { storedId } from "../../src/lib/ulid-text";

describe("an id", () => {
  it("is a ULID with its creation time, and unique", () => {
    const ids = Array.from({ length: 1_000 }, () => newId(1_700_000_000_000));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => storedId(id) === id && id.startsWith("01HF7YAT00"))).toBe(true);
  });

  it("of times in any order has its own time, and those of a millisecond increase", () => {
    const next = idsByTime();
    const ids = [9, 5, 9, 5, 9, 5].map((at) => next(at));
    expect(ids.map(timeOfId)).toEqual([9, 5, 9, 5, 9, 5]);
    for (const at of [9, 5]) {
      const own = ids.filter((id) => timeOfId(id) === at);
      expect(own).toEqual([...new Set(own)].toSorted());
    }
  });

  it("can have every character at every position of its random part", () => {
    const ids = Array.from({ length: 2_000 }, () => newId(1));
    for (let place = 10; place < 26; place++) {
      expect(new Set(ids.map((id) => id.charAt(place))).size).toBe(32);
    }
  });

  it("created in the same millisecond sorts after the previous one, if order matters", () => {
    const next = idsInOrder();
    const ids = Array.from({ length: 1_000 }, () => next(5));
    expect(ids.toSorted()).toEqual(ids);
  });

  it("is never before the first id of its time, and always before that of the next millisecond", () => {
    expect(firstIdAt(1_700_000_000_000)).toBe("01HF7YAT000000000000000000");
    for (let count = 0; count < 100; count++) {
      const id = newId(5);
      expect(firstIdAt(5) <= id && id < firstIdAt(6)).toBe(true);
    }
  });

  it("tells when it was made, in capitals or not", () => {
    const id = newId(1_700_000_000_000);
    expect([timeOfId(id), timeOfId(id.toLowerCase())]).toEqual([1_700_000_000_000, 1_700_000_000_000]);
  });

  it.each(["", "01HF7YAT00", "not an id"])("%j is none, so it has no time", (text) => {
    expect(timeOfId(text)).toBeUndefined();
  });
});
