import { describe, expect, it } from "vitest";
import { alreadyTaken, type FieldError, limitReached, SLUG_TAKEN } from "../../../src/errors";
import { slugKey } from "../../../src/lib/slug-text";
import { SLUG_TAKEN_DOWN, TOO_MANY_SLUGS } from "../../../src/redirect/slugs/slug-rules";
import { toRefusedHosts } from "../../../src/resources/destinations/hosts";
import { ENDS_TOO_EARLY } from "../../../src/resources/links/link-errors";
import {
  claimProblem,
  endProblem,
  externalIdProblem,
  renameProblems,
  rowRules,
} from "../../../src/resources/links/link-rules";
import type { CreateLink } from "../../../src/resources/links/link-schema";
import { row } from "./write/links";

it.each([
  ["without either", null, null, false],
  ["with a start alone", 5, null, false],
  ["with an end alone", null, 5, false],
  ["at the epoch, without a start", null, 0, false],
  ["a millisecond after the start", 5, 6, false],
  ["at the start", 5, 5, true],
  ["before the start", 5, 4, true],
  ["at the epoch, before the start", 1, 0, true],
])("an end %s", (_, starts_at, ends_at, refused) => {
  expect(endProblem({ starts_at, ends_at, ended_url: null })).toEqual(refused ? ENDS_TOO_EARLY : undefined);
});

it.each<[string, { id: string } | undefined, string | undefined, FieldError | undefined]>([
  ["is free for a new link", undefined, undefined, undefined],
  ["is free for a link", undefined, "L7", undefined],
  ["is free for the link that has it", { id: "L7" }, "L7", undefined],
  ["is taken for a new link", { id: "L8" }, undefined, { ...alreadyTaken("external_id"), conflict: "L8" }],
  ["is taken for another link", { id: "L8" }, "L7", { ...alreadyTaken("external_id"), conflict: "L8" }],
])("an external id %s", (_, owner, link, problem) => {
  expect(externalIdProblem(owner, link)).toEqual(problem);
});

it.each([
  ["is not reached one link below it", 10, 6, 3, false],
  ["is reached by active and archived links together", 10, 6, 4, true],
  ["is reached if it was lowered below the number of links", 10, 20, 0, true],
  ["of 0 is reached at once", 0, 0, 0, true],
  ["is never reached if it is not set", null, 1_000, 0, false],
])("the limit of links: %s", (_, link_limit, active_links, archived_links, reached) => {
  const use = { link_limit, active_links, archived_links, tag_count: 0, slug_claims: 0 };
  const rules = { claims: [], refusedHosts: toRefusedHosts([]), externalIdOwners: [], use };
  const problemsOf = rowRules({ config: { ownHosts: [] } }, rules);
  const addressed = { addresses: { domain: "", key: undefined, old: [] }, problems: [] };
  const link = { destination_url: "https://www.example.com/" };
  expect(problemsOf({ number: 1, link, addressed, group: undefined, tags: [] })).toEqual(
    reached ? [limitReached("link", link_limit ?? 0, "links")] : [],
  );
});

const usage = (claims: number) => ({
  ...{ link_limit: 100, active_links: 0, archived_links: 0, tag_count: 0 },
  slug_claims: claims,
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
      (row) => `is that of row ${row}.`,
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
    expect(judge(rowOf(2, { slug: "a", old: ["b"], external_id: "x" }))).toEqual([
      { field: "slug", message: "The slug is that of row 1.", code: "taken" },
      { field: "old_slugs", message: "The old slug b is that of row 1.", code: "taken" },
      { field: "external_id", message: "The external id is that of row 1.", code: "taken" },
    ]);
    expect(judge(rowOf(3, { slug: "c", external_id: "y" }))).toEqual([]);
  });

  it("name what others have, after what is wrong with the destination", () => {
    const wrong = { slug: "others", external_id: "held", destination_url: "https://s.example/" };
    expect(problemsIn()(rowOf(1, wrong)).map(({ field, code }) => [field, code])).toEqual([
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
    expect(judge(rowOf(3, { slug: "a" })).map(({ message }) => message)).toEqual([
      "The slug has already been taken.",
    ]);
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

describe("the slugs that a workspace may claim", () => {
  it.each<[string, number, number, FieldError | undefined]>([
    ["are free below the limit", 998, 1, undefined],
    ["are free up to the limit", 999, 1, undefined],
    ["are refused above the limit", 1_000, 1, REACHED],
    ["are refused if several together exceed the limit", 999, 2, REACHED],
    ["are not checked if none is new, even above a lowered limit", 1_001, 0, undefined],
  ])("%s", (_, claims, more, problem) => {
    expect(claimProblem(usage(claims), more)).toEqual(problem);
  });

  it("are not checked before the usage is known", () => {
    expect(claimProblem(undefined, 1)).toBeUndefined();
  });
});

describe("another slug for a link", () => {
  const OWN = { own: 1, taken_down: 0, code: 0, link: "L7" };
  const FREED = { own: 1, taken_down: 0, code: 0, link: null };
  const FOREIGN = { own: 0, taken_down: 0, code: 0, link: null };
  const FREE = [undefined, undefined];
  const FULL = [TOO_MANY_SLUGS, undefined];
  const renameState = (owner?: typeof OWN | typeof FREED, slugs = 1, claimed = 0) => ({
    owner,
    slugs,
    use: usage(claimed),
  });

  it.each<[string, string | undefined, Parameters<typeof renameProblems>[2], (FieldError | undefined)[]]>([
    ["is not checked if none is given", undefined, renameState(FOREIGN, 100, 1_000), []],
    ["is not checked if it is the same", "Flyer", renameState(FOREIGN, 100, 1_000), []],
    ["is free if it was never used", "poster", renameState(), FREE],
    ["is free if the workspace has freed it", "poster", renameState(FREED, 99, 1_000), FREE],
    ["is taken if another workspace owns it", "poster", renameState(FOREIGN), [SLUG_TAKEN, undefined]],
    ["is one too many for a link with a hundred", "poster", renameState(undefined, 100), FULL],
    ["is one too many even if it was freed", "poster", renameState(FREED, 100), FULL],
    ["is the hundredth of a link", "poster", renameState(undefined, 99), FREE],
    ["is free if it is an old slug of a link with a hundred", "poster", renameState(OWN, 100), FREE],
    ["is above the workspace's limit", "poster", renameState(undefined, 1, 1_000), [undefined, REACHED]],
  ])("%s", (_, slug, found, problems) => {
    expect(renameProblems(row(), slug === undefined ? undefined : { domain: "", slug }, found)).toEqual(
      problems,
    );
  });

  it("is refused while the operator has the link taken down, and not while a check has", () => {
    const POSTER = { domain: "", slug: "poster" };
    const down = (by: "operator" | "check") => row({ taken_down_at: 1, taken_down_by: by });
    expect(renameProblems(down("operator"), POSTER, renameState())).toEqual([SLUG_TAKEN_DOWN]);
    expect(renameProblems(down("check"), POSTER, renameState())).toEqual(FREE);
  });
});
