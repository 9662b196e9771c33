import { afterEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../src/errors";
import type { GroupStatus } from "../../src/lib/group-status";
import { check, trimmed } from "../../src/lib/validation";
import {
  type ActivityGroup,
  changedActivityGroup,
  newActivityGroup,
} from "../../src/resources/activity-groups/group-schema";
import {
  listAllActivityGroups,
  updateActivityGroup,
} from "../../src/resources/activity-groups/manage-groups";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { SLUG_TAKEN } from "./refusals";

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

const OPEN = ["draft", "scheduled", "active", "completed"] as const;

describe("an Activity Group's status", () => {
  it("an archived group can only be restored to what it was", async () => {
    const before = "scheduled";
    vi.useFakeTimers({ toFake: ["Date"] });
    const ws = await makeWorkspace();
    const group = await ws.group({ status: before });
    vi.setSystemTime("2026-07-01T12:00:00.250Z");
    await updateActivityGroup(ws.ctx, group.id.toLowerCase(), { status: "archived" });
    const archived = { ...group, status: "archived", archived_at: "2026-07-01T12:00:00.250Z" };
    expect(await lookUp(ws)).toEqual([archived]);

    vi.setSystemTime("2026-07-02T12:00:00Z");
    await updateActivityGroup(ws.ctx, group.id, { status: "archived" });
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

describe("editing an Activity Group", () => {
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
    const group = await ws.group({ status: "draft", description: "Before" });
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
    expect(await lookUp(ws, "?q=before")).toEqual([]);
    expect(await lookUp(ws, "?q=described")).toHaveLength(1);
    expect(await lookUp(ws, "?q=renamed")).toHaveLength(1);
  });

  it("refuses a slug that the workspace uses, and accepts one of another workspace", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    await other.group({ slug: "theirs" });
    await ws.group({ slug: "ours" });
    const group = await ws.group({ slug: "theirs" });
    expect(await refusalOf(ws.group({ slug: "ours" }))).toEqual(SLUG_TAKEN);
    expect(await refusalOf(updateActivityGroup(ws.ctx, group.id, { slug: "ours" }))).toEqual(SLUG_TAKEN);
    expect(await refusalOf(updateActivityGroup(ws.ctx, group.id, { slug: "theirs" }))).toBe("accepted");
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
    ["slug", "s".repeat(121)],
    ["slug", ""],
    ["slug", "Summer"],
    ["type", "unknown"],
    ["status", "deleted"],
    ["description", "d".repeat(1001)],
    ["default_utm_campaign", "c".repeat(256)],
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
