import { describe, expect, it } from "vitest";
import { hasPrivate, toPrivate, toWords, unaccented } from "../../src/lib/words";

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

it("text in private characters shares no character with other text, and keeps its length", () => {
  const text = "zurich 1 – ж";
  const made = toPrivate(text);
  expect([...made]).toHaveLength([...text].length);
  expect([...made].some((character) => text.includes(character))).toBe(false);
  expect([hasPrivate(made), hasPrivate(text), hasPrivate("🎉")]).toEqual([true, false, false]);
});

describe("text in private characters", () => {
  it("differs if the texts differ", () => {
    expect(toPrivate("ab")).not.toBe(toPrivate("ba"));
  });

  it.each(["a", "\ufffd"])("has another character for %j", (text) => {
    expect(hasPrivate(toPrivate(text))).toBe(true);
  });

  it("keeps characters of more than 16 bits, such as 🎉", () => {
    expect(toPrivate("🎉")).toBe("🎉");
  });
});
