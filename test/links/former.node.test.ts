import { expect, it } from "vitest";
import { formerOf, inputOfFormer } from "../../src/links/revert/former";

const BEFORE = {
  slug: "summer",
  archived_at: null,
  activity_group_id: "g",
  utm_campaign: "spring",
  utm_campaign_origin: "inherited",
  tag_ids: ["t", "u"],
};
const CAMPAIGN = { kind: "restore", value: "spring", origin: "inherited" };

it.each<[string, object, object | undefined]>([
  ["attached tags", { tag_ids: ["v"] }, { tagIds: ["t", "u"] }],
  ["a detached tag", { tag_id: "t" }, { tagIds: ["t", "u"] }],
  ["archiving", { status: "archived" }, { status: "active" }],
  ["a move", { activity_group_id: "h" }, { groupId: "g", campaign: CAMPAIGN }],
  ["a move out of its group", { activity_group_id: null }, { groupId: "g", campaign: CAMPAIGN }],
  [
    "an undo of a move",
    { activity_group_id: "h", utm_campaign: "x", reverted: "o" },
    { groupId: "g", campaign: CAMPAIGN },
  ],
  ["two fields", { status: "archived", tag_ids: [] }, { status: "active", tagIds: ["t", "u"] }],
  ["another field", { title: "New" }, undefined],
  ["a known and another field", { status: "archived", title: "New" }, undefined],
  ["nothing", {}, undefined],
])("the state before %s is read from its entry", (_, change, expected) => {
  expect(formerOf({ before: JSON.stringify(BEFORE), change: JSON.stringify(change) })).toEqual(expected);
});

it("an entry without the former value has no former state", () => {
  for (const change of [{ tag_ids: ["t"] }, { status: "active" }, { activity_group_id: null }]) {
    expect(formerOf({ before: "{}", change: JSON.stringify(change) })).toBeUndefined();
    expect(formerOf({ before: null, change: JSON.stringify(change) })).toBeUndefined();
  }
});

it("an update back has the status and the group, also if there was none", () => {
  expect(inputOfFormer({ status: "archived", groupId: null })).toEqual({
    status: "archived",
    activity_group_id: null,
  });
  expect(inputOfFormer({ tagIds: ["t"] })).toEqual({});
});
