import { describe, expect, it } from "vitest";
import { toFilter } from "../../../../src/resources/links/list/filter";
import {
  MAX_FOUND_LINKS,
  MAX_NEWEST_LINKS,
  planFind,
  type Word,
} from "../../../../src/resources/links/list/find-plan";
import { toExpression } from "../../../../src/resources/links/list/matches";

const FILTER = toFilter({ status: "active" });
const TAGGED = toFilter({ status: "active", tag: ["poster"] });
const word = (text: string, more: Partial<Word> = {}): Word => ({
  text,
  tagIds: [],
  groupIds: [],
  matches: 5,
  ...more,
});
const COMMON = { matches: MAX_FOUND_LINKS + 1 };
const plan = (words: readonly Word[], filter = FILTER) =>
  planFind(filter, words, { exact: null, isShortUrl: false });

describe("a search reads", () => {
  it.each<[string, readonly Word[], typeof FILTER, string, string[]]>([
    ["the links with all words in their text", [word("spring"), word("sale")], FILTER, "text", []],
    [
      "those with the words that no name has, and checks the others",
      [word("spring"), word("poster", { tagIds: [1] })],
      FILTER,
      "text",
      ["poster"],
    ],
    ["those with a word in text or names", [word("poster", { tagIds: [1] })], FILTER, "names", []],
    [
      "those with the rarer word of two that names have",
      [word("spring", { groupIds: [1], matches: 9 }), word("poster", { tagIds: [1], matches: 3 })],
      FILTER,
      "names",
      ["spring"],
    ],
    [
      "the names if the other words are common",
      [word("https", COMMON), word("poster", { tagIds: [1] })],
      FILTER,
      "names",
      ["https"],
    ],
    ["a filter if the words are common", [word("https", COMMON)], TAGGED, "tag", ["https"]],
    ["rare words before a filter", [word("spring")], TAGGED, "text", []],
    ["the newest links for short words", [word("ab")], FILTER, "newest", ["ab"]],
    [
      "the newest links while the index is dropped",
      [word("spring")],
      { ...FILTER, hasSearchIndex: false },
      "newest",
      ["spring"],
    ],
  ])("%s", (_, words, filter, from, checked) => {
    const made = plan(words, filter);
    expect([made.source.from, made.checked.map(({ text }) => text)]).toEqual([from, checked]);
    expect(made.most).toBe(from === "text" || from === "names" ? MAX_FOUND_LINKS : MAX_NEWEST_LINKS);
  });

  it("only the link of a pasted short URL", () => {
    const made = planFind(FILTER, [], { exact: 7, isShortUrl: true });
    expect(made).toMatchObject({ source: { from: "link" }, exact: 7, checked: [] });
  });
});

it("an expression has each word, and quotes what has a meaning in FTS5", () => {
  expect(toExpression(['zurich"', "or-x"])).toBe('"zurich""" AND "or-x"');
});
