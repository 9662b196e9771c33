import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { ChangedActivityGroup } from "../../../src/resources/activity-groups/group-schema";
import { getGroupOverview } from "../../../src/resources/activity-groups/group-service";
import { undoGroupChange, updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { findAuditEntry } from "../../../src/resources/audit/audit-service";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { selectRows } from "../../sql";
import { makeMember } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

// A start or end that was given as a day stays one, in whichever zone the workspace is.

const ADVENT = { name: "Advent", type: "campaign", status: "active" };

async function furnish(given: Record<string, string> = { starts_at: "2026-11-25", ends_at: "2026-12-24" }) {
  const { workspace, browser } = await makeMember("owner");
  const { ctx } = workspace;
  await updateWorkspace(ctx, { time_zone: "Europe/Zurich" });
  const path = `/app/${workspace.slug}/groups`;
  const made = await browser.post(`${path}/new`, { ...ADVENT, ...given });
  const id = /groups\/(\w{26})/.exec(made.location ?? "")?.[1] ?? "";
  const settings = async () => fieldsOf(await browser.get(`${path}/${id}?tab=settings`));
  const read = async () => {
    const { starts_on, ends_on, starts_at, ends_at } = await getGroupOverview(ctx, id);
    return [starts_on, ends_on, starts_at, ends_at];
  };
  const moveTo = (time_zone: string) => updateWorkspace(ctx, { time_zone });
  const change = (input: ChangedActivityGroup) => updateActivityGroup(ctx, id, input);
  return { workspace, ctx, browser, id, path, settings, read, moveTo, change };
}

const IN_ZURICH = ["2026-11-25", "2026-12-24", "2026-11-24T23:00:00.000Z", "2026-12-24T22:59:59.999Z"];
const IN_KATHMANDU = ["2026-11-25", "2026-12-24", "2026-11-24T18:15:00.000Z", "2026-12-24T18:14:59.999Z"];

describe("a group with days", () => {
  it("keeps them over a change of the zone: new times, a new version, one entry", async () => {
    const { ctx, id, read, moveTo } = await furnish();
    expect(await read()).toEqual(IN_ZURICH);
    const state = async () => {
      const [group] = await selectRows<{
        version: number;
      }>`select version from activity_groups where public_id = ${id}`;
      const [log] = await selectRows<{ entries: number }>`select count(*) as entries from audit_log
        where workspace_id = ${ctx.workspace.rowId}`;
      return [group?.version ?? 0, log?.entries ?? 0];
    };
    const [version = 0, entries = 0] = await state();
    await moveTo("Asia/Kathmandu");
    expect(await read()).toEqual(IN_KATHMANDU);
    expect(await state()).toEqual([version + 1, entries + 1]);
    await moveTo("Europe/Zurich");
    expect(await read()).toEqual(IN_ZURICH);
  });

  it("shows them as days in its form, whatever the zone, and saving the form changes nothing", async () => {
    const { browser, path, id, settings, read, moveTo } = await furnish();
    await moveTo("Asia/Kathmandu");
    const fields = await settings();
    expect([fields["starts_at"], fields["ends_at"]]).toEqual(["2026-11-25", "2026-12-24"]);
    await browser.post(`${path}/${id}?tab=settings`, { ...fields, name: "Advent 2026" });
    expect(await read()).toEqual(IN_KATHMANDU);
  });

  it("tells visitors of its links the new end", async () => {
    const { workspace, id, change, moveTo } = await furnish();
    await workspace.link({ activity_group_id: id });
    await change({ ends_links: true });
    await moveTo("Asia/Kathmandu");
    const value = await env.KV.get<{ active_window: object }>(`1:group:${id}/`, "json");
    expect(value?.active_window).toMatchObject({ endsAt: Date.parse("2026-12-24T18:14:59.999Z") });
  });

  it("is counted on the page on which the zone is changed", async () => {
    const { browser, workspace } = await furnish();
    const words = wordsIn((await browser.get(`/app/${workspace.slug}/workspace`)).text);
    expect(words).toContain("1 group starts or ends on a day. Before another time zone is saved");
  });

  it("has a time instead once one is given, and the day again after an undo", async () => {
    const { ctx, id, change, read, moveTo } = await furnish();
    await change({ ends_at: Date.parse("2026-12-24T22:59:59.999Z") });
    expect(await read()).toEqual(IN_ZURICH);
    await change({ ends_at: Date.parse("2026-12-20T12:00:00Z") });
    const [day, , start] = IN_ZURICH;
    expect(await read()).toEqual([day, null, start, "2026-12-20T12:00:00.000Z"]);
    await moveTo("Asia/Kathmandu");
    const [last] = await selectRows<{ operation_id: string }>`select operation_id from audit_log
      where subject = ${id} order by id desc limit 1`;
    const entry = await findAuditEntry(ctx, last?.operation_id ?? "");
    if (entry === undefined) throw new Error("There is no entry.");
    await undoGroupChange(ctx, entry);
    expect(await read()).toEqual(IN_KATHMANDU);
  });

  it("has the right times where its days and the zone change at once", async () => {
    const { change, read, moveTo } = await furnish();
    for (const zone of ["Asia/Kathmandu", "Europe/Zurich", "Asia/Kathmandu"]) {
      await Promise.all([
        change({ starts_on: "2026-11-26" }),
        moveTo(zone),
        change({ starts_on: "2026-11-25" }),
      ]);
      const [day, , start] = await read();
      const midnight = zone === "Europe/Zurich" ? "T23:00:00.000Z" : "T18:15:00.000Z";
      expect(start).toBe(`${day === "2026-11-25" ? "2026-11-24" : "2026-11-25"}${midnight}`);
    }
  });
});

it("a time stays the time that it is, and a day that would start after it becomes one", async () => {
  const { read, moveTo } = await furnish({ starts_at: "2026-11-25", ends_at: "2026-11-25T02:00" });
  const [, , start, end] = await read();
  expect([start, end]).toEqual(["2026-11-24T23:00:00.000Z", "2026-11-25T01:00:00.000Z"]);
  await moveTo("America/New_York");
  expect(await read()).toEqual([null, null, start, end]);
});

it("a time at the last millisecond of another zone's day is shown as the minute after it", async () => {
  const { change, settings } = await furnish();
  await change({ ends_at: Date.parse("2026-12-24T23:59:59.999Z") });
  expect(await settings()).toMatchObject({ ends_at: "2026-12-25", ends_at_time: "01:00" });
});
