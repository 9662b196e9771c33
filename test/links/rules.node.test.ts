import { describe, expect, it } from "vitest";
import type { Context } from "../../src/context";
import { BLOCKED_HOST, DANGEROUS_HOST, linkLimitReached, unknownTag } from "../../src/errors";
import { hostProblem, limitProblem, unknownTags } from "../../src/links/rules";
import type { TagRow } from "../../src/tags/repository";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describe("a destination's host", () => {
  const ctx = { config: { ownHosts: ["s.example"] } } as unknown as Context;
  const OWN = {
    field: "destination_url",
    message: "The destination url field must not point to this service itself.",
  };

  it.each([
    ["is allowed", "https://a.example/", [], "ok", undefined],
    ["is allowed where nobody was asked", "https://a.example/", [], undefined, undefined],
    ["is not our own, blocked or not", "https://www.s.example/", [{}], "blocked", OWN],
    ["is not blocked by the operator, dangerous or not", "https://a.example/", [{}], "blocked", BLOCKED_HOST],
    ["is not dangerous", "https://a.example/", [], "blocked", DANGEROUS_HOST],
  ] as const)("%s", (_, destination, blocked, verdict, problem) => {
    expect(hostProblem(ctx, destination, blocked, verdict)).toEqual(problem);
  });
});

describe("tag ids", () => {
  const rows = [{ public_id: ID }, { public_id: "01BX5ZZKBKACTAV9WEVGEMMVRZ" }] as unknown as TagRow[];

  it("match in either case, and each unknown one is refused at its index", () => {
    expect(unknownTags([ID.toLowerCase(), "01BX5ZZKBKACTAV9WEVGEMMVRZ"], rows)).toEqual([]);
    expect(unknownTags(["nothing", ID, "01BX5ZZKBKACTAV9WEVGEMMVRY"], rows)).toEqual([
      unknownTag(0),
      unknownTag(2),
    ]);
  });
});

describe("the limit of links", () => {
  it.each([
    ["is not reached by the last but one", 10, 6, 3, false],
    ["is reached by active and archived links together", 10, 6, 4, true],
    ["is reached where it was lowered", 10, 20, 0, true],
    ["of none is reached at once", 0, 0, 0, true],
    ["may not be set", null, 1_000, 0, false],
  ])("%s", (_, link_limit, active_links, archived_links, reached) => {
    const use = { link_limit, active_links, archived_links, tag_count: 0, slug_claims: 0 };
    expect(limitProblem(use)).toEqual(reached ? linkLimitReached(link_limit ?? 0) : undefined);
  });

  it("is not judged if it was not read", () => {
    expect(limitProblem(undefined)).toBeUndefined();
  });
});
