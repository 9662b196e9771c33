import { describe, expect, it } from "vitest";
import { etagOf, etagOfFile, ifMatchHolds, ifNoneMatchHolds, parseEntityTags } from "../../src/lib/etag";
import { hex, sha256Hex } from "../../src/lib/hash";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

describe("an entity tag", () => {
  it("is the first half of a SHA-256 of the resource's JSON, in quotes", async () => {
    expect(await sha256Hex("abc")).toBe(ABC);
    const resource = { id: "a", name: "ü" };
    expect(await etagOf(resource)).toBe(`"${(await sha256Hex(JSON.stringify(resource))).slice(0, 32)}"`);
  });

  it("of a file is a hash of its bytes", async () => {
    const bytes = Uint8Array.of(97, 98, 99);
    expect(await etagOfFile(bytes)).toBe(`"${ABC.slice(0, 32)}"`);
    expect(await etagOfFile("abc")).toBe(await etagOfFile(bytes));
    expect(await sha256Hex(bytes)).toBe(ABC);
    expect(hex(Uint8Array.of(0, 1, 0xab, 255))).toBe("0001abff");
  });
});

describe("If-Match", () => {
  it.each([
    ["*", true],
    [" *\t", true],
    ['"a"', true],
    [' \t "a" \t ', true],
    ['"b","a"', true],
    ['"b" \t,\t  "a"', true],
    ['W/"b", "a"', true],
    ['"a", "b", "c"', true],
    ['W/"a"', false],
    ['"b", W/"a"', false],
    ['"a", "', false],
    ['"b"', false],
    ['"A"', false],
    ["", false],
    ["a", false],
    ['"a', false],
    ['"a" "b"', false],
    ['"a",', false],
    ['"b",, "a"', false],
    [',"a"', false],
    ['x"a"', false],
    ['"a"x', false],
    ['w/"b", "a"', false],
    ['"b c", "a"', false],
    ['"b\x7f", "a"', false],
    ['"!#~\x80\xff", "a"', true],
    ['"", "a"', true],
  ])('%j allows a change of "a": %s', (header, holds) => {
    expect(ifMatchHolds(parseEntityTags(header), '"a"')).toBe(holds);
  });
});

describe("If-None-Match", () => {
  it.each([
    ["*", true],
    [" * ", true],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"a"', true],
    ['"b"', false],
    ['W/"b"', false],
    ['"W/a"', false],
    ['W/"a', false],
    ["", false],
  ])('%j matches "a": %s', (header, knows) => {
    expect(ifNoneMatchHolds(parseEntityTags(header), '"a"')).toBe(knows);
  });
});
