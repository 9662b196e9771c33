import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../src/lib/time";
import { runSchedule } from "../../../src/operations/schedule";
import { followDates } from "../../../src/resources/activity-groups/follow-dates";
import type { NewActivityGroup } from "../../../src/resources/activity-groups/group-schema";
import { getGroupOverview } from "../../../src/resources/activity-groups/group-service";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { makeWorkspace, serviceContext, type TestWorkspace, testEnv } from "../../harness";
import { runSql, selectRows } from "../../sql";

const START = Date.UTC(2026, 4, 1);
const END = Date.UTC(2026, 4, 31) - 1;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(START - HOUR_MS);
});
afterEach(() => void vi.useRealTimers());

const run = () => followDates({ ...serviceContext(), actor: "schedule" });

const stateOf = async (workspace: TestWorkspace, id: string) => {
  const { status, follows_dates: follows } = await getGroupOverview(workspace.ctx, id);
  return { status, follows };
};

async function makeGroup(fields: Partial<NewActivityGroup> = {}) {
  const workspace = await makeWorkspace();
  const { id } = await workspace.group({
    status: "draft",
    starts_at: START,
    ends_at: END,
    follows_dates: true,
    ...fields,
  });
  return { workspace, id };
}

const trailOf = (ws: TestWorkspace) => selectRows`select actor, action, before, change, at
  from audit_log where workspace_id = ${ws} and subject <> '' and action = 'group.update' order by id`;

describe("a group that follows its dates", () => {
  it.each(["draft", "scheduled"] as const)("that is %s becomes active, then completed", async (status) => {
    const { workspace, id } = await makeGroup({ status });
    await run();
    expect(await stateOf(workspace, id)).toEqual({ status, follows: true });
    vi.setSystemTime(START);
    expect(await run()).toEqual({ changed: 1 });
    expect(await stateOf(workspace, id)).toEqual({ status: "active", follows: true });
    vi.setSystemTime(END);
    await run();
    expect(await stateOf(workspace, id)).toEqual({ status: "completed", follows: true });
    expect(await trailOf(workspace)).toEqual([
      {
        actor: "schedule",
        action: "group.update",
        before: JSON.stringify({ status }),
        change: '{"status":"active"}',
        at: START,
      },
      {
        actor: "schedule",
        action: "group.update",
        before: '{"status":"active"}',
        change: '{"status":"completed"}',
        at: END,
      },
    ]);
  });

  it("is completed at once if every run between its start and its end was missed", async () => {
    const { workspace, id } = await makeGroup();
    vi.setSystemTime(END + 30 * 24 * HOUR_MS);
    await run();
    expect((await stateOf(workspace, id)).status).toBe("completed");
    expect(await trailOf(workspace)).toHaveLength(1);
  });

  it("changes once, however many runs there are at once and after", async () => {
    const { workspace, id } = await makeGroup();
    vi.setSystemTime(START + 1);
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.reduce((sum, { changed }) => sum + changed, 0)).toBe(1);
    expect(await run()).toEqual({ changed: 0 });
    expect((await stateOf(workspace, id)).status).toBe("active");
    expect(await trailOf(workspace)).toHaveLength(1);
  });

  it("is changed by the cron that checks destinations, with or without checks", async () => {
    const { workspace, id } = await makeGroup();
    vi.setSystemTime(START);
    await runSchedule("*/2 * * * *", testEnv);
    expect((await stateOf(workspace, id)).status).toBe("active");
  });

  it("does not wait for all groups of another workspace that began before it", async () => {
    const { workspace: busy } = await makeGroup();
    await Promise.all(
      Array.from({ length: 260 }, () =>
        busy.group({ status: "draft", starts_at: START, follows_dates: true }),
      ),
    );
    const { workspace, id } = await makeGroup({ starts_at: START + 1 });
    vi.setSystemTime(START + HOUR_MS);
    await run();
    expect(await stateOf(workspace, id)).toEqual({ status: "active", follows: true });
  });

  it("is left alone without the option, without dates, and in the archive", async () => {
    const { workspace, id: plain } = await makeGroup({ follows_dates: false });
    const { id: dateless } = await workspace.group({ status: "draft", follows_dates: true });
    const { id: archived } = await workspace.group({
      status: "draft",
      starts_at: START,
      follows_dates: true,
    });
    await updateActivityGroup(workspace.ctx, archived, { status: "archived" });
    vi.setSystemTime(END);
    await run();
    expect((await stateOf(workspace, plain)).status).toBe("draft");
    expect((await stateOf(workspace, dateless)).status).toBe("draft");
    expect((await stateOf(workspace, archived)).status).toBe("archived");
  });

  it("changes in chunks of 250, in many workspaces, each with its audit entry", async () => {
    const { workspace } = await makeGroup();
    const other = await makeGroup();
    const { rowId } = workspace.ctx.workspace;
    await runSql`insert into activity_groups (public_id, workspace_id, name, name_key, slug, type, search_text, status,
         starts_at, follows_dates, created_at, updated_at)
       with recursive numbers (number) as (select 100 union all select number + 1 from numbers
      where number < 359)
       select '01JZ8Q4V6T3K9M2N5P7R8S0' || number, ${rowId}, 'g', 'g', 'g-' || number, 'other', 'g', 'draft',
         ${START}, 1, 0, 0 from numbers`;
    vi.setSystemTime(START);
    expect(await run()).toEqual({ changed: 250 });
    expect(await run()).toEqual({ changed: 12 });
    expect(await run()).toEqual({ changed: 0 });
    expect((await stateOf(other.workspace, other.id)).status).toBe("active");
    expect(await trailOf(workspace)).toHaveLength(261);
    expect(await trailOf(other.workspace)).toHaveLength(1);
    await runSql`delete from activity_groups where workspace_id = ${rowId} and slug like 'g-%'`;
  });
});

describe("a person's change of a group that follows its dates", () => {
  it("wins over its dates, and the group no longer follows them", async () => {
    const { workspace, id } = await makeGroup();
    vi.setSystemTime(END + 1);
    await run();
    await updateActivityGroup(workspace.ctx, id, { status: "active" });
    expect(await stateOf(workspace, id)).toEqual({ status: "active", follows: false });
    await run();
    expect(await stateOf(workspace, id)).toEqual({ status: "active", follows: false });
    expect((await trailOf(workspace)).at(-1)).toMatchObject({
      change: '{"status":"active","follows_dates":false}',
    });
  });

  it("that agrees with its dates leaves it following them", async () => {
    const { workspace, id } = await makeGroup();
    await updateActivityGroup(workspace.ctx, id, { status: "active" });
    expect(await stateOf(workspace, id)).toEqual({ status: "active", follows: true });
    vi.setSystemTime(END);
    await run();
    expect((await stateOf(workspace, id)).status).toBe("completed");
  });

  it("that restores it as it was wins over what its dates say by now", async () => {
    const { workspace, id } = await makeGroup();
    await updateActivityGroup(workspace.ctx, id, { status: "archived" });
    expect((await stateOf(workspace, id)).follows).toBe(true);
    vi.setSystemTime(START);
    await updateActivityGroup(workspace.ctx, id, { status: "draft" });
    expect(await stateOf(workspace, id)).toEqual({ status: "draft", follows: false });
  });

  it("of another field sets the status of the time, and the run finds nothing left", async () => {
    const { workspace, id } = await makeGroup();
    vi.setSystemTime(START);
    await updateActivityGroup(workspace.ctx, id, { description: "Soon" });
    expect(await stateOf(workspace, id)).toEqual({ status: "active", follows: true });
    expect((await trailOf(workspace)).at(-1)).toMatchObject({
      change: '{"description":"Soon","status":"active"}',
    });
    expect(await run()).toEqual({ changed: 0 });
  });

  it("of its dates, or to follow them, sets the status of the time at once", async () => {
    const { workspace, id } = await makeGroup({ follows_dates: false, status: "active" });
    await updateActivityGroup(workspace.ctx, id, { follows_dates: true });
    expect(await stateOf(workspace, id)).toEqual({ status: "active", follows: true });
    await updateActivityGroup(workspace.ctx, id, { starts_at: 0, ends_at: START - 2 * HOUR_MS });
    expect(await stateOf(workspace, id)).toEqual({ status: "completed", follows: true });
    const begun = await makeGroup({ starts_at: 0 });
    expect(await stateOf(begun.workspace, begun.id)).toEqual({ status: "active", follows: true });
  });

  it("to follow its dates decides about a status given with it", async () => {
    const { workspace, id } = await makeGroup({ follows_dates: false });
    vi.setSystemTime(END);
    await updateActivityGroup(workspace.ctx, id, { status: "active", follows_dates: true });
    expect(await stateOf(workspace, id)).toEqual({ status: "completed", follows: true });
  });

  it("made at the same moment as the run either wins or is made again", async () => {
    const { workspace, id } = await makeGroup();
    vi.setSystemTime(START);
    await Promise.all([run(), updateActivityGroup(workspace.ctx, id, { status: "completed" })]);
    expect((await stateOf(workspace, id)).status).toBe("completed");
  });
});

it("the public interface does not show whether a group follows its dates", async () => {
  const { workspace, id } = await makeGroup();
  const [group] = (await workspace.call("GET", `/api/v1/activity-groups?id=${id}`)).body.activity_groups;
  expect(group).not.toHaveProperty("follows_dates");
});
