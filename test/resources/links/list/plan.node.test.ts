import { expect, it } from "vitest";
import { type LinkFilter, type ListSort, NO_FILTER } from "../../../../src/resources/links/list/list-filter";
import {
  hasChoice,
  MAX_FOUND_LINKS,
  MAX_LISTED_LINKS,
  MAX_NEWEST_LINKS,
  planList,
  type StoredSize,
  toCounted,
  withLimit,
} from "../../../../src/resources/links/list/list-plan";

// A list reads the smallest set of links whose size is known.

const LINKS = 20_000;
const [TAG, OTHER, GROUP] = ["tag", "other", "group"].map((slug) => ({ id: "", slug }));
const BOTH = { tags: [TAG, OTHER] } as Pick<LinkFilter, "tags">;
const WORDS = { words: [{ text: "sale", tagIds: [], groupIds: [] }] };

type Sizes = Partial<Record<string, number>>;

/** Plans a list as a service does, with the sizes that the database would tell. */
function plan(narrowed: Partial<LinkFilter>, sizes: Sizes, isMerging = false, hasSearchIndex = true) {
  const filter = { ...NO_FILTER, status: "active" as const, ...narrowed };
  const counted = toCounted(filter, hasSearchIndex);
  const sets = narrowed.words ? (["names", "search"] as const).filter((name) => name in sizes) : counted;
  const isRead = narrowed.words !== undefined || hasChoice(filter, counted);
  const stored: StoredSize[] = [
    { index: "all", key: null, size: LINKS },
    ...(["tag", "other", "group", "channel", "domain"] as const)
      .filter((name) => name in sizes)
      .map((name, key) => ({ index: name === "other" ? "tag" : name, key, size: sizes[name] ?? 0 })),
  ];
  return planList(filter, {
    stored: isRead ? stored : [],
    counted: sets.map((index) => ({ index, size: sizes[index] ?? 0 })),
    isMerging,
  });
}

it.each<[string, Partial<LinkFilter>, Sizes, index: string, total?: number]>([
  ["no filter", {}, {}, "all"],
  ["the short host", { domain: "" }, {}, "all"],
  ["the short host and a channel", { domain: "", channel: "email" }, {}, "channel"],
  ["one tag", { tags: BOTH.tags.slice(0, 1) }, {}, "tag"],
  ["a tag and a creator", { tags: BOTH.tags.slice(0, 1), created_by: "operator" }, {}, "tag"],
  ["a creator", { created_by: "operator" }, {}, "all"],
  ["a text that the search index does not find", { q: "sa" }, {}, "all"],
  ["two tags", BOTH, { tag: 90, other: 10 }, "tag"],
  ["two names of one tag", BOTH, { tag: 90 }, "tag", 90],
  ["tags and a smaller group", { ...BOTH, group: GROUP }, { tag: 90, other: 30, group: 20 }, "group"],
  ["sets of equal size", { group: GROUP, channel: "email" }, { group: 5, channel: 5 }, "group"],
  ["a rare text and a channel", { q: "sale", channel: "email" }, { channel: 30, search: 29 }, "search"],
  [
    "a text that is counted to the end",
    { q: "sale", channel: "email" },
    { channel: 30, search: 30 },
    "channel",
  ],
  [
    "a prefix and a text",
    { q: "sale", external_id_prefix: "p" },
    { external_id_prefix: 9, search: 9 },
    "external_id_prefix",
  ],
  ["a rare text alone", { q: "sale" }, { search: 1_000 }, "search", 1_000],
  ["a common text alone", { q: "sale" }, { search: 1_001 }, "all", 1_001],
  [
    "a rare prefix alone",
    { external_id_prefix: "p" },
    { external_id_prefix: 1_000 },
    "external_id_prefix",
    1_000,
  ],
  ["a common prefix alone", { external_id_prefix: "p" }, { external_id_prefix: 1_001 }, "all", 1_001],
  [
    "a common prefix of a creator",
    { external_id_prefix: "p", created_by: "c" },
    { external_id_prefix: 5_000 },
    "external_id_prefix",
  ],
  ["a slug, a group and a text", { slug: ["s"], group: GROUP, q: "sale" }, {}, "slug"],
  ["an import, slugs and tags", { import: "i", slug: ["s"], ...BOTH }, { tag: 0, other: 0 }, "import"],
  ["broken links", { broken: true }, {}, "broken"],
  ["broken links of a small tag", { broken: true, group: GROUP }, { group: MAX_LISTED_LINKS }, "group"],
  ["broken links of a large tag", { broken: true, group: GROUP }, { group: MAX_LISTED_LINKS + 2 }, "broken"],
  ["rare words", { ...WORDS, group: GROUP }, { group: 20, search: 19 }, "search"],
  ["rare words in a smaller group", { ...WORDS, group: GROUP }, { group: 20, search: 21 }, "group"],
  [
    "common words in a group",
    { ...WORDS, group: GROUP },
    { group: LINKS, names: Infinity, search: Infinity },
    "group",
  ],
  ["common words", WORDS, { names: Infinity, search: Infinity }, "names"],
  ["words that the search index does not find", WORDS, {}, "all"],
])("the set of %s", (_, filter, sizes, index, total) => {
  expect(plan(filter, sizes)).toMatchObject({ set: { index }, total });
});

it("the rarest of several tags is read, and the others are known by their row ids", () => {
  const { set, filter } = plan(BOTH, { tag: 90, other: 10 });
  expect([set.tag, filter.tags]).toEqual([{ rowId: 1 }, [{ rowId: 1 }, { rowId: 0 }]]);
});

it("no set of a tag is read while another is merged into one, and no search index while it is dropped", () => {
  expect(plan(BOTH, { tag: 1, other: 2 }, true).set.index).toBe("all");
  expect(plan({ q: "sale" }, { search: 1 }, false, false).set.index).toBe("all");
});

it.each<[string, Partial<LinkFilter>, Sizes, ListSort, most: number | undefined]>([
  ["all links in any order", {}, {}, "-visits", undefined],
  ["a tag by creation", { tags: BOTH.tags.slice(0, 1) }, {}, "created_at", undefined],
  ["a tag by title", { tags: BOTH.tags.slice(0, 1) }, {}, "title", MAX_LISTED_LINKS],
  ["the short host", { domain: "" }, {}, "-created_at", MAX_LISTED_LINKS],
  ["a creator", { created_by: "operator" }, {}, "-created_at", MAX_LISTED_LINKS],
  [
    "a small tag and a channel",
    { tags: BOTH.tags.slice(0, 1), channel: "c" },
    { tag: 9, channel: 99 },
    "title",
    undefined,
  ],
  [
    "two large filters",
    { group: GROUP, channel: "c" },
    { group: 20_000, channel: 20_000 },
    "title",
    MAX_LISTED_LINKS,
  ],
  ["a slug", { slug: ["s"], group: GROUP }, {}, "title", undefined],
  ["links that were taken down", { taken_down: true }, {}, "title", MAX_LISTED_LINKS],
  ["words", WORDS, { search: 9 }, "title", MAX_FOUND_LINKS],
  ["words of a filter", { ...WORDS, group: GROUP }, { group: 9 }, "title", MAX_NEWEST_LINKS],
  ["words of an import", { ...WORDS, import: "i" }, {}, "title", MAX_LISTED_LINKS + 1],
])("the web application looks at a limited number of links, for %s", (_, filter, sizes, sort, most) => {
  expect(withLimit(plan(filter, sizes), sort).most).toBe(most);
});
