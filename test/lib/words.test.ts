import { expect, it } from "vitest";
import { toWords, unaccented } from "../../src/lib/words";

it.each([
  ["Zürich", "zurich"],
  ["Straße", "strasse"],
  ["ÉTÉ à Łódź", "ete a lodz"],
  ["smørrebrød", "smorrebrod"],
  ["Ελλάδα", "ελλαδα"],
  ["のセール", "のセール"],
  ["हिन्दी", "हिन्दी"],
  ["plain", "plain"],
])("text without accents of %s is %s, and stays as it is the second time", (text, expected) => {
  expect(unaccented(text)).toBe(expected);
  expect(unaccented(expected)).toBe(expected);
});

it.each<[string, string[]]>([
  ["  Spring   SALE ", ["spring", "sale"]],
  ["sale sale SALE", ["sale"]],
  ["", []],
  ["a b c d e f g h i j", ["a", "b", "c", "d", "e", "f", "g", "h"]],
])("the words of a search of %j are %j", (text, expected) => {
  expect(toWords(text)).toEqual(expected);
});
