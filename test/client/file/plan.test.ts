import { describe, expect, it } from "vitest";
import type { Link } from "../../../src/client/api/wire-types";
import type { State } from "../../../src/client/file/file-state";
import { planFile } from "../../../src/client/file/make-plan";
import { assigned, id, link, SUMMER, state, tag, WINTER } from "./links";
import { DESTINATION, type Fields, fileOf, writesOf } from "./setup";

const planOf = (fields: Fields, was: Partial<Link> = {}, rest?: Partial<State>) =>
  planFile(fileOf({ a: fields }), state([link(was)], rest));

describe("an update", () => {
  const ARCHIVED: Partial<Link> = { status: "archived", archived_at: "2026-01-01T00:00:00.000Z" };
  const EXPLICIT: Partial<Link> = { utm_campaign: "sale", utm_campaign_origin: "explicit" };
  const INHERITED: Partial<Link> = { utm_campaign: "sale", utm_campaign_origin: "inherited" };

  it.each<[name: string, fields: Fields, was: Partial<Link>, input: object, changes: unknown[][]]>([
    ["of a title", { title: "New" }, { title: "Old" }, { title: "New" }, [["title", "Old", "New"]]],
    [
      "of the destination",
      { destination: "https://www.example.com/new" },
      {},
      { destination_url: "https://www.example.com/new" },
      [["destination", DESTINATION, "https://www.example.com/new"]],
    ],
    ["of the slug", { slug: "b" }, {}, { slug: "b" }, [["slug", "a", "b"]]],
    [
      "of what is open, and what follows",
      { starts_at: "2026-06-01T08:00:00+02:00", ends_at: null, ended_url: DESTINATION },
      { ends_at: "2026-07-01T00:00:00.000Z" },
      { starts_at: "2026-06-01T06:00:00.000Z", ends_at: null, ended_url: DESTINATION },
      [
        ["starts_at", null, "2026-06-01T06:00:00.000Z"],
        ["ends_at", "2026-07-01T00:00:00.000Z", null],
        ["ended_url", null, DESTINATION],
      ],
    ],
    [
      "of UTM parameters",
      { utm: { source: "x", medium: null } },
      { utm_medium: "web" },
      { utm_source: "x", utm_medium: null },
      [
        ["utm.source", null, "x"],
        ["utm.medium", "web", null],
      ],
    ],
    [
      "into a group by slug",
      { group: "summer" },
      {},
      { activity_group_id: SUMMER.id },
      [["group", null, "summer"]],
    ],
    [
      "into a group by ID, in lower case",
      { group: SUMMER.id.toLowerCase() },
      assigned(WINTER),
      { activity_group_id: SUMMER.id },
      [["group", "winter", "summer"]],
    ],
    [
      "of tags, which are the full set",
      { tags: ["web", "PRINT"] },
      { tags: [tag("Old"), tag("Print")] },
      { tag_names: ["Print", "Web"] },
      [["tags", ["Old", "Print"], ["Print", "Web"]]],
    ],
    ["that restores", {}, ARCHIVED, { status: "active" }, [["status", "archived", "active"]]],
    [
      "to the campaign that it inherits, so that a change of group keeps it",
      { utm: { campaign: "sale" } },
      INHERITED,
      { utm_campaign: "sale" },
      [["utm.campaign", "inherit (sale)", "sale"]],
    ],
    [
      "to the group's campaign",
      { utm: { campaign: "inherit" } },
      EXPLICIT,
      { utm_campaign: null },
      [["utm.campaign", "sale", "inherit"]],
    ],
  ])("%s", (_, fields, was, input, changes) => {
    const [action, ...others] = planOf(fields, was).actions;
    expect(others).toEqual([]);
    expect(action).toEqual({
      op: "update",
      key: "a",
      slug: "a",
      link: link(was),
      input,
      changes: changes.map(([field, before, after]) => ({ field, before, after })),
    });
  });

  it.each<[name: string, fields: Fields, was: Partial<Link>]>([
    [
      "absent fields",
      {},
      { title: "x", channel: "y", tags: [tag("Print")], ...EXPLICIT, ...assigned(SUMMER) },
    ],
    ["the same group by ID", { group: SUMMER.id }, assigned(SUMMER)],
    ["an inherited campaign", { utm: { campaign: "inherit" } }, INHERITED],
  ])("is not needed for %s", (_, fields, was) => {
    const plan = planOf(fields, was);
    expect(writesOf(plan)).toEqual([]);
    expect([...plan.unchanged.keys()]).toEqual(["a"]);
  });
});

describe("a creation", () => {
  it("sends what is set, and shows it", () => {
    const file = fileOf({
      a: {
        slug: "x",
        title: "T",
        channel: null,
        group: "summer",
        tags: ["print"],
        utm: { campaign: "inherit" },
      },
    });
    expect(planFile(file, state([])).actions).toEqual([
      {
        op: "create",
        key: "a",
        slug: "x",
        input: {
          external_id: "site:a",
          destination_url: DESTINATION,
          slug: "x",
          title: "T",
          activity_group_id: SUMMER.id,
          tag_names: ["Print"],
        },
        changes: [
          { field: "slug", before: null, after: "x" },
          { field: "destination", before: null, after: DESTINATION },
          { field: "title", before: null, after: "T" },
          { field: "group", before: null, after: "summer" },
          { field: "utm.campaign", before: null, after: "inherit" },
          { field: "tags", before: null, after: ["Print"] },
        ],
      },
    ]);
  });

  it("makes the tags that are missing, each once", () => {
    const file = fileOf({ a: { tags: ["New", "web"] }, b: { tags: ["NEW", "Other"] } });
    const plan = planFile(file, state([]));
    expect(writesOf(plan)).toEqual(["create_tag New", "create_tag Other", "create a", "create b"]);
    expect(plan.actions.map((action) => "input" in action && action.input.tag_names)).toEqual([
      ["New", "Web"],
      ["New", "Other"],
    ]);
  });
});

describe("a removal", () => {
  const gone = link({ id: id(2), external_id: "site:gone", slug: "gone" });
  const archived = link({ id: id(3), external_id: "site:before", slug: "before", status: "archived" });
  it.each([
    ["archive", ["archive gone"], 0],
    ["delete", ["delete before", "delete gone"], 0],
    ["keep", [], 2],
  ])("under %s", (on_removed, writes, kept) => {
    const plan = planFile(fileOf({ a: {} }, { on_removed }), state([link(), archived, gone]));
    expect(writesOf(plan)).toEqual(writes);
    expect(plan.kept).toBe(kept);
    expect([...plan.unchanged.keys()]).toEqual(["a"]);
  });

  it("never touches a link of another file", () => {
    const others = ["site2:a", "sit:a", "crm", null].map((external_id, number) =>
      link({ id: id(number), external_id }),
    );
    expect(writesOf(planFile(fileOf({}, { on_removed: "delete" }), state(others)))).toEqual([]);
  });
});
