import { describe, expect, it } from "vitest";
import { limitReached } from "../../../src/field-errors";
import { codeOf, messageOf } from "../../../src/lib/failure";
import { slugKey } from "../../../src/lib/slug-text";
import { SLUG_TAKEN_DOWN } from "../../../src/redirect/slugs/slug-rules";
import { toRefusedHosts } from "../../../src/resources/destinations/hosts";
import { renameProblems, rowRules } from "../../../src/resources/links/link-rules";
import type { CreateLink } from "../../../src/resources/links/link-schema";
import { toProgram } from "../../failures";
import { row } from "./write/links";

const usage = (claims: number) => ({
  ...{ link_limit: 100, active_links: 0, archived_links: 0, tag_count: 0 },
  slug_claims: claims,
  time_zone: "UTC",
});
const REACHED = limitReached("slug", 1_000, "slugs");

describe("new links that are judged in their order", () => {
  const problemsIn = (use = usage(0)) =>
    rowRules(
      { config: { ownHosts: ["s.example"] } },
      {
        claims: [
          { key: slugKey("", "others"), own: 0, taken_down: 0, code: 0, link: null },
          { key: slugKey("", "freed"), own: 1, taken_down: 0, code: 0, link: null },
        ],
        refusedHosts: toRefusedHosts([]),
        externalIdOwners: [{ id: "L9", external_id: "held" }],
        use,
      },
      (field, row) => ({ field, reason: "taken_in_row", row }),
    );
  const rowOf = (
    number: number,
    { slug, old = [], ...link }: { slug?: string; old?: string[] } & Partial<CreateLink> = {},
  ) => ({
    number,
    link: { destination_url: "https://www.example.com/", ...link },
    addressed: {
      addresses: {
        domain: "",
        key: slug === undefined ? undefined : slugKey("", slug),
        old: old.map((address) => ({ address, key: slugKey("", address) })),
      },
      problems: [],
    },
    group: undefined,
    tags: [],
  });

  it("name the earlier row that takes the same slug or external id", () => {
    const judge = problemsIn();
    expect(judge(rowOf(1, { slug: "a", old: ["b"], external_id: "x" }))).toEqual([]);
    expect(judge(rowOf(2, { slug: "a", old: ["b"], external_id: "x" })).map(toProgram)).toEqual([
      { field: "slug", message: "The slug is already in row 1 of this file.", code: "taken" },
      { field: "old_slugs", message: "The old slug b is already in row 1 of this file.", code: "taken" },
      { field: "external_id", message: "The external id is already in row 1 of this file.", code: "taken" },
    ]);
    expect(judge(rowOf(3, { slug: "c", external_id: "y" }))).toEqual([]);
  });

  it("name what others have, after what is wrong with the destination", () => {
    const wrong = { slug: "others", external_id: "held", destination_url: "https://s.example/" };
    expect(problemsIn()(rowOf(1, wrong)).map((failure) => [failure.field, codeOf(failure)])).toEqual([
      ["destination_url", "forbidden_host"],
      ["slug", "taken"],
      ["external_id", "taken"],
    ]);
    expect(problemsIn()(rowOf(1, { slug: "freed" }))).toEqual([]);
  });

  it("may have no other address on a refused host, and are judged without the use of a workspace", () => {
    const own = { ended_url: "https://s.example/", preview_image_url: "https://s.example/" };
    const rules = { claims: [], refusedHosts: toRefusedHosts([]), externalIdOwners: [], use: undefined };
    const judge = rowRules({ config: { ownHosts: ["s.example"] } }, rules);
    expect(judge(rowOf(1, own)).map(({ field }) => field)).toEqual(["ended_url", "preview_image_url"]);
    expect(judge(rowOf(2, { slug: "a" }))).toEqual([]);
    expect(judge(rowOf(3, { slug: "a" })).map(messageOf)).toEqual(["The slug has already been taken."]);
  });

  it("count their new slugs, generated ones too, until the limit", () => {
    const judge = problemsIn(usage(997));
    expect(judge(rowOf(1, { slug: "a", old: ["b", "freed"] }))).toEqual([]);
    expect(judge(rowOf(2))).toEqual([]);
    expect(judge(rowOf(3))).toEqual([REACHED]);
    expect(judge(rowOf(4, { slug: "freed-too", old: [] }))).toEqual([REACHED]);
  });

  it("count as links until the limit", () => {
    const judge = problemsIn({ ...usage(0), link_limit: 2, active_links: 1 });
    expect(judge(rowOf(1))).toEqual([]);
    expect(judge(rowOf(2))).toEqual([limitReached("link", 2, "links")]);
  });
});

it("another slug is refused while the operator has the link taken down, and not while a check has", () => {
  const poster = { domain: "", slug: "poster" };
  const problemsOf = (by: "operator" | "check") =>
    renameProblems(row({ taken_down_at: 1, taken_down_by: by }), poster, {
      ...{ owner: undefined, slugs: 1 },
      use: usage(0),
    });
  expect(problemsOf("operator")).toEqual([SLUG_TAKEN_DOWN]);
  expect(problemsOf("check")).toEqual([undefined, undefined]);
});
