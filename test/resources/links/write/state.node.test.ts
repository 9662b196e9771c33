import { describe, expect, it } from "vitest";
import { TEXT_FIELD_NAMES } from "../../../../src/lib/link-fields";
import { slugKey } from "../../../../src/lib/slug-text";
import type { LinkRow } from "../../../../src/resources/links/link-repository";
import {
  hasOtherFields,
  hasOtherSearchText,
  hasOtherTarget,
  isArchived,
  isDeletion,
  type LinkChange,
  newSlugKeys,
  sizeOfChangedRules,
  tagDifference,
  toColumns,
  toSnapshot,
} from "../../../../src/resources/links/write/link-state";
import { GROUP, row, tag } from "./links";

const WAS = row();

describe("the columns of a link", () => {
  it("have its texts unchanged and, for comparison, folded", () => {
    const link = row({
      slug: "Flyer",
      destination_url: "https://WWW.Example.com/É",
      title: "ÉTÉ",
      group: GROUP,
      starts_at: 300,
      ends_at: 400,
      ended_url: "https://Over.example./",
      preview_image_url: "https://Images.example./a.png",
    });
    const { id: _, folded_slug: __, visitTotals: ___, tags: ____, ...columns } = link;
    const { domain: _____, group: ______, hostCheck, ...stored } = columns;
    expect(toColumns(link)).toEqual({
      ...stored,
      slug_key: "flyer",
      destination_key: "https://www.example.com/é",
      destination_host: "www.example.com",
      title_key: "été",
      plain_text: "ete\nhttps://www.example.com/e\nflyer\nprint",
      activity_group_id: 5,
      ended_host: "over.example",
      preview_image_host: "images.example",
      host_check: hostCheck,
    });
  });

  it.each<[title: string | null, destination: string, plain: string | null]>([
    ["Sale", "https://example.com/", null],
    [null, "https://example.com/", null],
    ["Łódź", "https://example.com/", "lodz"],
    ["Sale", "https://example.com/É", "https://example.com/e"],
  ])("have the text of %j and %s without accents as %j", (title, destination_url, plain_text) => {
    const values = { utm_source: null, channel: null };
    expect(toColumns(row({ title, destination_url, ...values }))).toMatchObject({ plain_text });
  });

  it("have the values of its campaign without accents, each once", () => {
    const link = row({
      title: null,
      utm_source: "Käse",
      utm_medium: "email",
      utm_campaign: "kase",
      channel: "E-Mail",
    });
    const plain = toColumns({ ...link, destination_url: "https://example.com/" }).plain_text;
    expect(plain?.split("\n")).toEqual(["kase", "email", "e-mail"]);
  });

  it("have no folded title and hosts of what is not set", () => {
    expect(toColumns(row({ title: null }))).toMatchObject({ title: null, title_key: null });
    expect(toColumns(row())).toMatchObject({ ended_host: null, preview_image_host: null });
  });
});

describe("a difference between two states", () => {
  const public_ = [
    ...TEXT_FIELD_NAMES.map((name) => ({ [name]: "other" })),
    { slug: "other" },
    { destination_url: "https://b.example/" },
    { utm_campaign: "other" },
    { utm_campaign_origin: "explicit" as const },
    { archived_at: 5 },
    { group: GROUP },
  ];
  it.each(public_)("is visible to clients: %j", (fields) => {
    expect(hasOtherFields(WAS, row(fields))).toBe(true);
  });
  it.each([{ version: 4 }, { tags: [] }, { hostCheck: "unknown" as const }])(
    "is invisible to clients on the link itself: %j",
    (fields) => {
      expect(hasOtherFields(WAS, row(fields))).toBe(false);
    },
  );

  it.each([
    { destination_url: "https://b.example/" },
    { utm_source: "other" },
    { utm_medium: "other" },
    { utm_campaign: "other" },
    { taken_down_at: 5 },
    { starts_at: 0 },
    { ends_at: 0 },
    { ended_url: "https://over.example/" },
    { group: { ...GROUP, ends_at: 0, ends_links: 1 } },
  ])("changes the redirect: %j", (fields) => {
    expect(hasOtherTarget(WAS, row(fields))).toBe(true);
  });
  it("changes the redirect of a link with an own end: the group's address afterwards", () => {
    const group = { ...GROUP, ended_url: "https://over.example/" };
    expect(hasOtherTarget(row({ ends_at: 5 }), row({ ends_at: 5, group }))).toBe(true);
  });
  it.each([
    { title: "other" },
    { slug: "other" },
    { channel: "other" },
    { archived_at: 5 },
    { group: GROUP },
    { group: { ...GROUP, ends_at: 5 } },
    { group: { ...GROUP, ended_url: "https://over.example/" } },
  ])("does not change the redirect: %j", (fields) => {
    expect(hasOtherTarget(WAS, row(fields))).toBe(false);
  });

  it("includes which group says what follows a link's own end, and not what it says", () => {
    const was = row({ ends_at: 5 });
    expect(hasOtherTarget(was, { ...was, group: GROUP })).toBe(true);
    const ofGroup = row({ ends_at: 5, group: GROUP });
    const group = { ...GROUP, ended_url: "https://else.example/" };
    expect(hasOtherTarget(ofGroup, { ...ofGroup, group })).toBe(false);
  });

  it("does not include the group's values if the link has its own", () => {
    const was = row({ ends_at: 5, ended_url: "https://over.example/" });
    const group = { ...GROUP, ends_at: 6, ends_links: 1, ended_url: "https://else.example/" };
    expect(hasOtherTarget(was, { ...was, group })).toBe(false);
  });

  it.each([
    { slug: "other" },
    { title: null },
    { destination_url: "https://b.example/" },
    { archived_at: 5 },
    { channel: "other" },
    { utm_source: null },
  ])("changes search results: %j", (fields) => {
    expect(hasOtherSearchText(WAS, row(fields))).toBe(true);
  });
  it.each([{ external_id: "other" }, { group: GROUP }])("does not change search results: %j", (fields) => {
    expect(hasOtherSearchText(WAS, row(fields))).toBe(false);
    expect(hasOtherSearchText(row({ archived_at: 1 }), row({ archived_at: 2, ...fields }))).toBe(false);
  });
});

it("a link with any archived_at is archived, including 0", () => {
  expect([isArchived({ archived_at: null }), isArchived({ archived_at: 0 })]).toEqual([false, true]);
});

it.each<[string, boolean, LinkChange]>([
  ["a creation", false, { was: undefined, will: WAS }],
  ["an update", false, { was: WAS, will: WAS }],
  ["a removal", true, { was: WAS, will: undefined }],
])("%s is a deletion: %s", (_, expected, change) => {
  expect(isDeletion(change)).toBe(expected);
});

it.each<[string, LinkChange, ReturnType<typeof tagDifference>]>([
  ["are all for a new link", { was: undefined, will: WAS }, { added: [1, 2], removed: [] }],
  ["are all for a deleted link", { was: WAS, will: undefined }, { added: [], removed: [1, 2] }],
  [
    "are those that differ",
    { was: WAS, will: row({ tags: [tag(2), tag(3)] }) },
    { added: [3], removed: [1] },
  ],
  [
    "are empty for another order",
    { was: WAS, will: row({ tags: [tag(2), tag(1)] }) },
    { added: [], removed: [] },
  ],
])("the tags that a change adds and removes: %s", (_, change, moves) => {
  expect(tagDifference(change)).toEqual(moves);
});

it.each<[string, LinkChange, string[]]>([
  ["are the slug of a new link", { was: undefined, will: WAS }, ["flyer"]],
  [
    "are its old ones too",
    { was: undefined, will: WAS, otherSlugs: [slugKey("", "a"), slugKey("", "b")] },
    ["flyer", "a", "b"],
  ],
  ["are the new slug of a rename", { was: WAS, will: row({ slug: "Poster" }) }, ["poster"]],
  ["are the slug on the new domain", { was: WAS, will: row({ domain: "a.example" }) }, ["a.example/flyer"]],
  ["are empty for a rename that changes only case", { was: WAS, will: row({ slug: "FLYER" }) }, []],
  ["are empty for a deletion", { was: WAS, will: undefined, otherSlugs: [slugKey("", "a")] }, []],
])("the slugs that a change adds: %s", (_, change, slugs) => {
  expect(newSlugKeys(change)).toEqual(slugs);
});

describe("the audit log's snapshot of a link before a change", () => {
  const IN_GROUP = row({ group: GROUP, archived_at: 5, starts_at: 300, ended_url: "https://over.example/" });
  const FIELDS = {
    slug: "Flyer",
    destination_url: "https://www.example.com/a",
    title: "Flyer",
    channel: "print",
    external_id: null,
    utm_source: "flyer",
    utm_medium: null,
    starts_at: "1970-01-01T00:00:00.300Z",
    ends_at: null,
    ended_url: "https://over.example/",
    archived_at: 5,
    utm_campaign: null,
    utm_campaign_origin: "inherited",
    utm_term: null,
    utm_content: null,
    activity_group_id: "G5",
  };
  const TAGS = { tag_ids: ["T1", "T2"] };
  const will = (fields: Partial<LinkRow>) => ({ ...IN_GROUP, ...fields });

  it.each<[string, LinkChange, object | undefined]>([
    ["is nothing for a new link", { was: undefined, will: IN_GROUP }, undefined],
    ["is everything before a deletion", { was: IN_GROUP, will: undefined }, { ...FIELDS, ...TAGS }],
    ["is its fields if they change", { was: IN_GROUP, will: will({ title: "b" }) }, FIELDS],
    ["is its tags if they change", { was: IN_GROUP, will: will({ tags: [] }) }, TAGS],
    [
      "is both if both change",
      { was: IN_GROUP, will: will({ tags: [], title: "b" }) },
      { ...FIELDS, ...TAGS },
    ],
    [
      "is its fields if only the origin of its campaign changes",
      { was: IN_GROUP, will: will({ utm_campaign_origin: "explicit" }) },
      FIELDS,
    ],
  ])("%s", (_, change, snapshot) => {
    expect(toSnapshot(change)).toEqual(snapshot);
  });

  it("has the domain, the rules and what only forms have, where the link has them", () => {
    const rules = [{ destination_url: "https://b.example/", countries: ["CH"] }];
    const was = row({ domain: "go.example.com", rules: JSON.stringify(rules), note: "n" });
    const forms = { note: "n", preview_title: null, preview_text: null, preview_image_url: null };
    expect(toSnapshot({ was, will: undefined })).toMatchObject({ domain: "go.example.com", rules, ...forms });
    expect(toSnapshot({ was: row({ tags: [] }), will: undefined })).toMatchObject({ tag_ids: [] });
    const bare = Object.keys(toSnapshot({ was: WAS, will: undefined }) ?? {});
    expect(bare.filter((name) => ["domain", "rules", ...Object.keys(forms)].includes(name))).toEqual([]);
  });
});

it.each<[string | null | undefined, string | null | undefined, number]>([
  ["[1]", "[1]", 0],
  ["[1]", "[12]", 7],
  ["[1]", null, 3],
  [null, "[12]", 4],
  [undefined, "[1]", 3],
  ["[1]", undefined, 3],
  [null, undefined, 0],
])("rules %s that become %s have a size of %i", (before, after, size) => {
  const state = (rules: string | null | undefined) => (rules === undefined ? undefined : row({ rules }));
  expect(sizeOfChangedRules({ was: state(before), will: state(after) })).toBe(size);
});
