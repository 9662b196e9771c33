import { expect, it } from "vitest";
import { listLinksQuery } from "../../../../src/resources/links/link-schema";
import { type LinkFilter, NO_FILTER, toFilter } from "../../../../src/resources/links/list/list-filter";

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
  ["slugs, without their case", { slug: ["Summer-26", "summer-26", "old"] }, { slug: ["summer-26", "old"] }],
  ["external ids, each once", { external_id: ["a", "A", "a"] }, { external_id: ["a", "A"] }],
  ["a prefix of external ids", { external_id_prefix: "site:" }, { external_id_prefix: "site:" }],
  ["broken destinations", { health: "broken" }, { broken: true }],
  ["links that were taken down", { health: "taken_down" }, { taken_down: true }],
  ["an import", { import: "01jzzzzzzzzzzzzzzzzzzzzzzz" }, { import: "01JZZZZZZZZZZZZZZZZZZZZZZZ" }],
  ["a creator", { created_by: "operator" }, { created_by: "operator" }],
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
  ["a text, folded", { q: "ÉTÉ Sale" }, { q: "été sale" }],
])("the filter of a query has %s", (_, query, expected) => {
  expect(toFilter({ ...listLinksQuery.parse({}), ...query }, { shortHost: "go.example.com" })).toEqual({
    ...ALL_LINKS,
    ...expected,
  });
});
