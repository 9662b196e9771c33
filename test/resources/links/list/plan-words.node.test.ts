import { describe, expect, it } from "vitest";
import { type LinkFilter, toFilter, type Word } from "../../../../src/resources/links/list/filter";
import type { Index } from "../../../../src/resources/links/list/indexes";
import { toExpression } from "../../../../src/resources/links/list/matches";
import type { FilterTotal } from "../../../../src/resources/links/list/plan";
import {
  MAX_FOUND_LINKS,
  MAX_NEWEST_LINKS,
  planWords,
} from "../../../../src/resources/links/list/plan-words";

const word = (text: string, more: Partial<Word> = {}): Word => ({
  text,
  tagIds: [],
  groupIds: [],
  matches: 5,
  ...more,
});
const COMMON = { matches: MAX_FOUND_LINKS + 1 };
const POSTER = word("poster", { tagIds: [1] });
const TOTALS: FilterTotal[] = [
  { kind: "tag", key: 7, total: 90 },
  { kind: "channel", key: "email", total: 20 },
];

const plan = (words: readonly Word[], filter: Partial<LinkFilter> = {}, totals: FilterTotal[] = []) =>
  planWords({ ...toFilter({ status: "active" }, { shortHost: "go.example.com" }), ...filter, words }, totals);

describe("a search reads", () => {
  it.each<[string, readonly Word[], Index, Partial<LinkFilter>?, FilterTotal[]?]>([
    ["the links with all words in their text", [word("spring"), word("sale")], "search"],
    ["those with the words that no name has", [word("spring"), POSTER], "search"],
    ["those with a word in text or names", [POSTER], "names"],
    ["the names if the other words are common", [word("https", COMMON), POSTER], "names"],
    ["common words that no name has", [word("https", COMMON)], "search"],
    ["the smallest filter if the words are common", [word("https", COMMON)], "channel", {}, TOTALS],
    ["the smallest filter if names have the words", [POSTER], "channel", {}, TOTALS],
    ["rare words before a filter", [word("spring")], "search", {}, TOTALS],
    [
      "the newest links for words that the index does not find",
      [word("ab", { matches: undefined })],
      "order",
    ],
    ["an import before anything else", [word("spring")], "import", { importId: "I", slugs: ["s"] }, TOTALS],
    ["slugs before words", [word("spring")], "slug", { slugs: ["s"], isTakenDown: true }],
    ["links that were taken down before words", [word("spring")], "taken_down", { isTakenDown: true }],
    ["broken links before words", [word("spring")], "broken", { isBroken: true }],
  ])("%s", (_, words, index, filter, totals) => {
    const made = plan(words, filter, totals);
    expect([made.index, made.total]).toEqual([index, "counted"]);
    expect(made.filter.words).toHaveLength(words.length);
    const most = { search: MAX_FOUND_LINKS, names: MAX_FOUND_LINKS, import: 10_001 }[String(index)];
    expect(made.most).toBe(most ?? MAX_NEWEST_LINKS);
  });

  it("the rarer word of two that names have first", () => {
    const spring = word("spring", { groupIds: [1], matches: 9 });
    const poster = word("poster", { tagIds: [1], matches: 3 });
    expect(plan([spring, poster])).toMatchObject({ index: "names", filter: { words: [poster, spring] } });
  });
});

it("an expression quotes what has a meaning in FTS5", () => {
  expect(toExpression(['zurich"', "or-x"])).toBe('"zurich""" AND "or-x"');
});
