import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../src/errors";
import { GROUP_STATUSES, type GroupStatus } from "../../src/lib/group-status";
import { check, trimmed } from "../../src/lib/validation";
import {
  archiveActivityGroup,
  listAllActivityGroups,
  updateActivityGroup,
} from "../../src/resources/activity-groups/manage";
import {
  type ActivityGroup,
  changedActivityGroup,
  newActivityGroup,
} from "../../src/resources/activity-groups/schema";
import { makeWorkspace, type TestWorkspace } from "../harness";

const lookUp = async (ws: TestWorkspace, query = ""): Promise<ActivityGroup[]> =>
  (await ws.call("GET", `/api/v1/activity-groups${query}`)).body.activity_groups;

const move = (ws: TestWorkspace, id: string, status: GroupStatus) =>
  updateActivityGroup(ws.ctx, id, { status });

/** The error body that an operation throws. */
const refusalOf = (verb: Promise<unknown>): Promise<unknown> =>
  verb.then(
    () => "accepted",
    (error: unknown) => (error instanceof ServiceError ? error.body : error),
  );

afterEach(() => vi.useRealTimers());

const ALLOWED: Record<GroupStatus, readonly GroupStatus[]> = {
  draft: ["draft", "scheduled", "active", "completed", "archived"],
  scheduled: ["scheduled", "active", "completed", "archived"],
  active: ["active", "completed", "archived"],
  completed: ["completed", "active", "archived"],
  archived: ["archived"],
};
const OPEN = ["draft", "scheduled", "active", "completed"] as const;
const moves = OPEN.flatMap((from) =>
  GROUP_STATUSES.map((to) => [from, to, ALLOWED[from].includes(to)] as const),
);

describe("an Activity Group's status", () => {
  it.each(moves)("from %s to %s: %s", async (from, to, allowed) => {
    const ws = await makeWorkspace();
    const { id } = await ws.group({ status: from });
    const answer = await refusalOf(move(ws, id, to));
    expect(answer === "accepted").toBe(allowed);
    if (!allowed) expect(answer).toMatchObject({ errors: { status: [expect.any(String)] } });
    expect((await lookUp(ws)).map(({ status }) => status)).toEqual([allowed ? to : from]);
  });

  it.each(OPEN)("an archived group that was %s can only be restored to that", async (before) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ws = await makeWorkspace();
    const group = await ws.group({ status: before });
    vi.setSystemTime("2026-07-01T12:00:00.250Z");
    await archiveActivityGroup(ws.ctx, group.id.toLowerCase());
    const archived = { ...group, status: "archived", archived_at: "2026-07-01T12:00:00.250Z" };
    expect(await lookUp(ws)).toEqual([archived]);

    vi.setSystemTime("2026-07-02T12:00:00Z");
    await archiveActivityGroup(ws.ctx, group.id);
    for (const other of OPEN.filter((status) => status !== before)) {
      expect(await refusalOf(move(ws, group.id, other))).toMatchObject({
        errors: { status: [expect.any(String)] },
      });
    }
    await updateActivityGroup(ws.ctx, group.id, { description: "Over" });
    expect(await lookUp(ws)).toEqual([{ ...archived, description: "Over" }]);

    await move(ws, group.id, before);
    expect(await lookUp(ws)).toEqual([{ ...group, description: "Over" }]);
  });

  it("archived a second time is restored to its status before the second time", async () => {
    const ws = await makeWorkspace();
    const { id } = await ws.group({ status: "draft" });
    for (const status of ["archived", "draft", "completed", "archived"] as const) await move(ws, id, status);
    expect(await refusalOf(move(ws, id, "draft"))).toHaveProperty("errors.status");
    expect((await move(ws, id, "completed")).archived_at).toBeNull();
  });

  it("never moves backward, not even by two concurrent changes", async () => {
    const ws = await makeWorkspace();
    const { id } = await ws.group({ status: "draft" });
    await Promise.allSettled([move(ws, id, "completed"), move(ws, id, "scheduled")]);
    expect((await lookUp(ws)).map(({ status }) => status)).toEqual(["completed"]);
  });
});

describe("an Activity Group", () => {
  it.each(GROUP_STATUSES)(
    "with status %s can be assigned to a new and an existing link, by id and by slug",
    async (status) => {
      const ws = await makeWorkspace();
      const group = await ws.group({ status, default_utm_campaign: "summer" });
      const { id, name, slug, type } = group;
      const assigned = { id, name, slug, type, status, assignment: { role: "primary", channel: "mail" } };
      const created = await ws.link({ activity_group_id: slug, channel: "mail" });
      expect(created).toMatchObject({ activity_group: assigned, utm_campaign: "summer" });
      const link = await ws.link({ channel: "mail" });
      const answer = await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { activity_group_id: id } });
      expect([answer.status, answer.body.link.activity_group]).toEqual([200, assigned]);
    },
  );

  it("is looked up by id before slug", async () => {
    const ws = await makeWorkspace();
    const named = await ws.group({ name: "Named" });
    const decoy = await ws.group({ name: "Decoy", slug: named.id.toLowerCase() });
    const groupOf = async (activity_group_id: string) =>
      (await ws.link({ activity_group_id })).activity_group?.name;
    expect(await groupOf(named.id)).toBe("Named");
    expect(await groupOf(named.id.toLowerCase())).toBe("Named");
    expect(await groupOf(decoy.id)).toBe("Decoy");
    expect(await lookUp(ws, `?slug=${decoy.slug}`)).toEqual([decoy]);
  });

  it("is refused if it is unknown or another workspace's, by id and by slug", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const foreign = await (await makeWorkspace()).group();
    const message = "Activity Group was not found in this workspace.";
    for (const activity_group_id of [foreign.id, foreign.slug, "01JZ8Q4V6T3K9M2N5P7R8S0W1X", "nope"]) {
      for (const answer of [
        await ws.call("POST", "/api/v1/links", {
          body: { destination_url: "https://example.com", activity_group_id },
        }),
        await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { activity_group_id } }),
      ]) {
        expect(answer.status).toBe(422);
        expect(answer.body).toEqual({ message, errors: { activity_group_id: [message] } });
      }
    }
    expect((await ws.call("GET", "/api/v1/links")).body.links).toEqual([link]);
  });
});

describe("editing an Activity Group", () => {
  it("shows in the lookup, in searches and on its links, whose campaign stays", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ name: "Old", slug: "old", default_utm_campaign: "old" });
    const link = await ws.link({ activity_group_id: "old" });
    const fields = {
      name: "New",
      slug: "new",
      type: "event",
      description: "Ünder",
      default_utm_campaign: null,
    } as const;
    const edited = await updateActivityGroup(ws.ctx, group.id, { ...fields, starts_at: 0, ends_at: 1 });
    expect(edited).toEqual({
      ...group,
      ...fields,
      starts_at: "1970-01-01T00:00:00.000Z",
      ends_at: "1970-01-01T00:00:00.001Z",
    });
    expect(await lookUp(ws, "?q=%C3%BCnder&slug=new&type=event")).toEqual([edited]);
    expect(await lookUp(ws, "?q=old")).toEqual([]);
    expect((await ws.call("GET", `/api/v1/links/${link.id}`)).body).toEqual({
      ...link,
      activity_group: { ...link.activity_group, name: "New", slug: "new", type: "event" },
    });
  });

  it("clears nullable fields, and sorts by the new name", async () => {
    const ws = await makeWorkspace();
    const [first, second] = [await ws.group({ name: "A", description: "x" }), await ws.group({ name: "B" })];
    const renamed = await updateActivityGroup(ws.ctx, first.id, { name: "c", description: null });
    expect(renamed).toEqual({ ...first, name: "c", description: "" });
    expect(await lookUp(ws)).toEqual([second, renamed]);
    expect(await listAllActivityGroups(ws.ctx)).toEqual([second, renamed]);
  });

  it("keeps every change when several fields are changed at once", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group({ status: "draft" });
    await Promise.all([
      updateActivityGroup(ws.ctx, group.id, { name: "Renamed" }),
      updateActivityGroup(ws.ctx, group.id, { description: "Described" }),
      updateActivityGroup(ws.ctx, group.id, { default_utm_campaign: "given" }),
      move(ws, group.id, "active"),
    ]);
    const changed = {
      name: "Renamed",
      description: "Described",
      default_utm_campaign: "given",
      status: "active",
    };
    expect(await lookUp(ws)).toEqual([{ ...group, ...changed }]);
    expect(await lookUp(ws, "?q=described")).toHaveLength(1);
    expect(await lookUp(ws, "?q=renamed")).toHaveLength(1);
  });

  it("refuses a slug that the workspace uses, and accepts one of another workspace", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const taken = {
      message: "The slug has already been taken.",
      errors: { slug: ["The slug has already been taken."] },
    };
    await other.group({ slug: "theirs" });
    await ws.group({ slug: "ours" });
    const group = await ws.group({ slug: "theirs" });
    expect(await refusalOf(ws.group({ slug: "ours" }))).toEqual(taken);
    expect(await refusalOf(updateActivityGroup(ws.ctx, group.id, { slug: "ours" }))).toEqual(taken);
    expect(await refusalOf(updateActivityGroup(ws.ctx, group.id, { slug: "theirs" }))).toBe("accepted");
  });

  it("of a group outside the workspace is refused", async () => {
    const ws = await makeWorkspace();
    const foreign = await (await makeWorkspace()).group();
    for (const id of ["01JZ8Q4V6T3K9M2N5P7R8S0W1X", "no-ulid", foreign.id]) {
      const answer = await refusalOf(updateActivityGroup(ws.ctx, id, { name: "x" }));
      expect(answer).toEqual({ message: "Activity Group not found." });
    }
  });

  it("writes an entry to the audit log", async () => {
    const ws = await makeWorkspace();
    const { id } = await ws.group({ name: "Old" });
    await updateActivityGroup(ws.ctx, id, { name: "New" });
    const { results } = await env.DB.prepare(
      "select action, before from audit_log where subject = ? order by id",
    )
      .bind(id)
      .all<{ action: string; before: string | null }>();
    expect(results.map(({ action }) => action)).toEqual(["group.create", "group.update"]);
    expect(JSON.parse(results[1]?.before ?? "{}")).toMatchObject({ name: "Old", status: "draft" });
  });
});

describe("the fields of an Activity Group", () => {
  const whole = { name: "n".repeat(100), slug: "s".repeat(120), type: "other" };
  const failing = (
    schema: typeof newActivityGroup | typeof changedActivityGroup,
    input: object,
  ): string[] => {
    const checked = check<unknown>(schema, trimmed(input));
    return checked.ok ? [] : checked.failures.map(({ field }) => field);
  };

  it.each<[string, object]>([
    ["only the required fields", whole],
    ["the longest description", { ...whole, description: "d".repeat(1000) }],
    ["the longest default campaign", { ...whole, default_utm_campaign: "c".repeat(255) }],
    ["lengths in code points", { ...whole, name: "🌱".repeat(100), description: "🌱".repeat(1000) }],
    ["a slug of hyphens and digits", { ...whole, slug: "-2026-" }],
    ["empty optional texts", { ...whole, description: " ", default_utm_campaign: "" }],
  ])("may be %s", (_, input) => {
    expect(failing(newActivityGroup, input)).toEqual([]);
    expect(failing(changedActivityGroup, input)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["name", "n".repeat(101)],
    ["name", " "],
    ["name", "a\u0000"],
    ["slug", "s".repeat(121)],
    ["slug", ""],
    ["slug", "Summer"],
    ["slug", "a_b"],
    ["slug", "é"],
    ["type", "unknown"],
    ["status", "deleted"],
    ["description", "d".repeat(1001)],
    ["description", "\ud800"],
    ["default_utm_campaign", "c".repeat(256)],
    ["default_utm_campaign", "a\nb"],
    ["starts_at", "yesterday"],
    ["ends_at", "2026-02-30"],
  ])("%s is refused, case %#", (field, value) => {
    expect(failing(newActivityGroup, { ...whole, [field]: value })).toEqual([field]);
    expect(failing(changedActivityGroup, { [field]: value })).toEqual([field]);
  });

  it("that are required are name, slug and type", () => {
    expect(failing(newActivityGroup, {})).toEqual(["name", "slug", "type"]);
    expect(failing(changedActivityGroup, {})).toEqual([]);
  });
});
