import { describe, expect, it } from "vitest";
import { FORM_FIELD_NAMES } from "../../../../src/lib/link-fields";
import type { LinkRow } from "../../../../src/resources/links/link-repository";
import type { UpdateLink } from "../../../../src/resources/links/link-schema";
import { newState, nextState, type Resolved } from "../../../../src/resources/links/write/next-state";
import { GROUP, row, tag } from "./links";

const AT = 1_000;

/** The fields of a link that an update changes, without its version. */
function changed(was: LinkRow, input: UpdateLink, found: Resolved = {}) {
  const will = nextState(was, input, found, AT);
  if (will === undefined) return undefined;
  expect(will.version).toBe(was.version + 1);
  const before: Record<string, unknown> = { ...was };
  return Object.fromEntries(
    Object.entries(will).filter(([name, value]) => name !== "version" && before[name] !== value),
  );
}

const IN_GROUP = row({ group: GROUP, utm_campaign: "summer_2026" });
const OTHER = { ...GROUP, id: 6, public_id: "G6", default_utm_campaign: null };
const OWN = { utm_campaign: "own", utm_campaign_origin: "explicit" } as const;
const CAMPAIGN = { utm_campaign: "summer_2026" };
const INHERITED = { ...CAMPAIGN, utm_campaign_origin: "inherited" };
const EXPLICIT = row({ group: GROUP, ...OWN });
const OUTDATED = row({ group: GROUP, utm_campaign: "old" });
const ARCHIVED = row({ archived_at: 5 });
const SUMMER = { activity_group_id: "summer" };
const ELSEWHERE = { destination_url: "https://b.example/" };
const JOINED = { group: GROUP };
const MOVED = { group: OTHER };
const LEFT = { group: row().group, utm_campaign: null };
const PREVIOUS = { kind: "set", value: null, origin: "inherited" } as const;
const RESTORED = { utm_campaign: null, utm_campaign_origin: "inherited" };

describe("the next state of a link", () => {
  it.each<[name: string, was: LinkRow, input: UpdateLink, found: Resolved]>([
    ["without changes", row(), {}, {}],
    ["archived again", ARCHIVED, { status: "archived" }, {}],
    ["with its tags in another order", row(), {}, { tags: [tag(2), tag(1)] }],
    ["with its own campaign if its group is given again", EXPLICIT, SUMMER, JOINED],
  ])("is the same %s", (_, was, input, found) => {
    expect(changed(was, input, found)).toBeUndefined();
  });

  it.each(FORM_FIELD_NAMES)("sets and clears its %s without a new updated_at", (name) => {
    expect(changed(row({ [name]: null }), { [name]: "b" })).toEqual({ [name]: "b" });
    expect(changed(row({ [name]: "b" }), { [name]: null })).toEqual({ [name]: null });
    expect(changed(row({ [name]: "b" }), { title: "c" })).toEqual({ title: "c", updated_at: AT });
  });

  it("gets other tags without a new updated_at", () => {
    expect(changed(row(), {}, { tags: [tag(2)] })).toEqual({ tags: [tag(2)] });
  });

  it.each<[name: string, was: LinkRow, input: UpdateLink, found: Resolved, expected: object]>([
    ["has another slug", row(), { slug: "flyer" }, {}, { slug: "flyer" }],
    ["has another destination", row(), ELSEWHERE, {}, ELSEWHERE],
    ["is archived", row(), { status: "archived" }, {}, { archived_at: AT }],
    ["is unarchived", ARCHIVED, { status: "active" }, {}, { archived_at: null }],
    ["stays archived if the status is not given", ARCHIVED, { title: "b" }, {}, { title: "b" }],
    ["joins a group and takes its campaign", row(), SUMMER, JOINED, { ...JOINED, ...CAMPAIGN }],
    ["joins a group and keeps its own campaign", row(OWN), SUMMER, JOINED, JOINED],
    ["moves to a group without a campaign", IN_GROUP, SUMMER, MOVED, { ...MOVED, utm_campaign: null }],
    ["leaves its group and its campaign", IN_GROUP, { activity_group_id: null }, {}, LEFT],
    ["gets its inherited campaign as its own", IN_GROUP, CAMPAIGN, {}, { utm_campaign_origin: "explicit" }],
    ["replaces its own campaign with the group's", EXPLICIT, { utm_campaign: null }, {}, INHERITED],
    ["updates an inherited campaign that its group has changed", OUTDATED, SUMMER, JOINED, CAMPAIGN],
    ["keeps an inherited campaign that its group has changed", OUTDATED, { title: "b" }, {}, { title: "b" }],
    ["restores a previous campaign and its origin", EXPLICIT, {}, { campaign: PREVIOUS }, RESTORED],
  ])("%s", (_, was, input, found, expected) => {
    expect(changed(was, input, found)).toEqual({ ...expected, updated_at: AT });
  });
});

describe("the check of its destination", () => {
  const HERE = { destination_url: "https://www.example.com/b" };
  const DOWN = { taken_down_at: 300, taken_down_by: "check", hostCheck: "blocked", check_at: null } as const;
  const BY_OPERATOR = { ...DOWN, taken_down_by: "operator" } as const;
  const LIFTED = ["unknown", 2_000, null];
  const known = (was: LinkRow, input: UpdateLink, hostCheck: Resolved["hostCheck"]) => {
    const will = nextState(was, input, { hostCheck, checkAt: 2_000 }, AT);
    return [will?.hostCheck, will?.check_at, will?.taken_down_by];
  };

  it.each<
    [name: string, was: LinkRow, input: UpdateLink, hostCheck: Resolved["hostCheck"], expected: unknown[]]
  >([
    ["is the new result on another host", row(), ELSEWHERE, "unknown", ["unknown", 2_000, null]],
    ["stays on the same host if the new result is unknown", row(), HERE, "unknown", ["ok", 2_000, null]],
    ["stays if there was no lookup", row(), HERE, undefined, ["ok", 900, null]],
    ["ends the takedown by a check on another host", row(DOWN), ELSEWHERE, "unknown", LIFTED],
    ["ends the takedown by a check if the host is good", row(DOWN), HERE, "ok", ["ok", 2_000, null]],
    [
      "keeps the takedown by a check without a result",
      row(DOWN),
      HERE,
      "unknown",
      ["blocked", null, "check"],
    ],
    ["keeps the operator's takedown", row(BY_OPERATOR), ELSEWHERE, "ok", ["ok", null, "operator"]],
  ])("%s", (_, was, input, hostCheck, expected) => {
    expect(known(was, input, hostCheck)).toEqual(expected);
  });
});

describe("a new link", () => {
  const created = (fields: object, found: Resolved = {}) =>
    newState({ destination_url: "https://a.example/", ...fields }, { domain: "", slug: "s" }, found, {
      id: "L",
      at: AT,
      by: "operator",
    });

  it.each<[name: string, fields: object, found: Resolved, campaign: unknown[]]>([
    ["takes its group's campaign", {}, { group: GROUP }, ["summer_2026", "inherited"]],
    ["takes it also for a null", { utm_campaign: null }, { group: GROUP }, ["summer_2026", "inherited"]],
    ["has its own campaign", { utm_campaign: "own" }, { group: GROUP }, ["own", "explicit"]],
    [
      "takes an inherited campaign from an import",
      { utm_campaign: "old" },
      { group: GROUP, campaign: { kind: "set", value: "old", origin: "inherited" } },
      ["old", "inherited"],
    ],
  ])("%s", (_, fields, found, campaign) => {
    const will = created(fields, found);
    expect([will.utm_campaign, will.utm_campaign_origin]).toEqual(campaign);
  });
});
