import { beforeAll, describe, expect, it } from "vitest";
import { GROUP_STATUSES, GROUP_TYPES } from "../../src/lib/group-status";
import type { ActivityGroup } from "../../src/resources/activity-groups/group-schema";
import { API, makeWorkspace, type TestWorkspace } from "../harness";
import { refusal } from "./refusals";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const GROUPS = "/api/v1/activity-groups";
const NOWHERE = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

const lookUp = (ws: TestWorkspace, query = "") => ws.call("GET", `${GROUPS}${query}`);

const found = async (ws: TestWorkspace, query: Record<string, string>): Promise<ActivityGroup[]> =>
  (await lookUp(ws, `?${new URLSearchParams(query)}`)).body.activity_groups;

const meta = (total: number, page = 1, perPage = 15) => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
});

/** Of tests that only read. */
let ws: TestWorkspace;
beforeAll(async () => {
  ws = await makeWorkspace();
});

describe("the lookup of Activity Groups", () => {
  it("returns the workspace, its groups in full, and the paging", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({
      name: "Summer 2026",
      slug: "summer-2026",
      type: "always_on",
      status: "active",
      description: "The summer",
      default_utm_campaign: "summer_2026",
      starts_at: Date.parse("2026-06-01T10:00:00+02:00"),
      ends_at: Date.parse("2026-09-01"),
    });
    const answer = await lookUp(ws);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      workspace: { name: ws.ctx.workspace.name, slug: ws.slug },
      activity_groups: [
        {
          id: expect.stringMatching(ULID),
          name: "Summer 2026",
          slug: "summer-2026",
          type: "always_on",
          description: "The summer",
          status: "active",
          default_utm_campaign: "summer_2026",
          starts_at: "2026-06-01T08:00:00.000Z",
          ends_at: "2026-09-01T00:00:00.000Z",
          archived_at: null,
        },
      ],
      meta: { current_page: 1, last_page: 1, per_page: 15, total: 1 },
    });
    expect(answer.body.activity_groups).toEqual([group]);
    expect(Object.keys(answer.body)).toEqual(["workspace", "activity_groups", "meta"]);
  });

  it("shows defaults for omitted fields: draft, an empty description and nulls", async () => {
    const ws = await makeWorkspace();
    await ws.group({ name: "Plain", slug: "plain", type: "other" });
    expect(await found(ws, {})).toEqual([
      {
        id: expect.stringMatching(ULID),
        name: "Plain",
        slug: "plain",
        type: "other",
        description: "",
        status: "draft",
        default_utm_campaign: null,
        starts_at: null,
        ends_at: null,
        archived_at: null,
      },
    ]);
  });

  it("by id, in either case, or by slug finds that group, alone or together", async () => {
    const ws = await makeWorkspace();
    const [a, b] = [await ws.group({ name: "A" }), await ws.group({ name: "B" })];
    expect(await found(ws, { id: a.id })).toEqual([a]);
    expect(await found(ws, { id: ` ${a.id.toLowerCase()} ` })).toEqual([a]);
    expect(await found(ws, { slug: b.slug })).toEqual([b]);
    expect(await found(ws, { slug: b.slug.toUpperCase() })).toEqual([b]);
    expect(await found(ws, { id: a.id, slug: a.slug, q: "a", type: a.type, status: a.status })).toEqual([a]);
    expect(await found(ws, { id: a.id, slug: b.slug })).toEqual([]);
    expect(await found(ws, { id: "", slug: " ", q: "", type: "", status: "", page: "" })).toEqual([a, b]);
  });

  it("that matches nothing, or another workspace's group, is 200 and an empty page", async () => {
    const ws = await makeWorkspace();
    await ws.group();
    const foreign = await (await makeWorkspace()).group({ name: "Secret" });
    for (const query of [
      `id=${foreign.id}`,
      `slug=${foreign.slug}`,
      "q=secret",
      `id=${NOWHERE}`,
      "id=1",
      `id=${foreign.slug}`,
      "slug=nope",
      "slug=Not%20A%20Slug",
    ]) {
      const answer = await lookUp(ws, `?${query}`);
      expect([answer.status, answer.body], query).toEqual([
        200,
        { workspace: { name: ws.ctx.workspace.name, slug: ws.slug }, activity_groups: [], meta: meta(0) },
      ]);
    }
  });

  it("searches name, slug and description in any case, script and with any sign", async () => {
    const ws = await makeWorkspace();
    const texts = ["spring", "SPRING", "ring-sa", "meadow", "100%", "_", "москва", "ΘΕΣ"];
    await ws.group({
      name: "Winter",
      description: "100 a b 200",
      default_utm_campaign: `${texts.join(" ")} spring meadow`,
    });
    const group = await ws.group({
      name: "Spring in МОСКВА 日本語",
      slug: "spring-sale",
      description: "A meadow of müller, 100% a\\b_c 🌱 ΘΕΣΣΑΛΟΝΙΚΗ",
    });
    for (const q of texts) expect(await found(ws, { q }), q).toEqual([group]);
    // Neither the default campaign nor two fields together.
    for (const q of ["spring meadow", "日本語spring", "日本語 spring", "sale a", "a%"])
      expect(await found(ws, { q }), q).toEqual([]);
  });

  it("filters by type and by status", async () => {
    const ws = await makeWorkspace();
    for (const [at, type] of GROUP_TYPES.entries()) {
      await ws.group({ name: type, type, status: GROUP_STATUSES[at % GROUP_STATUSES.length] ?? "draft" });
    }
    const all = await found(ws, {});
    for (const type of GROUP_TYPES) {
      expect(await found(ws, { type })).toEqual(all.filter((group) => group.type === type));
    }
    for (const status of GROUP_STATUSES) {
      const wanted = all.filter((group) => group.status === status);
      expect(wanted.length).toBeGreaterThan(0);
      expect(await found(ws, { status })).toEqual(wanted);
    }
    expect(await found(ws, { type: "campaign", status: "archived" })).toEqual([]);
  });

  it.each<[string, string, string]>([
    ["page=0", "page", "The page field must be at least 1."],
    ["page=x", "page", "The page field must be an integer."],
    ["per_page=101", "per_page", "The per page field must be between 1 and 100."],
    ["type=unknown", "type", "The selected type is invalid."],
    ["status=deleted", "status", "The selected status is invalid."],
    [`q=${"q".repeat(256)}`, "q", "The q field must not be greater than 255 characters."],
  ])("refuses %s", async (query, field, message) => {
    const answer = await lookUp(ws, `?${query}`);
    expect([answer.status, answer.body]).toEqual([422, refusal(field, message)]);
  });

  it("reports all invalid parameters at once, in the documented order", async () => {
    const { body } = await lookUp(ws, "?per_page=0&page=0&status=x&type=x&q=%01&unknown=%00");
    expect(Object.keys(body.errors)).toEqual(["q", "type", "status", "page", "per_page"]);
    expect(body.message).toBe(`${body.errors.q[0]} (and 4 more errors)`);
  });

  it("accepts values at their bounds, 255 characters of any script, and unknown parameters", async () => {
    const ws = await makeWorkspace();
    for (const query of [
      "page=1&per_page=1",
      "per_page=100",
      `q=${encodeURIComponent("あ".repeat(255))}`,
      `q=${encodeURIComponent("🌱".repeat(255))}`,
      "unknown=%00&color=red",
    ]) {
      expect((await lookUp(ws, `?${query}`)).status, query).toBe(200);
    }
  });
});

describe("pages of Activity Groups", () => {
  it("are sorted by name without regard to case, then by id", async () => {
    const ws = await makeWorkspace();
    for (const name of ["delta", "Bravo", "alpha", "ALPHA", "Charlie", "Alpha", "été"])
      await ws.group({ name });
    const groups = await found(ws, {});
    const alphas = groups.slice(0, 3);
    expect(alphas.map(({ name }) => name.toLowerCase())).toEqual(["alpha", "alpha", "alpha"]);
    expect(alphas.map(({ id }) => id)).toEqual(alphas.map(({ id }) => id).sort());
    expect(groups.slice(3).map(({ name }) => name)).toEqual(["Bravo", "Charlie", "delta", "été"]);
  });

  it("have 15 groups, count all matches, and are empty past the last page", async () => {
    const ws = await makeWorkspace();
    for (let at = 10; at < 27; at++) await ws.group({ name: `Group ${at}` });
    const all = await found(ws, { per_page: "100" });
    expect((await lookUp(ws)).body).toMatchObject({ activity_groups: all.slice(0, 15), meta: meta(17) });
    expect((await lookUp(ws, "?page=2")).body).toMatchObject({
      activity_groups: all.slice(15),
      meta: meta(17, 2),
    });
    expect((await lookUp(ws, "?page=3&per_page=7")).body).toMatchObject({
      activity_groups: all.slice(14),
      meta: { current_page: 3, last_page: 3, per_page: 7, total: 17 },
    });
    const past = await lookUp(ws, "?page=1000000");
    expect(past.body).toMatchObject({ activity_groups: [], meta: meta(17, 1_000_000) });
    expect((await lookUp(ws, "?q=group%201&per_page=1")).body.meta).toEqual(meta(10, 1, 1));
  });

  it("have absolute Link headers that keep the filters", async () => {
    const ws = await makeWorkspace();
    for (const name of ["A", "a", "Á", "b", "B"]) await ws.group({ name, type: "event" });
    await ws.group({ name: "other", type: "project" });
    const first = await lookUp(ws, "?type=event&per_page=2");
    const pathOfNext = `${GROUPS}?type=event&per_page=2&page=2`;
    expect(first.headers.get("link")).toContain(`<${API}${pathOfNext}`);
    const second = await ws.call("GET", pathOfNext);
    const third = await ws.call("GET", pathOfNext.replace(/2$/, "3"));
    expect(third.headers.get("link")).not.toContain('rel="next"');
    const seen = [first, second, third].flatMap(({ body }) => body.activity_groups);
    expect(seen).toEqual(await found(ws, { type: "event" }));
  });
});
