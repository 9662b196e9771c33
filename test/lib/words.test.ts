import { describe, expect, it } from "vitest";
import { toWords, unaccented } from "../../src/lib/words";

describe("text without accents", () => {
  it.each([
    ["Zürich", "zurich"],
    ["Straße", "strasse"],
    ["ÉTÉ à Łódź", "ete a lodz"],
    ["smørrebrød", "smorrebrod"],
    ["Ελλάδα", "ελλαδα"],
    ["のセール", "のセール"],
    ["हिन्दी", "हिन्दी"],
    ["plain", "plain"],
  ])("of %s is %s, and stays as it is the second time", (text, expected) => {
    expect(unaccented(text)).toBe(expected);
    expect(unaccented(expected)).toBe(expected);
  });
});

describe("the words of a search", () => {
  it.each<[string, string[]]>([
    ["  Spring   SALE ", ["spring", "sale"]],
    ["sale sale SALE", ["sale"]],
    ["", []],
    ["a b c d e f g h i j", ["a", "b", "c", "d", "e", "f", "g", "h"]],
  ])("of %j are %j", (text, expected) => {
    expect(toWords(text)).toEqual(expected);
  });
});
