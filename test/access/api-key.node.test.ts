import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isApiKey, makeApiKey } from "../../src/access/api-key";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const systemRandom = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

/** Repeats these bytes as random bytes. */
const cycling = (bytes: readonly number[]) => {
  let next = 0;
  return (count: number) => Uint8Array.from({ length: count }, () => bytes[next++ % bytes.length] ?? 0);
};
const anyKey = fc
  .array(fc.integer({ min: 0, max: 255 }), { minLength: 32, maxLength: 64 })
  .filter((bytes) => bytes.some((byte) => byte < 248))
  .map((bytes) => makeApiKey(cycling(bytes)));

describe("a new key", () => {
  it("is lnk_, 32 characters and a checksum of 6, all in base 62", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(key).toMatch(/^lnk_[0-9A-Za-z]{38}$/);
        expect(isApiKey(key)).toBe(true);
      }),
    );
  });

  it("uses every character of the alphabet for the same number of bytes", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      let calls = 0;
      const key = makeApiKey((count) => new Uint8Array(count).fill(++calls === 1 ? byte : 0));
      const taken = calls === 1 ? key.charAt(4) : "passed over";
      counts.set(taken, (counts.get(taken) ?? 0) + 1);
    }
    const equally = Object.fromEntries(Array.from(ALPHABET, (character) => [character, 4]));
    expect(Object.fromEntries(counts)).toEqual({ ...equally, "passed over": 8 });
  });

  it("ends with the CRC-32 of the text before it, in every release", () => {
    expect(makeApiKey(cycling([0]))).toBe("lnk_000000000000000000000000000000001tCLNu");
  });
});

describe("a typo in a key", () => {
  it("is detected for any single character", () => {
    const key = makeApiKey(systemRandom);
    for (let place = 0; place < key.length; place++) {
      for (const character of `${ALPHABET}_-. é`) {
        if (character === key[place]) continue;
        const typo = key.slice(0, place) + character + key.slice(place + 1);
        expect(isApiKey(typo), typo).toBe(false);
      }
    }
  });

  it("is detected for swapped, missing, doubled and additional characters", () => {
    fc.assert(
      fc.property(anyKey, fc.integer({ min: 0, max: 41 }), (key, place) => {
        const [before, here, next, rest] = [
          key.slice(0, place),
          key.charAt(place),
          key.charAt(place + 1),
          key.slice(place + 2),
        ];
        const typos = [before + next + here + rest, before + next + rest, before + here + here + next + rest];
        for (const typo of typos) expect(isApiKey(typo)).toBe(typo === key);
      }),
    );
  });

  it.each(["", "lnk_", "LNK_", " ", "lnk_é"])("or other text such as %j is not a key", (text) => {
    const key = makeApiKey(systemRandom);
    expect(isApiKey(text)).toBe(false);
    expect(isApiKey(text + key)).toBe(text === "");
    expect(isApiKey(key + text)).toBe(text === "");
    expect(isApiKey(key.toUpperCase())).toBe(false);
    expect(isApiKey(`${key}\n`)).toBe(false);
  });
});
