import { describe, expect, it } from "vitest";
import type { LinkSort } from "../../../../src/resources/links/link-schema";
import type { Index } from "../../../../src/resources/links/list/indexes";
import { type LinkFilter, type ListSort, NO_FILTER } from "../../../../src/resources/links/list/list-filter";
import {
  boundPlan,
  chooseIndex,
  type FilterTotal,
  type KnownPlan,
  MAX_LISTED_LINKS,
  type Match,
  type Plan,
  planAgain,
  planWithCounts,
  planWithoutCounts,
  sortAllThreshold,
  toKnownPlan,
} from "../../../../src/resources/links/list/list-plan";

const ALL_LINKS: LinkFilter = { ...NO_FILTER, status: "active" };
const NAMED = { id: "", slug: "s" };

const searched = (total: number): Match[] => [{ index: "search", total }];
const prefixed = (total: number): Match => ({ index: "external_id_prefix", total });

const tag = (key: number | null, total: number): FilterTotal => ({ kind: "tag", key, total });
const group = (key: number | null, total: number): FilterTotal => ({ kind: "group", key, total });
const channel = (total: number): FilterTotal => ({ kind: "channel", key: "email", total });

describe("without counts", () => {
  it.each<[string, Partial<LinkFilter>, Index, Plan["total"]]>([
    ["all links", {}, "order", "workspace"],
    ["the short host", { domain: "" }, "order", "short_host"],
    ["the short host and a channel", { domain: "", channel: "email" }, "channel", "counted"],
    ["one tag", { tags: [NAMED] }, "tag", "kept"],
    ["a slug, a group and a text", { slugs: ["s"], group: NAMED, search: "sale" }, "slug", "counted"],
    ["broken destinations", { isBroken: true }, "broken", "counted"],
    ["broken destinations and a slug", { isBroken: true, slugs: ["s"] }, "slug", "counted"],
    ["links that were taken down", { isTakenDown: true }, "taken_down", "counted"],
    ["links of a tag that were taken down", { isTakenDown: true, tags: [NAMED] }, "taken_down", "counted"],
    ["links that were taken down and a slug", { isTakenDown: true, slugs: ["s"] }, "slug", "counted"],
    ["a short text", { search: "sa" }, "order", "counted"],
    ["a short text and a tag", { search: "sa", tags: [NAMED] }, "tag", "counted"],
    ["a creator", { createdBy: "operator" }, "order", "counted"],
    ["a creator and a tag", { createdBy: "operator", tags: [NAMED] }, "tag", "counted"],
    ["a time of creation on the short host", { created: ["A", "B"], domain: "" }, "order", "counted"],
    ["a text, no search index", { search: "sale", hasSearchIndex: false }, "order", "counted"],
  ])("%s: can be planned without counts", (_, narrowed, index, total) => {
    const filter = { ...ALL_LINKS, ...narrowed };
    expect(planWithoutCounts(filter)).toEqual({ filter, index, total });
  });

  it.each<[string, Partial<LinkFilter>]>([
    ["a search", { search: "sale" }],
    ["a prefix of external ids", { externalIdPrefix: "site:" }],
    ["broken destinations and a tag", { isBroken: true, tags: [NAMED] }],
    ["two tags and links that were taken down", { isTakenDown: true, tags: [NAMED, NAMED] }],
    ["two tags", { tags: [NAMED, NAMED] }],
    ["a group and a channel", { group: NAMED, channel: "email" }],
  ])("%s: needs counts", (_, narrowed) => {
    expect(planWithoutCounts({ ...ALL_LINKS, ...narrowed })).toBeUndefined();
  });
});

it("broken destinations are read by another filter as long as all of its links are looked at", () => {
  const plan = (total: number) => {
    const filter = { ...ALL_LINKS, isBroken: true, tags: [NAMED] };
    return planWithCounts(filter, "-created_at", { totals: [tag(1, total)], matches: [], links: 0 });
  };
  expect(plan(MAX_LISTED_LINKS)).toMatchObject({ index: "tag", total: "counted" });
  expect(plan(MAX_LISTED_LINKS + 1)).toMatchObject({ index: "broken", total: "counted" });
  expect(plan(0)).toMatchObject({ index: "tag", total: 0 });
});

it("a prefix among the links of a creator is counted, since its matches are not the list's total", () => {
  const filter = { ...ALL_LINKS, externalIdPrefix: "site:", createdBy: "operator" };
  const counts = { totals: [], matches: [prefixed(7)], links: 100 };
  const plan = planWithCounts(filter, "-created_at", counts);
  expect(plan).toEqual({ filter, index: "external_id_prefix", total: "counted", size: 7 });
  expect(toKnownPlan(plan)).toBeUndefined();
  expect(planAgain(filter, "-created_at", { index: "external_id_prefix", total: 7 })).toBeUndefined();
});

it.each<[string, Partial<LinkFilter>, FilterTotal[]]>([
  ["on the short host", { domain: "" }, []],
  ["of a tag", { tags: [NAMED] }, [tag(1, 90)]],
])("a search among the links %s is counted too", (_, narrowed, totals) => {
  const filter = { ...ALL_LINKS, search: "sale", ...narrowed };
  const plan = planWithCounts(filter, "-created_at", { totals, matches: searched(7), links: 100 });
  expect(plan).toMatchObject({ index: "search", total: "counted", size: 7 });
  expect(planAgain(filter, "-created_at", { index: "search", total: 7 })).toBeUndefined();
});

it("a prefix and a text are counted again on the next page", () => {
  const filter = { ...ALL_LINKS, externalIdPrefix: "site:", search: "sale" };
  expect(planAgain(filter, "-created_at", { index: "external_id_prefix", total: 7 })).toBeUndefined();
});

it.each<[string, FilterTotal[], Match[], Index, number]>([
  ["is the smaller tag's", [tag(1, 90), tag(2, 10)], [], "tag", 10],
  ["is the group's", [tag(1, 90), group(1, 20), channel(30)], [], "group", 20],
  ["is the channel's", [tag(1, 90), group(1, 20), channel(3)], [], "channel", 3],
  ["is the search index", [tag(1, 90), channel(30)], searched(29), "search", 29],
  [
    "is not the search index if its count reached the limit",
    [tag(1, 90), channel(30)],
    searched(30),
    "channel",
    30,
  ],
  ["is that of external ids", [tag(1, 90)], [...searched(30), prefixed(29)], "external_id_prefix", 29],
  ["is the first of equals", [tag(1, 5), group(1, 5), channel(5)], searched(5), "tag", 5],
  ["has no links", [tag(1, 90), group(null, 0)], searched(0), "group", 0],
])("the index with the fewest matches: %s", (_, totals, matches, index, size) => {
  expect(chooseIndex({ totals, matches })).toEqual({ index, size });
});

describe("several filters", () => {
  const filter = { ...ALL_LINKS, tags: [NAMED, NAMED, NAMED], group: NAMED, channel: "email" };
  const totals = [tag(7, 90), tag(8, 10), tag(9, 50), group(4, 20), channel(30)];
  const known = { tags: [{ rowId: 8 }, { rowId: 9 }, { rowId: 7 }], group: { rowId: 4 } };

  it("are read by the smallest index, with the row ids of tags and group, the rarest tag first", () => {
    expect(planWithCounts(filter, "title", { totals, matches: [], links: 0 })).toEqual({
      filter: { ...filter, ...known },
      index: "tag",
      total: "counted",
      size: 10,
    });
  });

  it("with a slug are read by the slug", () => {
    const counts = { totals, matches: [], links: 0 };
    expect(planWithCounts({ ...filter, slugs: ["s"] }, "title", counts).index).toBe("slug");
  });

  it("and links that were taken down are read by those", () => {
    const counts = { totals, matches: [], links: 0 };
    expect(planWithCounts({ ...filter, isTakenDown: true }, "title", counts)).toMatchObject({
      filter: known,
      index: "taken_down",
    });
  });

  it.each<[string, FilterTotal[], Match[]]>([
    ["a tag that the workspace does not have", [tag(null, 0), channel(30)], []],
    ["a group without links", [group(4, 0), channel(30)], []],
    ["a text that no link contains", [channel(30)], searched(0)],
    ["more tags than a link can have", Array.from({ length: 51 }, (_, id) => tag(id + 1, 5)), []],
  ])("give an empty list with", (_, none, matches) => {
    const plan = planWithCounts(filter, "title", { totals: none, matches, links: 0 });
    expect([plan.total, plan.size]).toEqual([0, 0]);
  });

  it("may have links with fifty tags", () => {
    const fifty = Array.from({ length: 50 }, (_, id) => tag(id + 1, 5));
    expect(planWithCounts(filter, "title", { totals: fifty, matches: [], links: 0 }).total).toBe("counted");
  });
});

describe("a search", () => {
  it.each([
    [0, 500],
    [10_000, 500],
    [20_000, 1_000],
    [1_000_000, 50_000],
  ])("among %i links sorts up to %i matches", (links, threshold) => {
    expect(sortAllThreshold(links)).toBe(threshold);
  });

  it.each<[string, number, LinkSort, LinkFilter["status"], Index]>([
    ["rare text", 1_000, "-created_at", "active", "search"],
    ["common text", 1_001, "-created_at", "active", "order"],
    ["common text by title", 1_001, "title", "archived", "order"],
    ["common text by slug, of both statuses", 1_001, "slug", "all", "order"],
    ["common text by title, of both statuses", 20_000, "title", "all", "search"],
  ])("%s: %i matches, %s, %s", (_, matches, sort, status, index) => {
    const filter = { ...ALL_LINKS, search: "sale", status };
    expect(planWithCounts(filter, sort, { totals: [], matches: searched(matches), links: 20_000 })).toEqual({
      filter,
      index,
      total: matches,
      size: matches,
    });
  });
});

describe("a prefix of external ids", () => {
  const planned = (narrowed: Partial<LinkFilter>, total: number) =>
    planWithCounts({ ...ALL_LINKS, externalIdPrefix: "p", ...narrowed }, "title", {
      totals: [],
      matches: [prefixed(total)],
      links: 20_000,
    });

  it("is read by its index if it is rare, and in the list's order if it is common", () => {
    expect(planned({}, 1_000)).toMatchObject({ index: "external_id_prefix", total: 1_000 });
    expect(planned({}, 1_001)).toMatchObject({ index: "order", total: 1_001 });
  });

  it("with a short text is counted", () => {
    expect(planned({ search: "sa" }, 5_000)).toMatchObject({
      index: "external_id_prefix",
      total: "counted",
      size: 5_000,
    });
  });

  it.each<[number, number, Index, Plan["total"]]>([
    [30, 29, "external_id_prefix", "counted"],
    [29, 30, "search", "counted"],
    [0, 30, "search", 0],
  ])(
    "with a text: %i matches of the text, %i of the prefix: is read by %s",
    (texts, prefixes, index, total) => {
      const filter = { ...ALL_LINKS, externalIdPrefix: "p", search: "sale" };
      const matches = [...searched(texts), prefixed(prefixes)];
      expect(planWithCounts(filter, "title", { totals: [], matches, links: 20_000 })).toMatchObject({
        index,
        total,
      });
    },
  );
});

describe("a list with a limit", () => {
  const MORE = MAX_LISTED_LINKS + 1;
  const PREFIX = { externalIdPrefix: "p" };

  it.each<[string, Omit<Plan, "filter">, Partial<LinkFilter>, ListSort]>([
    ["all links in any order", { index: "order", total: "workspace" }, {}, "-visits"],
    ["all links of both statuses", { index: "order", total: "workspace" }, { status: "all" }, "title"],
    ["a tag by creation", { index: "tag", total: "kept" }, { tags: [NAMED] }, "created_at"],
    [
      "a small tag and a channel",
      { index: "tag", total: "counted", size: MAX_LISTED_LINKS },
      { tags: [NAMED], channel: "email" },
      "title",
    ],
    ["a rare text", { index: "search", total: 9, size: 9 }, { search: "sale" }, "title"],
    ["a slug", { index: "slug", total: "counted" }, { slugs: ["s"], group: NAMED }, "title"],
  ])("looks at all links of %s", (_, plan, narrowed, sort) => {
    const whole = { filter: { ...ALL_LINKS, ...narrowed }, ...plan };
    expect(boundPlan(whole, sort)).toEqual(whole);
  });

  it.each<[string, Omit<Plan, "filter">, Partial<LinkFilter>, ListSort]>([
    ["a tag by title", { index: "tag", total: "kept" }, { tags: [NAMED] }, "title"],
    [
      "a large group and a channel",
      { index: "group", total: "counted", size: MORE },
      { group: NAMED },
      "-created_at",
    ],
    ["taken-down links", { index: "taken_down", total: "counted" }, { isTakenDown: true }, "-created_at"],
    ["a frequent prefix", { index: "order", total: MORE, size: MORE }, PREFIX, "-created_at"],
  ])("looks at some links of %s, and counts among these", (_, plan, narrowed, sort) => {
    const whole = { filter: { ...ALL_LINKS, ...narrowed }, ...plan };
    expect(boundPlan(whole, sort)).toEqual({ ...whole, total: "counted", most: MAX_LISTED_LINKS });
  });

  it("finds all links with a prefix by its index", () => {
    const filter = { ...ALL_LINKS, ...PREFIX };
    const { index, most } = boundPlan({ filter, index: "order", total: 9_000, size: 9_000 }, "-created_at");
    expect([index, most]).toEqual(["external_id_prefix", undefined]);
  });
});

describe("the next page of a search or prefix", () => {
  const SEARCH = { search: "sale" };
  const PREFIX = { externalIdPrefix: "p" };
  it.each<[string, Partial<LinkFilter>, LinkSort, KnownPlan | undefined, boolean]>([
    ["is planned as the first one", SEARCH, "title", { index: "search", total: 7 }, true],
    [
      "is planned as the first one, by prefix",
      PREFIX,
      "title",
      { index: "external_id_prefix", total: 7 },
      true,
    ],
    ["is planned as the first one, in order", PREFIX, "title", { index: "order", total: 7 }, true],
    ["is counted without a cursor", SEARCH, "title", undefined, false],
    [
      "is counted if the index is another's",
      SEARCH,
      "title",
      { index: "external_id_prefix", total: 7 },
      false,
    ],
    [
      "is counted if no index has the order",
      { ...SEARCH, status: "all" },
      "title",
      { index: "order", total: 7 },
      false,
    ],
    ["is counted by channel", { ...SEARCH, channel: "c" }, "title", { index: "search", total: 7 }, false],
    ["is counted with both", { ...SEARCH, ...PREFIX }, "title", { index: "search", total: 7 }, false],
    ["is counted if broken", { ...SEARCH, isBroken: true }, "title", { index: "search", total: 7 }, false],
    ["is counted without either", {}, "title", { index: "order", total: 7 }, false],
  ])("%s", (_, narrowed, sort, known, fits) => {
    const filter = { ...ALL_LINKS, ...narrowed };
    const plan = planAgain(filter, sort, known);
    expect(plan).toEqual(fits ? { filter, ...known } : undefined);
    expect(plan && toKnownPlan(plan)).toEqual(fits ? known : undefined);
  });

  it("is not planned by a total that is counted or stored", () => {
    const filter = { ...ALL_LINKS, ...SEARCH };
    expect(toKnownPlan({ filter, index: "search", total: "counted" })).toBeUndefined();
    expect(toKnownPlan({ filter: ALL_LINKS, index: "tag", total: 0 })).toBeUndefined();
  });
});
