import { describe, expect, it } from "vitest";
import { SLUG_TAKEN } from "../../../src/field-errors";
import { SHORT_HOST, settingsKey, slugKey } from "../../../src/lib/slug-text";
import { conditionsOf, ruleKey, toRules } from "../../../src/lib/visitor-rules";
import { findTarget, toCacheEntry } from "../../../src/redirect/slugs/lookup";
import { SLUG_TAKEN_DOWN, slugProblem } from "../../../src/redirect/slugs/slug-rules";
import { fakeDatabase } from "../../fakes";
import { OPEN_LINK, targetRow } from "./rows";

const ROW = { ...targetRow("a"), utm_source: "s" };

it.each([
  ["that was never used", undefined, null, undefined],
  ["freed by this workspace", { own: 1, taken_down: 0, code: 0, link: null }, null, undefined],
  ["freed by this workspace, for a link", { own: 1, taken_down: 0, code: 0, link: null }, "L", undefined],
  ["of the link itself", { own: 1, taken_down: 0, code: 0, link: "L" }, "L", undefined],
  ["of another link", { own: 1, taken_down: 0, code: 0, link: "M" }, "L", { ...SLUG_TAKEN, conflict: "M" }],
  [
    "of a link, for a new one",
    { own: 1, taken_down: 0, code: 0, link: "M" },
    null,
    { ...SLUG_TAKEN, conflict: "M" },
  ],
  ["of another workspace", { own: 0, taken_down: 0, code: 0, link: null }, null, SLUG_TAKEN],
  ["of another workspace, for a link", { own: 0, taken_down: 0, code: 0, link: null }, "L", SLUG_TAKEN],
  ["that was taken down", { own: 1, taken_down: 1, code: 0, link: null }, null, SLUG_TAKEN_DOWN],
  ["of the link, taken down", { own: 1, taken_down: 1, code: 0, link: "L" }, "L", SLUG_TAKEN_DOWN],
  ["of another link, taken down", { own: 1, taken_down: 1, code: 0, link: "M" }, "L", SLUG_TAKEN_DOWN],
  ["that is a code", { own: 1, taken_down: 0, code: 1, link: null }, null, SLUG_TAKEN],
  ["that is a code, for its asset's link", { own: 1, taken_down: 0, code: 1, link: "L" }, "L", SLUG_TAKEN],
  ["that is a code, taken down", { own: 1, taken_down: 1, code: 1, link: null }, "L", SLUG_TAKEN],
  ["of another workspace, taken down", { own: 0, taken_down: 1, code: 0, link: null }, "L", SLUG_TAKEN],
])("a slug %s is free or taken", (_, owner, linkId, problem) => {
  expect(slugProblem(owner, linkId)).toEqual(problem);
});

describe("the KV entry of a slug", () => {
  it.each([
    ["its destination with its parameters", {}, "https://a.example/?utm_source=s"],
    ["null if it has no link", { destination_url: null, link: null }, null],
    ["null if its link was taken down", { taken_down: 1 }, null],
    [
      "null if it was taken down and its link is deleted",
      { destination_url: null, link: "", taken_down: 1 },
      null,
    ],
  ])("is %s", (_, fields, target) => {
    const row = { ...ROW, ...fields };
    expect(toCacheEntry(row, 1_000)).toEqual({ ...OPEN_LINK, target, link: row.link, read_at: 1_000 });
  });

  it.each([
    ["without a start or an end", { ended_url: "https://over.example/" }, undefined],
    ["with a start", { starts_at: 0 }, { startsAt: 0, endsAt: null, endedUrl: null }],
    ["with an end", { ends_at: 0 }, { startsAt: null, endsAt: 0, endedUrl: null }],
    [
      "with both and an address, which gets no parameters",
      { starts_at: 5, ends_at: 7, ended_url: "https://over.example/?utm_source=own#top" },
      { startsAt: 5, endsAt: 7, endedUrl: "https://over.example/?utm_source=own#top" },
    ],
    [
      "with an address that is not ASCII",
      { ends_at: 7, ended_url: "https://bücher.example/é" },
      { startsAt: null, endsAt: 7, endedUrl: "https://xn--bcher-kva.example/%C3%A9" },
    ],
    [
      "with a blocked address afterwards, in place of which none is shown",
      { ends_at: 7, ended_url: "" },
      { startsAt: null, endsAt: 7, endedUrl: "" },
    ],
    ["that ends with its group", { group: "G" }, { startsAt: null, endsAt: null, endedUrl: null }],
    ["that was taken down", { starts_at: 5, ends_at: 7, taken_down: 1 }, undefined],
    ["that was deleted", { destination_url: null, link: null, ends_at: 7 }, undefined],
  ])("has the active window of a link %s", (_, fields, activeWindow) => {
    expect(toCacheEntry({ ...ROW, ...fields }, 1_000).active_window).toEqual(activeWindow);
  });

  const CODE = { asset: "A", asset_name: "Poster Zürich" };
  it.each([
    ["with the name of the asset", CODE, "https://a.example/?utm_source=s&utm_content=poster-zurich"],
    [
      "with the code of an asset whose name has no letters",
      { ...CODE, asset_name: "!" },
      "https://a.example/?utm_source=s&utm_content=a",
    ],
    [
      "with content of its own",
      { ...CODE, destination_url: "https://a.example/?utm_content=own" },
      "https://a.example/?utm_content=own&utm_source=s",
    ],
  ])("has for the code of an asset a target %s", (_, fields, target) => {
    expect(toCacheEntry({ ...ROW, ...fields }, 1_000).target).toBe(target);
  });

  it("has the rules of the link with their targets, without refused ones", () => {
    const given = toRules([
      { destination_url: "https://ch.example/", countries: ["CH"] },
      { destination_url: "https://ios.example/", devices: ["ios"] },
    ]);
    const cached = given.map((rule) => ({
      key: ruleKey(rule),
      target: `${rule.destination_url}?utm_source=s`,
      ...conditionsOf(rule),
    }));
    const rules = JSON.stringify(given);
    const rulesIn = (fields: object) => toCacheEntry({ ...ROW, rules, ...fields }, 1_000).rules;
    expect(rulesIn({})).toEqual(cached);
    expect(rulesIn({ refused_rules: "[0]" })).toEqual([cached[1]]);
    expect(rulesIn({ refused_rules: "[0,1]" })).toBeUndefined();
    expect(rulesIn({ taken_down: 1 })).toBeUndefined();
    expect(rulesIn({ rules: null })).toBeUndefined();
  });

  it("has what chats show of the link, while it leads somewhere", () => {
    const previewOf = (fields: object) => toCacheEntry({ ...ROW, ...fields }, 1_000).preview;
    const shown = { preview_title: "T", preview_image_url: "https://é.example/" };
    expect(previewOf(shown)).toEqual({ title: "T", text: null, image: "https://xn--9ca.example/" });
    expect(previewOf({ preview_text: "X" })).toEqual({ title: null, text: "X", image: null });
    expect(previewOf({ ...shown, taken_down: 1 })).toBeUndefined();
    expect(previewOf({})).toBeUndefined();
  });

  it("of a domain has the page for unknown slugs, while the domain is served", () => {
    const settings = {
      ...{ key: slugKey("go.example.com", ""), destination_url: null, link: null },
      not_found_url: "https://a.example/é",
    };
    const notFoundIn = (fields: object) => toCacheEntry({ ...ROW, ...settings, ...fields }, 1_000).not_found;
    expect(notFoundIn({})).toBe("https://a.example/%C3%A9");
    for (const fields of [{ not_found_url: null }, { is_served: 0 }, { taken_down: 1 }])
      expect(notFoundIn(fields)).toBeUndefined();
  });

  it("names the group only while the link leads somewhere", () => {
    expect(toCacheEntry({ ...ROW, group: "G" }, 1_000).group).toBe("G");
    expect(toCacheEntry({ ...ROW, group: "G", taken_down: 1 }, 1_000).group).toBeUndefined();
  });

  it("of a group has its end and its address afterwards, of a workspace what its pages show", () => {
    const settings = {
      ...{ key: settingsKey("group", "G"), workspace_id: 1, rev: 0, doubt_until: null },
      ...{ ends_at: null, ended_url: null, brand_name: null, brand_colour: null, time_zone: null },
      ...{
        page_texts: null,
        button_label: null,
        button_url: null,
        networks: null,
        logo: null,
        logo_id: null,
      },
    };
    const entryOf = (fields: object) => {
      const { active_window: window, brand, ...rest } = toCacheEntry({ ...settings, ...fields }, 1_000);
      expect(rest).toMatchObject({ rev: 0, read_at: 1_000, workspace: 1, target: null, link: null });
      return [window, brand];
    };
    expect(entryOf({})).toEqual([undefined, undefined]);
    expect(entryOf({ ends_at: 7 })).toEqual([{ startsAt: null, endsAt: 7, endedUrl: null }, undefined]);
    const url = "https://over.example/é";
    expect(entryOf({ ended_url: url })).toEqual([
      { startsAt: null, endsAt: null, endedUrl: "https://over.example/%C3%A9" },
      undefined,
    ]);
    expect(entryOf({ brand_name: "N" })).toEqual([undefined, { name: "N", colour: null }]);
    expect(entryOf({ brand_colour: "#123456" })).toEqual([undefined, { name: null, colour: "#123456" }]);
  });

  it("leads nowhere on a domain that is not served", async () => {
    const row = { ...ROW, is_served: 0 };
    expect(toCacheEntry(row, 1_000)).toMatchObject({ target: null, link: null });
    const { db } = fakeDatabase([[row]]);
    expect(await findTarget(db, slugKey(SHORT_HOST, "a"), 1_000)).toBeUndefined();
  });
});
