import { describe, expect, it } from "vitest";
import { unknownSelection } from "../../../src/errors";
import {
  pickRequested,
  requestedTags,
  selectRequestedTags,
  unknownTags,
  withTagIds,
} from "../../../src/resources/links/requested-tags";
import type { TagRow } from "../../../src/resources/tags/tag-statements";
import { written } from "../../fakes";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const OTHER = "01BX5ZZKBKACTAV9WEVGEMMVRZ";
const SUMMER = { public_id: ID, name_key: "été" } as TagRow;
const SALE = { public_id: OTHER, name_key: "sale" } as TagRow;

type Input = Parameters<typeof requestedTags>[0];

describe("the requested tags", () => {
  it.each<[string, Input, ReturnType<typeof requestedTags>]>([
    ["are not given", {}, undefined],
    ["are ids", { tag_ids: [ID] }, { field: "tag_ids", keys: [ID] }],
    ["are names", { tag_names: ["Sale"] }, { field: "tag_names", keys: ["sale"] }],
    ["are names beside null ids", { tag_ids: null, tag_names: ["a"] }, { field: "tag_names", keys: ["a"] }],
    ["are ids beside null names", { tag_ids: [ID], tag_names: null }, { field: "tag_ids", keys: [ID] }],
    ["are none for null ids", { tag_ids: null }, { field: "tag_ids", keys: [] }],
    ["are none for null names", { tag_names: null }, { field: "tag_ids", keys: [] }],
    ["are none for an empty list", { tag_names: [] }, { field: "tag_names", keys: [] }],
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

it.each<[string, Input, ReturnType<typeof unknownSelection>[]]>([
  ["has none without tags", {}, []],
  ["has none with ids in either case", { tag_ids: [ID.toLowerCase(), OTHER] }, []],
  ["has none with names in either case", { tag_names: ["ÉTÉ", "sale"] }, []],
  [
    "has each of its ids",
    { tag_ids: ["nothing", ID, "01BX5ZZKBKACTAV9WEVGEMMVRY"] },
    [unknownSelection("tag_ids.0"), unknownSelection("tag_ids.2")],
  ],
  [
    "has each text that is no id at its index",
    { tag_ids: ["x", "y", "x"] },
    [unknownSelection("tag_ids.0"), unknownSelection("tag_ids.1"), unknownSelection("tag_ids.2")],
  ],
  [
    "has each spelling of an unknown name",
    { tag_names: ["Sale", "none", "NONE"] },
    [unknownSelection("tag_names.1"), unknownSelection("tag_names.2")],
  ],
])("unknown tags: a request %s", (_, input, unknown) => {
  expect(unknownTags(requestedTags(input), [SUMMER, SALE])).toEqual(unknown);
});

it.each<[string, Input & { title?: string }, object]>([
  ["without tags as it is", { title: "a" }, { title: "a" }],
  ["with ids as it is", { title: "a", tag_ids: [ID] }, { title: "a", tag_ids: [ID] }],
  ["with the ids of its names", { title: "a", tag_names: ["Été"] }, { title: "a", tag_ids: [ID] }],
  ["with names instead of null ids", { tag_ids: null, tag_names: ["Été"] }, { tag_ids: [ID] }],
  ["with ids beside null names", { tag_ids: [OTHER], tag_names: null }, { tag_ids: [OTHER] }],
  ["without tags for null names", { title: "a", tag_names: null }, { title: "a", tag_ids: null }],
])("the audit log has a request: %s", (_, input, recorded) => {
  expect(withTagIds(input, [SUMMER])).toEqual(recorded);
});
