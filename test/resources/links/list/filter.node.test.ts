import { describe, expect, it } from "vitest";
import {
  isPrefixed,
  isSearched,
  type LinkFilter,
  lookupIndex,
  NO_FILTER,
  toDimensions,
  toFilter,
} from "../../../../src/resources/links/list/list-filter";

const ID = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

const ALL_LINKS: LinkFilter = { ...NO_FILTER, status: "active" };

it.each<[string, Partial<Parameters<typeof toFilter>[0]>, Partial<LinkFilter>]>([
  ["nothing", {}, {}],
  ["a status", { status: "all" }, { status: "all" }],
  ["a tag by its slug", { tag: ["sale"] }, { tags: [{ id: "", slug: "sale" }] }],
  ["a tag by its id", { tag: [ID.toLowerCase()] }, { tags: [{ id: ID, slug: ID.toLowerCase() }] }],
  ["two tags", { tag: ["a", "b"] }, { tags: ["a", "b"].map((slug) => ({ id: "", slug })) }],
  ["a group", { activity_group_id: "spring" }, { group: { id: "", slug: "spring" } }],
  ["a channel, with its case", { channel: "Email" }, { channel: "Email" }],
  ["slugs, without their case", { slug: ["Summer-26", "summer-26", "old"] }, { slugs: ["summer-26", "old"] }],
  ["external ids, each once", { external_id: ["a", "A", "a"] }, { externalIds: ["a", "A"] }],
  ["a prefix of external ids", { external_id_prefix: "site:" }, { externalIdPrefix: "site:" }],
  ["broken destinations", { health: "broken" }, { isBroken: true }],
  ["links that were taken down", { health: "taken_down" }, { isTakenDown: true }],
  ["an import", { import: "01jzzzzzzzzzzzzzzzzzzzzzzz" }, { importId: "01JZZZZZZZZZZZZZZZZZZZZZZZ" }],
  ["a creator", { created_by: "operator" }, { createdBy: "operator" }],
  [
    "a time of creation, as ids",
    { created: { from: Date.UTC(2026, 0, 1), to: -1 } },
    { created: ["01KDVDNA000000000000000000", "00000000000000000000000000"] },
  ],
  [
    "an open time of creation",
    { created: { from: undefined, to: undefined } },
    { created: ["0".repeat(26), "8"] },
  ],
  ["the short host", { domain: "GO.example.com." }, { domain: "" }],
  ["a domain", { domain: "bücher.example" }, { domain: "xn--bcher-kva.example" }],
  ["a text, folded", { q: "ÉTÉ Sale" }, { search: "été sale" }],
])("the filter of a query has %s", (_, query, expected) => {
  expect(toFilter({ status: "active", ...query }, { shortHost: "go.example.com" })).toEqual({
    ...ALL_LINKS,
    ...expected,
  });
});

describe("the links of a filter are looked up", () => {
  const slugs = ["s"];
  const externalIds = ["e"];
  it.each<[string, Partial<LinkFilter>, ReturnType<typeof lookupIndex>]>([
    ["by neither", { search: "sale", externalIdPrefix: "site:" }, undefined],
    ["by slugs", { slugs }, "slug"],
    ["by external ids", { externalIds }, "external_id"],
    ["by slugs before external ids", { slugs, externalIds }, "slug"],
    ["by an import before anything else", { importId: ID, slugs, externalIds }, "import"],
  ])("%s", (_, filter, index) => {
    expect(lookupIndex({ ...ALL_LINKS, ...filter })).toBe(index);
  });
});

it.each<[string, Partial<LinkFilter>, boolean]>([
  ["is not used without a text", {}, false],
  ["finds a text of three characters", { search: "sal" }, true],
  ["does not find a text of two characters", { search: "sa" }, false],
  ["counts characters, not UTF-16 units", { search: "😀😀" }, false],
  ["finds three characters outside the basic plane", { search: "😀😀😀" }, true],
  ["does not find a text with NUL", { search: "sa\0le" }, false],
  ["is not used for the links of an import", { search: "sale", importId: ID }, false],
  ["is not used while it is dropped", { search: "sale", hasSearchIndex: false }, false],
  ["is not used for the link of a slug", { search: "sale", slugs: ["s"] }, false],
  ["is not used for the link of an external id", { search: "sale", externalIds: ["e"] }, false],
])("the search index: %s", (_, filter, expected) => {
  expect(isSearched({ ...ALL_LINKS, ...filter })).toBe(expected);
});

it.each<[string, Partial<LinkFilter>, boolean]>([
  ["are not counted without a prefix", {}, false],
  ["are counted", { externalIdPrefix: "site:" }, true],
  ["are not counted for the links of an import", { externalIdPrefix: "site:", importId: ID }, false],
  ["are not counted for the link of a slug", { externalIdPrefix: "site:", slugs: ["s"] }, false],
  [
    "are not counted for the link of an external id",
    { externalIdPrefix: "site:", externalIds: ["e"] },
    false,
  ],
])("the links of a prefix of external ids: %s", (_, filter, expected) => {
  expect(isPrefixed({ ...ALL_LINKS, ...filter })).toBe(expected);
});

it("each tag, the group and the channel have a stored total", () => {
  const named = { id: "", slug: "s" };
  expect(toDimensions(ALL_LINKS)).toEqual([]);
  expect(toDimensions({ ...ALL_LINKS, domain: "go.example.com" })).toEqual(["domain"]);
  expect(toDimensions({ ...ALL_LINKS, domain: "" })).toEqual([]);
  expect(toDimensions({ ...ALL_LINKS, slugs: ["s"], search: "sale" })).toEqual([]);
  expect(toDimensions({ ...ALL_LINKS, tags: [named, named], group: named, channel: "email" })).toEqual([
    "tag",
    "tag",
    "group",
    "channel",
  ]);
});
