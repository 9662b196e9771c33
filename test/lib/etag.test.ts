import { describe, expect, it } from "vitest";
import { entityTagsMatch, etagOf, etagOfFile, parseEntityTags } from "../../src/lib/etag";
import { hex, sha256Hex } from "../../src/lib/hash";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

describe("an entity tag", () => {
  it("is the SHA-256 of the resource's JSON in base64url, in quotes", async () => {
    expect(await sha256Hex("abc")).toBe(ABC);
    // The hash has both characters that base64url replaces.
    const json = new TextEncoder().encode(JSON.stringify({ id: "h", name: "ü" }));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", json));
    expect(await etagOf({ id: "h", name: "ü" })).toBe(`"${Buffer.from(hash).toString("base64url")}"`);
    expect(await etagOf("")).toMatch(/^"[\w-]{43}"$/);
  });

  it("of a file is a hash of its bytes", async () => {
    const bytes = Uint8Array.of(97, 98, 99);
    expect(await etagOfFile(bytes)).toBe(`"${ABC.slice(0, 32)}"`);
    expect(await etagOfFile("abc")).toBe(await etagOfFile(bytes));
    expect(await sha256Hex(bytes)).toBe(ABC);
    expect(hex(Uint8Array.of(0, 1, 0xab, 255))).toBe("0001abff");
  });
});

describe("If-Match and If-None-Match", () => {
  it.each([
    ["*", true],
    [" * ", true],
    ['"a"', true],
    [' \t "a" \t ', true],
    ['"b" \t,\t  "a"', true],
    ['W/"a"', true],
    ['"a", "', false],
    ['"b"', false],
    ["", false],
    ["a", false],
    ['"a', false],
    ['"a"x', false],
    ['"a" "b"', false],
    ['"b",, "a"', false],
    ['x"a"', false],
    ['w/"b", "a"', false],
    ['"b\x7f", "a"', false],
    ['"!#~\x80\xff", "a"', true],
    ['"", "a"', true],
    ['"W/a"', false],
  ])('%j matches "a": %s', (header, holds) => {
    expect(entityTagsMatch(parseEntityTags(header), '"a"')).toBe(holds);
  });
});
