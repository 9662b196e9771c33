import { describe, expect, it } from "vitest";
import { TOO_MANY_TAGS, unknownTag } from "../../../src/resources/links/errors";
import type { TagInLink } from "../../../src/resources/links/repository";
import {
  namedTagProblems,
  pickRequested,
  requestedTags,
  selectRequestedTags,
  unknownTags,
  withNamed,
  withTagIds,
} from "../../../src/resources/links/requested-tags";
import type { NamedTags } from "../../../src/resources/tags/create-many";
import type { TagRow } from "../../../src/resources/tags/statements";
import { written } from "../../fakes";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const OTHER = "01BX5ZZKBKACTAV9WEVGEMMVRZ";
const SUMMER = { public_id: ID, name_key: "été" } as TagRow;
const SALE = { public_id: OTHER, name_key: "sale" } as TagRow;

type Input = Parameters<typeof requestedTags>[0];

describe("the requested tags", () => {
  it.each<[string, Input, ReturnType<typeof requestedTags>]>([
    ["are not given", {}, undefined],
    ["are ids", { tag_ids: [ID] }, { field: "tag_ids", values: [ID] }],
    ["are names", { tag_names: ["Sale"] }, { field: "tag_names", values: ["Sale"] }],
    ["are names beside null ids", { tag_ids: null, tag_names: ["a"] }, { field: "tag_names", values: ["a"] }],
    ["are ids beside null names", { tag_ids: [ID], tag_names: null }, { field: "tag_ids", values: [ID] }],
    ["are none for null ids", { tag_ids: null }, { field: "tag_ids", values: [] }],
    ["are none for null names", { tag_names: null }, { field: "tag_ids", values: [] }],
    ["are none for an empty list", { tag_names: [] }, { field: "tag_names", values: [] }],
  ])("%s", (_, input, requested) => {
    expect(requestedTags(input)).toEqual(requested);
  });

  it.each<[string, Input, RegExp, unknown[]]>([
    ["ids", { tag_ids: [ID.toLowerCase(), OTHER] }, /"public_id" = /, [ID, OTHER]],
    ["names", { tag_names: ["ÉTÉ", "Sale"] }, /"name_key" = /, ["été", "sale"]],
  ])("are found by their %s in one spelling", (_, input, condition, values) => {
    const { sql, params } = written(selectRequestedTags(9, requestedTags(input)) ?? expect.fail());
    expect(sql).toMatch(condition);
    expect(params).toContain(9);
    expect(params).toContain(JSON.stringify(values.map((value) => [value])));
  });

  it.each([{}, { tag_ids: [] }, { tag_names: null }])("of %j are not looked up", (input) => {
    expect(selectRequestedTags(9, requestedTags(input))).toBeUndefined();
  });

  it.each<[string, Input, TagRow[]]>([
    ["no request", {}, []],
    ["an empty request", { tag_ids: [] }, []],
    ["an id in lower case", { tag_ids: [ID.toLowerCase()] }, [SUMMER]],
    ["a name in another case", { tag_names: ["SALE", "nothing"] }, [SALE]],
    ["names, in the order of the tags", { tag_names: ["sale", "Été"] }, [SUMMER, SALE]],
  ])("are picked by %s", (_, input, picked) => {
    expect(pickRequested(requestedTags(input), [SUMMER, SALE])).toEqual(picked);
  });
});

describe("unknown tags", () => {
  it.each<[string, Input, ReturnType<typeof unknownTag>[]]>([
    ["has none without tags", {}, []],
    ["has none with ids in either case", { tag_ids: [ID.toLowerCase(), OTHER] }, []],
    ["has none with names in either case", { tag_names: ["ÉTÉ", "sale"] }, []],
    [
      "has each of its ids",
      { tag_ids: ["nothing", ID, "01BX5ZZKBKACTAV9WEVGEMMVRY"] },
      [unknownTag("tag_ids.0"), unknownTag("tag_ids.2")],
    ],
    [
      "has each text that is no id at its index",
      { tag_ids: ["x", "y", "x"] },
      [unknownTag("tag_ids.0"), unknownTag("tag_ids.1"), unknownTag("tag_ids.2")],
    ],
    [
      "has each spelling of an unknown name",
      { tag_names: ["Sale", "none", "NONE"] },
      [unknownTag("tag_names.1"), unknownTag("tag_names.2")],
    ],
  ])("a request %s", (_, input, unknown) => {
    expect(unknownTags(requestedTags(input), [SUMMER, SALE])).toEqual(unknown);
  });
});

describe("the audit log has a request", () => {
  it.each<[string, Input & { title?: string }, object]>([
    ["without tags as it is", { title: "a" }, { title: "a" }],
    ["with ids as it is", { title: "a", tag_ids: [ID] }, { title: "a", tag_ids: [ID] }],
    ["with the ids of its names", { title: "a", tag_names: ["Été"] }, { title: "a", tag_ids: [ID] }],
    ["with names instead of null ids", { tag_ids: null, tag_names: ["Été"] }, { tag_ids: [ID] }],
    ["with ids beside null names", { tag_ids: [OTHER], tag_names: null }, { tag_ids: [OTHER] }],
    ["without tags for null names", { title: "a", tag_names: null }, { title: "a", tag_ids: null }],
  ])("%s", (_, input, recorded) => {
    expect(withTagIds(input, [SUMMER])).toEqual(recorded);
  });

  it.each<[string, Input & { title?: string }]>([
    ["beside no tags", { title: "a" }],
    ["beside ids", { title: "a", tag_ids: [OTHER] }],
    ["beside null names", { title: "a", tag_names: null }],
  ])("of a form with the ids of the tags that it names %s", (_, input) => {
    expect(withTagIds(input, [SALE, SUMMER], ["Été"])).toEqual({ title: "a", tag_ids: [OTHER, ID] });
  });
});

const tag = (id: number) => ({ id, name: `Tag ${id}` }) as TagInLink & TagRow;
const tagsTo = (count: number) => Array.from({ length: count }, (_, index) => tag(index + 1));

describe("tags that a form names beside those that it lists", () => {
  const missing = (count: number) =>
    Array.from({ length: count }, (_, index) => [`n${index}`, `N${index}`] as const);
  const named = (tags: Partial<NamedTags>): NamedTags => ({
    ...{ known: [], missing: [], problems: [], taken: [], room: 0 },
    ...tags,
  });

  it.each<[string, TagInLink[], Partial<NamedTags>, boolean]>([
    ["may be fifty with them", tagsTo(48), { known: [tag(49)], missing: missing(1) }, false],
    ["may not be more with known ones", tagsTo(50), { known: [tag(51)] }, true],
    ["may not be more with new ones", tagsTo(50), { missing: missing(1) }, true],
    ["may not be more with known and new ones", tagsTo(48), { known: [tag(49)], missing: missing(2) }, true],
    ["count once if they are listed too", tagsTo(50), { known: [tag(1), tag(2)] }, false],
    // The schema limits the list itself.
    ["are not counted if there are none", tagsTo(51), {}, false],
  ])("%s", (_, tags, given, refused) => {
    expect(namedTagProblems(tags, named(given))).toEqual(refused ? [TOO_MANY_TAGS] : []);
  });

  it("are refused with their own problems first", () => {
    const problems = [unknownTag("tag_names.0")];
    expect(namedTagProblems(tagsTo(50), named({ problems, missing: missing(1) }))).toEqual([
      ...problems,
      TOO_MANY_TAGS,
    ]);
  });

  it("come after those, each once", () => {
    expect(withNamed([tag(2), tag(1)], [tag(3), tag(2)])).toEqual([tag(2), tag(1), tag(3)]);
  });
});
