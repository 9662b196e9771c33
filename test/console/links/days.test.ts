import { describe, expect, it } from "vitest";
import { endOfDateIn } from "../../../src/lib/local-time";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { findAuditEntry } from "../../../src/resources/audit/audit-service";
import { createReceiver } from "../../../src/resources/events/receivers";
import { exportLinks } from "../../../src/resources/links/export-links";
import { revertLink } from "../../../src/resources/links/revert/revert-link";
import { undoOperation } from "../../../src/resources/links/revert/undo-changes";
import { updateLink } from "../../../src/resources/links/update-link";
import { settleDays } from "../../../src/resources/workspaces/change-zone";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { kvValue, type TestWorkspace, visit } from "../../harness";
import { overriding } from "../../overriding";
import { runSql, selectRows, selectValue } from "../../sql";
import { makeMember } from "../browser";
import { fieldsOf, hiddenIn, wordsIn } from "../form-fields";
import { checkedAt, DESTINATION, goOn, prefix, show } from "../imports/helpers";
import { linkAt, linkOf } from "../state";

// A start or end of a link that was given as a day stays one, in whichever zone the workspace is.

const ADVENT = { starts_at: "2026-11-25", ends_at: "2026-12-24" };
const IN_ZURICH = ["2026-11-25", "2026-12-24", "2026-11-24T23:00:00.000Z", "2026-12-24T22:59:59.999Z"];
const IN_KATHMANDU = ["2026-11-25", "2026-12-24", "2026-11-24T18:15:00.000Z", "2026-12-24T18:14:59.999Z"];

async function furnish(given: Record<string, string> = ADVENT) {
  const { workspace, browser } = await makeMember("owner");
  const { ctx } = workspace;
  const moveTo = (time_zone: string) => updateWorkspace(ctx, { time_zone });
  await moveTo("Europe/Zurich");
  const path = `/app/${workspace.slug}/links`;
  const made = await browser.post(`${path}/new`, { destination_url: DESTINATION, ...given });
  const id = made.location?.split("/").at(-1) ?? "";
  const read = async (one = id) => {
    const [row] = await selectRows<{
      starts_on: string | null;
      ends_on: string | null;
    }>`select starts_on, ends_on
      from links where public_id = ${one}`;
    const { starts_at, ends_at } = await linkOf(workspace, one);
    return [row?.starts_on, row?.ends_on, starts_at, ends_at];
  };
  const lastOperation = () => selectValue<string>`select operation_id from audit_log where subject = ${id}
    order by id desc limit 1`;
  const form = async () => fieldsOf(await browser.get(`${path}/${id}/edit`));
  const save = async (fields: object) =>
    browser.post(`${path}/${id}/edit`, { ...(await form()), ...fields } as Record<string, string>);
  const patch = (body: object) => workspace.call("PATCH", `/api/v1/links/${id}`, { body });
  return { workspace, ctx, browser, id, path, read, form, save, patch, moveTo, lastOperation };
}

const movedLinksOf = (workspace: TestWorkspace) =>
  selectValue<number>`select change ->> 'moved_links' from audit_log
    where workspace_id = ${workspace} and action = 'workspace.update' order by id desc limit 1`;

describe("a link with days", () => {
  it("keeps them over a change of the zone: new times, a new version and entity tag, in the entry of the workspace", async () => {
    const { workspace, browser, id, read, moveTo } = await furnish();
    expect(await read()).toEqual(IN_ZURICH);
    const state = async () => {
      const version = await selectValue<number>`select version from links where public_id = ${id}`;
      const entries =
        await selectValue<number>`select count(*) from audit_log where workspace_id = ${workspace}`;
      const etag = (await workspace.call("GET", `/api/v1/links/${id}`)).headers.get("ETag");
      return { version: version ?? 0, entries: entries ?? 0, etag };
    };
    const before = await state();
    await moveTo("Asia/Kathmandu");
    expect(await read()).toEqual(IN_KATHMANDU);
    const after = await state();
    expect([after.version, after.entries]).toEqual([before.version + 1, before.entries + 1]);
    expect(after.etag).not.toBe(before.etag);
    expect(wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text)).toContain(
      "Links that kept their days",
    );
    await moveTo("Europe/Zurich");
    expect(await read()).toEqual(IN_ZURICH);
  });

  it.each([
    ["Europe/Zurich", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z"],
    ["Europe/Zurich", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.999Z"],
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00.000Z", "2026-10-04T12:59:59.999Z"],
    ["America/St_Johns", "2026-07-01", "2026-07-01T02:30:00.000Z", "2026-07-02T02:29:59.999Z"],
  ])("in %s is open on the whole of %s", async (zone, day, start, end) => {
    const { read, moveTo } = await furnish({ starts_at: day, ends_at: day });
    await moveTo(zone);
    expect(await read()).toEqual([day, day, start, end]);
  });

  it("changes nothing where the zone has the same clocks", async () => {
    const { id, moveTo } = await furnish();
    await moveTo("Europe/Berlin");
    expect(await selectValue`select version from links where public_id = ${id}`).toBe(1);
  });

  it("is moved while it is archived, and not in other workspaces", async () => {
    const { workspace, read, moveTo, patch } = await furnish();
    const other = await furnish();
    await patch({ status: "archived" });
    await moveTo("Asia/Kathmandu");
    expect(await read()).toEqual(IN_KATHMANDU);
    expect(await other.read()).toEqual(IN_ZURICH);
    expect(await movedLinksOf(workspace)).toBe(1);
  });

  it("neither moves nor counts once it is deleted", async () => {
    const { workspace, id, moveTo } = await furnish();
    await workspace.call("DELETE", `/api/v1/links/${id}`);
    const ends = () => selectValue`select ends_at from links where public_id = ${id}`;
    const before = await ends();
    await moveTo("Asia/Kathmandu");
    expect(await ends()).toBe(before);
    expect(await movedLinksOf(workspace)).toBeNull();
  });

  it("shows them as days on its page and in its form, and saving the form changes nothing", async () => {
    const { browser, path, id, form, save, read, moveTo } = await furnish();
    await moveTo("Asia/Kathmandu");
    expect(await form()).toMatchObject({ ...ADVENT, starts_at_time: "", ends_at_time: "" });
    expect(wordsIn((await browser.get(`${path}/${id}`)).text)).toMatch(/Ends 24 Dec 2026 /);
    await save({ title: "Advent" });
    expect(await read()).toEqual(IN_KATHMANDU);
  });

  it("has the new times in KV", async () => {
    const { workspace, id, moveTo } = await furnish();
    const { slug } = await linkOf(workspace, id);
    await visit(slug);
    await moveTo("Asia/Kathmandu");
    expect((await kvValue(slug))?.["active_window"]).toMatchObject({
      startsAt: Date.parse("2026-11-24T18:15:00.000Z"),
      endsAt: Date.parse("2026-12-24T18:14:59.999Z"),
    });
  });

  it("keeps a day of which a program sends the time, and loses it with another time", async () => {
    const { browser, path, id, read, patch } = await furnish();
    await patch({ title: "T", ends_at: "2026-12-24T23:59:59.999+01:00" });
    expect(await read()).toEqual(IN_ZURICH);
    expect(wordsIn((await browser.get(`${path}/${id}`)).text)).not.toMatch(/Ends: from/);
    await patch({ ends_at: "2026-12-20T12:00:00Z" });
    const [day, , start] = IN_ZURICH;
    expect(await read()).toEqual([day, null, start, "2026-12-20T12:00:00.000Z"]);
    await patch({ starts_at: null });
    expect(await read()).toEqual([null, null, null, "2026-12-20T12:00:00.000Z"]);
    expect((await patch({ starts_at: "2026-12-01" })).status).toBe(422);
  });

  it("has the day again after a revert and an undo, in the zone of today", async () => {
    const { ctx, read, save, moveTo, lastOperation } = await furnish();
    await save({ ends_at: "2026-12-20", ends_at_time: "13:00" });
    const [day, , start] = IN_ZURICH;
    expect(await read()).toEqual([day, null, start, "2026-12-20T12:00:00.000Z"]);
    await moveTo("Asia/Kathmandu");
    const reverted = await revertLink(ctx, (await lastOperation()) ?? "");
    expect(reverted.fields).toEqual([
      { field: "ends_at", is: "2026-12-20T12:00:00.000Z", willBe: "2026-12-24" },
    ]);
    expect(await read()).toEqual(IN_KATHMANDU);
    await save({ starts_at: "2026-11-30" });
    await moveTo("Europe/Zurich");
    await undoOperation(ctx, await findAuditEntry(ctx, (await lastOperation()) ?? ""));
    expect(await read()).toEqual(IN_ZURICH);
  });

  it("has the right times where its days and the zone change at once", async () => {
    const { workspace, ctx, id, read, moveTo } = await furnish();
    for (const zone of ["Asia/Kathmandu", "Europe/Zurich", "Asia/Kathmandu"]) {
      await Promise.all([
        updateLink(ctx, id, { starts_at: "2026-11-26" }),
        moveTo(zone),
        updateLink(ctx, id, { starts_at: "2026-11-25" }),
        workspace.call("PATCH", `/api/v1/links/${id}`, { body: { title: zone } }),
      ]);
      const [day, , start] = await read();
      const midnight = zone === "Europe/Zurich" ? "T23:00:00.000Z" : "T18:15:00.000Z";
      expect(start).toBe(`${day === "2026-11-25" ? "2026-11-24" : "2026-11-25"}${midnight}`);
      expect((await linkOf(workspace, id)).title).toBe(zone);
    }
  });

  it("has the times of the zone that the workspace has when a day is stored, though it was another when the day was read", async () => {
    const { ctx, id, read, moveTo } = await furnish({});
    let isMoved = false;
    const write = async (...given: Parameters<typeof ctx.db.write>) => {
      if (!isMoved) await moveTo("Asia/Kathmandu");
      isMoved = true;
      return ctx.db.write(...given);
    };
    await updateLink({ ...ctx, db: overriding(ctx.db, { write }) }, id, ADVENT);
    expect(await read()).toEqual(IN_KATHMANDU);
  });

  it("is counted on the page on which the zone is changed", async () => {
    const { workspace, browser } = await furnish();
    const words = wordsIn((await browser.get(`/app/${workspace.slug}/workspace`)).text);
    expect(words).toContain("1 link starts or ends on a day. Before another time zone is saved");
  });
});

it("what is restored has the times of the zone that the workspace has by then", async () => {
  const { ctx, id, read, moveTo } = await furnish();
  await runSql`update links set starts_at = 0, ends_at = 1 where public_id = ${id}`;
  let moved: Promise<unknown> | undefined;
  const db = overriding(ctx.db, {
    read: async (...statements: Parameters<typeof ctx.db.read>) => {
      const found = await ctx.db.read(...statements);
      moved ??= moveTo("Asia/Kathmandu");
      await moved;
      return found;
    },
  });
  await settleDays({ db, now: ctx.now }, ctx.workspace.rowId);
  expect(await read()).toEqual(IN_KATHMANDU);
});

it("a link with days that would start after its end, a time, has times from then on", async () => {
  const end = { ends_at: "2026-11-25", ends_at_time: "02:00" };
  const { read, moveTo } = await furnish({ starts_at: "2026-11-25", ...end });
  const [, , start, ends] = await read();
  expect([start, ends]).toEqual(["2026-11-24T23:00:00.000Z", "2026-11-25T01:00:00.000Z"]);
  await moveTo("America/New_York");
  expect(await read()).toEqual([null, null, start, ends]);
});

it("the slugs of more than a thousand links are in doubt as a whole, and receivers hear of them in one message", async () => {
  const { workspace, read, moveTo } = await furnish();
  await createReceiver(workspace.ctx, {
    ...{ url: "https://hooks.example/", kinds: ["link.updated"], is_on: true },
  });
  await runSql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1100)
    insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
      utm_campaign_origin, created_at, created_by, updated_at, ends_on, ends_at, archived_at)
    select 'D' || workspaces.id || '-' || n, workspaces.id, 'd-' || n, 'd-' || workspaces.id || '-' || n, 'https://www.example.com/', 'k',
      'www.example.com', 'explicit', 0, 'a', 0, '2026-12-24', 1798153199999, 1 from numbers, workspaces where workspaces.id = ${workspace}`;
  await runSql`update workspaces set archived_links = archived_links + 1100 where id = ${workspace}`;
  await moveTo("Asia/Kathmandu");
  expect(await read()).toEqual(IN_KATHMANDU);
  const [, , , end] = IN_KATHMANDU;
  expect(
    await selectValue`select count(*) from links where workspace_id = ${workspace} and ends_at = ${Date.parse(end ?? "")}`,
  ).toBe(1_101);
  expect(
    await selectValue`select count(*) from doubts where kind = 'workspace' and name = ${String(workspace.ctx.workspace.rowId)}`,
  ).toBe(1);
  expect(await selectValue`select amount from messages where workspace_id = ${workspace}`).toBe(1_101);
  await runSql`delete from links where workspace_id = ${workspace} and public_id like 'D%-%'`;
  await runSql`update workspaces set archived_links = archived_links - 1100 where id = ${workspace}`;
});

it("many links can be given a day at once", async () => {
  const { browser, path, id, read } = await furnish();
  const change = { ids: [id], change: "set_moment", moment_field: "ends_at", moment: "2026-12-31" };
  const { location } = await browser.post(`${path}/change`, change);
  expect(wordsIn((await browser.get(location ?? "")).text)).toContain("Set the end “31 Dec 2026” in 1 link.");
  expect((await read()).slice(1)).toEqual(["2026-12-31", IN_ZURICH[2], "2026-12-31T22:59:59.999Z"]);
});

describe("the preview of a new start or end of many links", () => {
  const preview = { change: "preview_moment", moment_field: "ends_at", moment: "2026-12-31" };

  it("says which links lose a time of day, have the day already or cannot have it, and changes nothing", async () => {
    const { workspace, browser, path, id, read } = await furnish();
    const make = (fields: object) => workspace.link({ title: "T", ...fields });
    const links = [
      await make({ slug: "" }),
      await make({ ends_at: "2026-12-20T17:00:00Z" }),
      await make({ starts_at: "2027-01-01T00:00:00Z" }),
    ];
    const timed = links[1]?.slug;
    const ids = [id, ...links.map((link) => link.id)];
    await browser.post(`${path}/change`, { ...preview, ids: [links[0]?.id ?? ""], change: "set_moment" });
    const shown = await browser.post(`${path}/change`, { ids, ...preview });
    const words = wordsIn(shown.text);
    expect(words).toContain(
      "2 links would end when this day ends: 31 Dec 2026 . 1 link has this end already. 1 link has a time of day now, which the day replaces.",
    );
    expect(words).toContain(`Cannot be changed: ${links[2]?.slug}. The end must be after the start.`);
    expect(words).toMatch(
      new RegExp(
        `Ends ${timed} from 20 Dec 2026, 18:00 Zurich time → to 31 Dec 2026 .* from 24 Dec 2026 → to`,
      ),
    );
    expect(await read()).toEqual(IN_ZURICH);
    const [form = ""] = /<form class="row".*?<\/form>/s.exec(shown.text) ?? [];
    expect(form).toContain("Set the end of 2 links");
    const { location } = await browser.post(`${path}/change`, hiddenIn(form));
    const notice = wordsIn((await browser.get(location ?? "")).text);
    expect(notice).toContain("Set the end “31 Dec 2026” in 2 links. 1 had it already. Not changed:");
    expect((await read())[1]).toBe("2026-12-31");
  });

  it("says when a link without an own end ends with its group, by ids and of a list", async () => {
    const { workspace, ctx, browser, path, id } = await furnish();
    const end = { ends_on: "2026-12-26", ends_links: true };
    const group = await workspace.group({ name: "Advent", slug: "advent" });
    await updateActivityGroup(ctx, group.id, end);
    const other = await workspace.group({ name: "Other", slug: "other" });
    await updateActivityGroup(ctx, other.id, { ...end, ends_links: false });
    const [inGroup, inOther] = [
      await workspace.link({ activity_group_id: group.id }),
      await workspace.link({ activity_group_id: other.id }),
    ];
    const asked = { ...preview, moment: "2026-12-24" };
    const ids = [id, inGroup.id, inOther.id];
    for (const fields of [{ ids }, { all: "1", left: "3", ids: [] }]) {
      const words = wordsIn((await browser.post(`${path}/change`, { ...asked, ...fields })).text);
      expect(words).toContain(
        "2 links would end when this day ends: 24 Dec 2026 . 1 link has this end already.",
      );
      expect(words).toContain(`${inGroup.slug} from 26 Dec 2026 (with its group) → to 24 Dec 2026`);
      expect(words).toContain(`${inOther.slug} from nothing → to 24 Dec 2026`);
    }
    await updateActivityGroup(ctx, group.id, { ends_at: Date.parse("2026-12-26T17:00:00Z") });
    const timed = wordsIn((await browser.post(`${path}/change`, { ...asked, ids: [inGroup.id] })).text);
    expect(timed).toContain("from 26 Dec 2026, 18:00 Zurich time (with its group) → to 24 Dec 2026");
    expect(timed).not.toContain("time of day now");
    const start = { ...asked, moment_field: "starts_at", ids: [inGroup.id] };
    expect(wordsIn((await browser.post(`${path}/change`, start)).text)).toContain("from nothing → to 24 Dec");
  });

  it("a time at which a day ends is no time of day", async () => {
    const { workspace, browser, path } = await furnish();
    const { id } = await workspace.link({ ends_at: "2026-12-20T22:59:59.999Z" });
    const words = wordsIn((await browser.post(`${path}/change`, { ids: [id], ...preview })).text);
    expect(words).toContain("from 20 Dec 2026 → to 31 Dec 2026");
    expect(words).not.toContain("time of day now");
  });

  it("of a time says when, and of an end in the past that the links would have ended", async () => {
    const { browser, path, id } = await furnish();
    const ids = [id];
    const time = await browser.post(`${path}/change`, { ids, ...preview, moment_time: "18:30" });
    expect(wordsIn(time.text)).toContain("1 link would end at this time: 31 Dec 2026, 18:30 Zurich time .");
    const start = { moment_field: "starts_at", moment: "2020-01-01" };
    const past = await browser.post(`${path}/change`, { ids, ...preview, ...start });
    expect(wordsIn(past.text)).toContain("1 link would open when this day begins: 1 Jan 2020 .");
    await browser.post(`${path}/change`, { ids, ...start, change: "set_moment" });
    const over = await browser.post(`${path}/change`, { ids, ...preview, moment: "2020-01-02" });
    expect(wordsIn(over.text)).toContain(
      "2 Jan 2020 . This end is in the past: they would have ended already.",
    );
  });

  it("asks for the field and the day", async () => {
    const { browser, path, id } = await furnish();
    const ask = async (fields: object) => {
      const { status, text } = await browser.post(`${path}/change`, { ids: [id], ...preview, ...fields });
      return [status, wordsIn(text)];
    };
    expect(await ask({ moment: "" })).toEqual([422, expect.stringContaining("Enter a day.")]);
    expect(await ask({ moment_field: "" })).toEqual([
      422,
      expect.stringContaining("Choose the start or the end."),
    ]);
  });
});

describe("an undo where a day became a time with the zone", () => {
  /** A link whose start was a day until the zone changed, and another one, after a change of both. */
  async function furnishMoved(change: object) {
    const furnished = await furnish({
      starts_at: "2026-11-25",
      ends_at: "2026-11-25",
      ends_at_time: "02:00",
    });
    const { workspace, browser, path, id, moveTo, read } = furnished;
    const other = await workspace.link();
    await browser.post(`${path}/change`, { ids: [id, other.id], ...change });
    const batch = await selectValue<string>`select batch from audit_log where subject = ${other.id}
      order by id desc limit 1`;
    await moveTo("America/New_York");
    const [, , start, end] = await read();
    expect(await read()).toEqual([null, null, start, end]);
    return { ...furnished, other, start, end, batch: batch ?? "" };
  }

  const SET = { change: "set_value", value_field: "channel", value: "print" };

  it("of many undoes the change and leaves the time", async () => {
    const { ctx, read, start, end, batch, id, workspace } = await furnishMoved(SET);
    const undone = await undoOperation(ctx, await findAuditEntry(ctx, batch));
    expect(undone.outcomes.map(({ outcome }) => outcome)).toEqual(["changed", "changed"]);
    expect(await read()).toEqual([null, null, start, end]);
    expect((await linkOf(workspace, id)).channel).toBeNull();
  });

  it("of one does so too", async () => {
    const { ctx, read, start, end, id, workspace } = await furnishMoved(SET);
    const operation = await selectValue<string>`select operation_id from audit_log where subject = ${id}
      order by id desc limit 1`;
    const undone = await undoOperation(ctx, await findAuditEntry(ctx, operation ?? ""), undefined, true);
    expect(undone.outcomes).toEqual([expect.objectContaining({ outcome: "changed" })]);
    expect(await read()).toEqual([null, null, start, end]);
    expect((await linkOf(workspace, id)).channel).toBeNull();
  });
});

it("a revert to a day that would begin after the end leaves both dates, and says why", async () => {
  const { ctx, read, save, lastOperation, moveTo } = await furnish({
    ...{ starts_at: "2026-11-25", ends_at: "2026-11-25", ends_at_time: "02:00" },
  });
  await save({ title: "T" });
  const first = (await lastOperation()) ?? "";
  await moveTo("America/New_York");
  const before = await read();
  await save({ title: "U" });
  const { fields, refused } = await revertLink(ctx, first);
  expect(fields.map(({ field }) => field)).toEqual(["title"]);
  expect(refused).toEqual([expect.objectContaining({ field: "ends_at" })]);
  expect(await read()).toEqual(before);
});

it("a day becomes the time again that it was, also of the same instant, by an undo and a revert", async () => {
  const { workspace, ctx, browser, path, id, read, save, lastOperation } = await furnish({});
  const end = "2026-12-24T22:59:59.999Z";
  const other = await workspace.link({ ends_at: end });
  await workspace.call("PATCH", `/api/v1/links/${id}`, { body: { ends_at: end } });
  const TIME = [null, null, null, end];
  const DAY = [null, "2026-12-24", null, end];
  expect(await read()).toEqual(TIME);
  await updateLink(ctx, id, { ends_at: "2026-12-24" });
  await save({ title: "T" });
  expect(await read()).toEqual(DAY);
  await revertLink(
    ctx,
    (await selectValue<string>`select operation_id from audit_log where subject = ${id}
    and json_extract(change, '$.ends_at') = '2026-12-24'`) ?? "",
  );
  expect(await read()).toEqual(TIME);
  const change = { change: "set_moment", moment_field: "ends_at", moment: "2026-12-24" };
  await browser.post(`${path}/change`, { ids: [id, other.id], ...change });
  expect([await read(), await read(other.id)]).toEqual([DAY, DAY]);
  const batch =
    await selectValue<string>`select batch from audit_log where operation_id = ${(await lastOperation()) ?? ""}`;
  await undoOperation(ctx, await findAuditEntry(ctx, batch ?? ""));
  expect([await read(), await read(other.id)]).toEqual([TIME, TIME]);
});

it("a file gives days where a cell has no time, and an exported file that is imported again changes nothing", async () => {
  const { workspace, ctx, browser, read } = await furnish();
  const p = prefix();
  const rows = [`${DESTINATION},${p}-1,1.12.2026,31.12.2026`, `${DESTINATION},${p}-2,2026-12-01 08:00,`];
  const at = await checkedAt(browser, workspace, ["url,slug,start,ende", ...rows].join("\n"));
  expect(await show(browser, at)).toContain("Opens: 1 Dec 2026 Ends: 31 Dec 2026");
  await goOn(browser, at);
  const { id } = await linkAt(workspace, `${p}-1`);
  const imported = ["2026-12-01", "2026-12-31", "2026-11-30T23:00:00.000Z", "2026-12-31T22:59:59.999Z"];
  expect(await read(id)).toEqual(imported);
  expect((await read((await linkAt(workspace, `${p}-2`)).id))[0]).toBeNull();
  let csv = "";
  for await (const part of exportLinks(ctx)) csv += part;
  expect(csv).toContain(",2026-12-01,2026-12-31,");
  const again = await checkedAt(browser, workspace, csv, { existing: "update" });
  expect(await show(browser, again)).toMatch(/No change.*No change.*No change/);
  await goOn(browser, again);
  expect(await read(id)).toEqual(imported);
});

it.each(["Europe/Zurich", "Asia/Kolkata"])(
  "an export has days as days and times as times, and new links of its file have them again, in %s",
  async (zone) => {
    const { workspace, ctx, browser, read, moveTo } = await furnish();
    await moveTo(zone);
    const p = prefix();
    // A time stays one, also where it is the last millisecond of a day.
    const end = endOfDateIn("2026-12-31", zone) ?? "";
    await workspace.link({ slug: `${p}-time`, starts_at: "2026-12-01T08:00:00.000Z", ends_at: end });
    const rows = [`${DESTINATION},${p}-days,1.12.2026,31.12.2026`];
    await goOn(browser, await checkedAt(browser, workspace, ["url,slug,start,ende", ...rows].join("\n")));
    let csv = "";
    for await (const part of exportLinks(ctx)) csv += part;
    expect(csv).toContain(",2026-12-01,2026-12-31,");
    expect(csv).toContain(`,2026-12-01T08:00:00.000Z,${end},`);
    const at = await checkedAt(browser, workspace, csv.replaceAll(p, `${p}-again`), { existing: "update" });
    const shown = await show(browser, at);
    expect(shown).toContain("Opens: 1 Dec 2026 2 more Ends: 31 Dec 2026");
    expect(shown).toMatch(/Opens: 1 Dec 2026, \d\d:\d\d \w+ time 2 more Ends: 31 Dec 2026 /);
    await goOn(browser, at);
    for (const name of ["days", "time"]) {
      const again = await read((await linkAt(workspace, `${p}-again-${name}`)).id);
      expect(again).toEqual(await read((await linkAt(workspace, `${p}-${name}`)).id));
    }
    expect((await read((await linkAt(workspace, `${p}-again-days`)).id)).slice(0, 2)).toEqual([
      ...["2026-12-01", "2026-12-31"],
    ]);
  },
);
