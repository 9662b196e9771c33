import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../src/lib/time";
import type { ActivityGroup } from "../../../src/resources/activity-groups/group-schema";
import {
  listAllActivityGroups,
  undoGroupChange,
  updateActivityGroup,
} from "../../../src/resources/activity-groups/manage-groups";
import { findAuditEntry } from "../../../src/resources/audit/audit-service";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import type { TestWorkspace } from "../../harness";
import { interrupted } from "../../interruption";
import { runSql, selectValue } from "../../sql";
import { makeMember } from "../browser";
import { click } from "../clicks";
import { fieldsOf, undoOn, wordsIn } from "../form-fields";
import { linkOf } from "../state";

afterEach(() => void vi.useRealTimers());

const groupsOf = async (ws: TestWorkspace): Promise<ActivityGroup[]> =>
  (await ws.call("GET", "/api/v1/activity-groups?per_page=100")).body.activity_groups;

/** The names of the groups that a page lists, in their order. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/<th scope="row"><a href="[^"]+">([^<]*)<\/a>/g)].map(([, name = ""]) => name);

describe("the list of Activity Groups", () => {
  it("has each group with its status, its dates and its links", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group({
      name: "Summer",
      status: "active",
      starts_at: Date.UTC(2026, 4, 1),
      ends_at: Date.UTC(2026, 8, 1) - 1,
    });
    const old = await workspace.link({ activity_group_id: group.id });
    await workspace.link({ activity_group_id: group.id });
    await workspace.call("PATCH", `/api/v1/links/${old.id}`, { body: { status: "archived" } });
    const { text } = await browser.get(`/app/${workspace.slug}/groups`);
    expect(text).toContain(`<a href="/app/${workspace.slug}/groups/${group.id}">Summer</a>`);
    expect(text).toContain('<span class="badge badge-active">Active</span>');
    expect(text).toMatch(/>1 May 2026<\/time> to <time[^>]*>31 Aug 2026</);
    await workspace.group({ starts_at: Date.UTC(2026, 4, 2, 9, 30), ends_at: Date.UTC(2026, 7, 30) });
    expect((await browser.get(`/app/${workspace.slug}/groups`)).text).toMatch(
      />2 May 2026, 09:30 UTC<\/time> to <time[^>]*>30 Aug 2026, 00:00 UTC</,
    );
    expect(text).toMatch(/<td data-label="Links" class="number">1<span[^>]*>, 1 archived</);
  });

  it("has the clicks and scans of the last 30 days", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const [busy] = [await workspace.group({ name: "Busy" }), await workspace.group({ name: "Calm" })];
    const link = await workspace.link({ activity_group_id: busy.id });
    await click(workspace, link.id, Date.now() - DAY_MS, { clicks: 1_000, scans: 200, bots: 9 });
    await click(workspace, link.id, Date.now() - 31 * DAY_MS, { clicks: 7 });
    await click(workspace, (await workspace.link()).id, Date.now() - DAY_MS, { clicks: 5 });
    const { text } = await browser.get(`/app/${workspace.slug}/groups`);
    expect(
      [...text.matchAll(/data-label="Visits, 30 days" class="number">([\d,]+)</g)].map(([, sum]) => sum),
    ).toEqual(["1,200", "0"]);
  });

  it("is filtered by text, type and status, and says if nothing matches", async () => {
    const { workspace, browser } = await makeMember("viewer");
    await workspace.group({ name: "Summer", type: "campaign", status: "active" });
    await workspace.group({ name: "Summer fair", type: "event", status: "draft" });
    await workspace.group({ name: "Winter", type: "event", status: "active", description: "After summer" });
    const list = async (query: string) =>
      namesIn((await browser.get(`/app/${workspace.slug}/groups?${query}`)).text);
    expect(await list("q=SUMMER&type=event")).toEqual(["Summer fair", "Winter"]);
    expect(await list("status=active&type=nonsense&page=zero")).toEqual(["Summer", "Winter"]);
    const none = await browser.get(`/app/${workspace.slug}/groups?q=autumn`);
    expect(none.text).toContain('value="autumn"');
    expect(none.text).toContain("No groups match.");
  });

  it("has them in natural order, also above the thousand groups that are sorted", async () => {
    const { workspace, browser } = await makeMember();
    for (const name of ["Week 10", "week 9", "Été", "Week 2"]) await workspace.group({ name });
    const path = `/app/${workspace.slug}/groups`;
    expect(namesIn((await browser.get(path)).text)).toEqual(["Été", "Week 2", "week 9", "Week 10"]);
    await runSql`insert into activity_groups
        (public_id, workspace_id, name, name_key, slug, type, search_text, status, created_at, updated_at)
       with recursive numbers (number) as (select 1000 union all select number + 1 from numbers
      where number < 1999)
       select '01JZ8Q4V6T3K9M2N5P7R8V' || number, ${workspace}, 'b', 'b', 'g-' || number, 'other', 'b', 'draft', 0, 0
       from numbers`;
    const first = await browser.get(path);
    expect(first.text).toContain("1,004 groups, page 1 of 41");
    const last = await browser.get(`${path}?page=41`);
    expect(namesIn(last.text)).toEqual(["Week 10", "Week 2", "week 9", "Été"]);
    expect((await browser.get(`${path}?page=42`)).text).toContain(
      `<a class="button" href="${path}?page=41">Show the last page</a>`,
    );
  });

  it("has the archived ones apart, and says how many there are", async () => {
    const { workspace, browser } = await makeMember("viewer");
    for (const status of ["archived", "completed", "active"] as const)
      await workspace.group({ name: `${status} fair`, status });
    await workspace.group({ name: "old", status: "archived" });
    const path = `/app/${workspace.slug}/groups`;
    const open = await browser.get(path);
    expect(namesIn(open.text)).toEqual(["active fair", "completed fair"]);
    expect(wordsIn(open.text)).toContain("2 groups, 2 archived");
    const found = await browser.get(`${path}?q=fair`);
    expect(wordsIn(found.text)).toContain("2 groups, 1 archived");
    const [, to = ""] = /href="([^"]*status=archived)"/.exec(found.text) ?? [];
    expect(namesIn((await browser.get(to.replaceAll("&amp;", "&"))).text)).toEqual(["archived fair"]);
    const all = await browser.get(`${path}?status=all`);
    expect(namesIn(all.text)).toEqual(["active fair", "completed fair", "archived fair", "old"]);
    expect(wordsIn(all.text)).not.toContain("groups, ");
    expect(wordsIn((await browser.get(`${path}?q=old`)).text)).toContain(
      "No groups match. Show 1 archived group. Show all.",
    );
  });

  it("says that all are archived, and leads to them", async () => {
    const { workspace, browser } = await makeMember("viewer");
    await workspace.group({ name: "Old", status: "archived" });
    const { text } = await browser.get(`/app/${workspace.slug}/groups`);
    expect(wordsIn(text)).toContain("No group is current: all are archived. Show 1 archived group");
    expect(text).toContain(`href="/app/${workspace.slug}/groups?status=archived"`);
  });

  it("is sorted by its headings and by its menu, on all pages together", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const make = (name: string, fields: object = {}) =>
      workspace.group({ name, status: "active", ...fields });
    const [, late, none] = [
      await make("A", { status: "completed", starts_at: Date.UTC(2026, 1, 1) }),
      await make("B", { starts_at: Date.UTC(2026, 5, 1) }),
      await make("C"),
    ];
    for (let count = 0; count < 25; count++) await make(`D ${count}`, { starts_at: Date.UTC(2026, 3, 1) });
    const link = await workspace.link({ activity_group_id: none.id });
    await click(workspace, link.id, Date.now() - DAY_MS, { clicks: 2 });
    const other = await workspace.link({ activity_group_id: late.id });
    await click(workspace, other.id, Date.now() - DAY_MS, { clicks: 5 });
    await workspace.link({ activity_group_id: none.id });
    const path = `/app/${workspace.slug}/groups`;
    const first = async (sort: string, page = 1) =>
      namesIn((await browser.get(`${path}?sort=${sort}&page=${page}`)).text);
    expect((await first("")).slice(0, 2)).toEqual(["B", "C"]);
    expect((await first("status", 2)).at(-1)).toBe("A");
    expect((await first("name")).slice(0, 3)).toEqual(["A", "B", "C"]);
    expect((await first("-visits")).slice(0, 3)).toEqual(["B", "C", "A"]);
    expect((await first("-links")).slice(0, 3)).toEqual(["C", "B", "A"]);
    expect((await first("-starts_at")).slice(0, 1)).toEqual(["B"]);
    expect((await first("starts_at")).slice(0, 1)).toEqual(["A"]);
    for (const sort of ["starts_at", "-starts_at"]) expect((await first(sort, 2)).at(-1)).toBe("C");
    const { text } = await browser.get(`${path}?sort=-visits&q=b`);
    expect(text).toContain('<option value="-visits" selected="">Most visited first</option>');
    expect(text).toMatch(/aria-sort="descending"><a class="plain" href="[^"]*">Visits, 30 days</);
    expect(text).toMatch(/<a class="plain" href="[^"]*sort=name&amp;q=b">Name</);
  });

  it.each([
    [200, "-visits", true],
    [201, "status", false],
  ])("of %i groups is sorted %s where it is asked for by visits", async (many, order, isRanked) => {
    const { workspace, browser } = await makeMember("viewer");
    await runSql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${many})
      insert into activity_groups (public_id, workspace_id, name, name_key, slug, type, search_text, status, created_at, updated_at)
      select 'B' || ${workspace} || '-' || n, ${workspace}, 'B ' || n, 'b ' || n, 'b-' || n, 'other', 'b', 'active', 0, 0 from numbers`;
    const { text } = await browser.get(`/app/${workspace.slug}/groups?sort=-visits`);
    expect(text).toContain(`<option value="${order}" selected="">`);
    expect(text.includes("Most visited first")).toBe(isRanked);
    expect(text.includes('aria-sort="descending"')).toBe(isRanked);
    expect(/<th[^>]*>Visits, 30 days/.test(text)).toBe(!isRanked);
  });

  it("says in words, in the time zone of the workspace, when groups start and end", async () => {
    const { workspace, browser } = await makeMember();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 4, 10, 12) });
    await updateWorkspace(workspace.ctx, { time_zone: "Asia/Tokyo" });
    const day = (date: number, hour = 15) => Date.UTC(2026, 4, date, hour);
    await workspace.group({ name: "A", status: "scheduled", starts_at: day(18), ends_at: day(19) - 1 });
    await workspace.group({ name: "B", status: "active", starts_at: day(1), ends_at: day(10) - 1 });
    await workspace.group({ name: "D", status: "completed", ends_at: day(20) });
    await workspace.group({ name: "E", status: "draft" });
    const { text } = await browser.get(`/app/${workspace.slug}/groups`);
    const statuses = [...text.matchAll(/data-label="Status">(.*?)<\/td>/g)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]*>/g, ""),
    );
    expect(statuses).toEqual(["Scheduled starts in 9 days", "Active ends today", "Draft", "Completed"]);
    expect(text).toMatch(/>19 May 2026<\/time> to <time[^>]*>19 May 2026</);
  });
});

describe("a new Activity Group", () => {
  const fields = { name: "Été à Zürich", slug: "", type: "event", status: "scheduled" };

  it("gets its slug from its name, numbered if that is taken", async () => {
    const { workspace, browser } = await makeMember("editor");
    await workspace.group({ slug: "ete-a-zurich" });
    await workspace.group({ slug: "ete-a-zurich-2" });
    await workspace.group({ slug: "ete-a-zurichsee" });
    const page = await browser.get(`/app/${workspace.slug}/groups/new`);
    expect(page.status).toBe(200);
    const campaign = { default_utm_campaign: "ete" };
    const answer = await browser.post(`/app/${workspace.slug}/groups/new`, {
      ...{ ...fields, ...campaign },
      description: " Two\r\nlines ",
      starts_at: "2026-05-01",
      ends_at: "2026-05-31T18:30",
    });
    const made = (await groupsOf(workspace)).find(({ name }) => name === fields.name);
    expect([answer.status, answer.location]).toEqual([303, `/app/${workspace.slug}/groups/${made?.id}`]);
    expect(made).toMatchObject({
      ...{ ...fields, ...campaign },
      slug: "ete-a-zurich-3",
      description: "Two lines",
      starts_at: "2026-05-01T00:00:00.000Z",
      ends_at: "2026-05-31T18:30:00.000Z",
    });
  });

  it("has the focus in the refused field, and in its name otherwise", async () => {
    const { workspace, browser } = await makeMember("editor");
    const path = `/app/${workspace.slug}/groups/new`;
    const focused = (text: string) =>
      [...text.matchAll(/ id="([a-z_]+)"[^>]* autofocus/g)].map(([, id]) => id);
    expect(focused((await browser.get(path)).text)).toEqual(["name"]);
    const dates = { starts_at: "2026-05-02", ends_at: "2026-05-01" };
    const refused = await browser.post(path, { ...fields, ...dates });
    expect([refused.status, focused(refused.text)]).toEqual([422, ["ends_at"]]);
  });

  it("begins and ends with days of the workspace's time zone", async () => {
    const { workspace, browser } = await makeMember();
    await updateWorkspace(workspace.ctx, { time_zone: "Europe/Zurich" });
    const dates = { starts_at: "2026-03-29", ends_at: "2026-05-31T18:30" };
    const { location } = await browser.post(`/app/${workspace.slug}/groups/new`, { ...fields, ...dates });
    const made = { starts_at: "2026-03-28T23:00:00.000Z", ends_at: "2026-05-31T16:30:00.000Z" };
    expect((await groupsOf(workspace))[0]).toMatchObject(made);
    const list = (await browser.get(`/app/${workspace.slug}/groups`)).text;
    expect(list).toMatch(/>29 Mar 2026<\/time> to <time[^>]*>31 May 2026, 18:30 Zurich time</);
    const form = await browser.get(`${location}?tab=settings`);
    expect(form.text).toContain('type="date" value="2026-03-29"');
    expect(form.text).toContain('type="date" value="2026-05-31"');
    expect(form.text).toContain('type="time" value="18:30"');
    await browser.post(location ?? "", { ...fieldsOf(form), ends_at_time: "" });
    expect((await groupsOf(workspace))[0]).toMatchObject({ ...made, ends_at: "2026-05-31T21:59:59.999Z" });
  });

  it("gets a slug of eight characters if its name has none", async () => {
    const { workspace, browser } = await makeMember();
    await browser.post(`/app/${workspace.slug}/groups/new`, { ...fields, name: "夏祭り" });
    expect((await groupsOf(workspace))[0]?.slug).toMatch(/^group-[a-z2-9]{8}$/);
  });

  it("that is refused is shown as it was typed, with the error at its field", async () => {
    const { workspace, browser } = await makeMember();
    await workspace.group({ slug: "taken" });
    const answer = await browser.post(`/app/${workspace.slug}/groups/new`, {
      ...fields,
      name: '"><script>alert(1)</script>',
      slug: "taken",
      starts_at: "2026-05-02",
      ends_at: "2026-05-01",
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(answer.text).toContain('<option value="event" selected="">Event</option>');
    expect(answer.text).toMatch(/id="slug-refusal">The slug is taken\.</);
    expect(answer.text).toMatch(/id="ends_at-refusal">The end must not be before the start\./);
    const empty = await browser.post(`/app/${workspace.slug}/groups/new`, { ...fields, name: " " });
    expect(empty.text).toMatch(/id="name-refusal">Enter the name\.</);
    expect(await groupsOf(workspace)).toHaveLength(1);
  });
});

describe("an edited Activity Group", () => {
  it("keeps fields that were sent unchanged, times too", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group({
      name: "A & B",
      description: "d",
      default_utm_campaign: "c",
      starts_at: Date.UTC(2026, 4, 1, 9, 30, 15, 250),
      ends_at: Date.UTC(2026, 4, 2, 0, 0, 7),
    });
    const path = `/app/${workspace.slug}/groups/${group.id}?tab=settings`;
    const fields = fieldsOf(await browser.get(path));
    expect(fields).toMatchObject({
      ...{ starts_at: "2026-05-01", starts_at_time: "09:30:15.250" },
      ...{ ends_at: "2026-05-02", ends_at_time: "00:00:07" },
    });
    const answer = await browser.post(path, { ...fields, description: "d" });
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect(await groupsOf(workspace)).toEqual([group]);
  });

  it("gets its fields back by the undo of the notice, unless it has changed since", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ name: "Fair", starts_at: Date.UTC(2026, 4, 1), ends_links: true });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const save = async (fields: object) => {
      const saved = await browser.post(path, { ...fields });
      return undoOn(await browser.get(saved.location ?? ""));
    };
    const sent = { slug: group.slug, type: "event" };
    const undo = await save({ ...sent, name: "Trade fair", starts_at: "", ends_at: "2026-06-01T00:00" });
    expect((await groupsOf(workspace))[0]).not.toEqual(group);
    const undone = await browser.post(undo);
    expect([undone.status, undone.location]).toEqual([303, path]);
    expect(await groupsOf(workspace)).toEqual([{ ...group, ends_links: undefined }]);
    expect((await browser.get(`${path}?tab=settings`)).text).toMatch(/name="ends_links"[^>]* checked/);
    const first = await save({ ...sent, name: "One" });
    await save({ ...sent, name: "Two" });
    expect((await browser.post(first)).status).toBe(422);
    expect((await groupsOf(workspace))[0]).toMatchObject({ name: "Two" });
  });

  it.each([
    ["a status", { status: "completed" }],
    ["the archive", { status: "archived" }],
    ["the end of its links", { end: "now" }],
  ])("gets its status and dates back by the undo of %s", async (_, change) => {
    const { workspace, browser } = await makeMember("editor");
    const dates = { starts_at: Date.UTC(2026, 4, 1), ends_at: Date.UTC(2030, 4, 1) };
    const group = await workspace.group({ status: "draft", ends_links: true, ...dates });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const before = await groupsOf(workspace);
    const changed = await browser.post(`${path}/status`, { ...change });
    expect(await groupsOf(workspace)).not.toEqual(before);
    const undone = await browser.post(undoOn(await browser.get(changed.location ?? "")));
    expect([undone.status, undone.location]).toEqual([303, path]);
    expect((await groupsOf(workspace))[0]).toEqual({ ...before[0], ends_links: undefined });
  });

  it("is a draft again by the undo of a form that made it follow its dates", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ status: "draft", starts_at: Date.UTC(2026, 4, 1) });
    const path = `/app/${workspace.slug}/groups/${group.id}?tab=settings`;
    const form = fieldsOf(await browser.get(path));
    const saved = await browser.post(path, { ...form, follows_dates: "true" });
    expect((await groupsOf(workspace))[0]?.status).toBe("active");
    await browser.post(undoOn(await browser.get(saved.location ?? "")));
    expect((await groupsOf(workspace))[0]?.status).toBe("draft");
  });

  it("is not undone over a change that somebody makes at the same time", async () => {
    const { workspace } = await makeMember("editor");
    const undo = async (at?: number) => {
      const group = await workspace.group({ name: "Before" });
      await updateActivityGroup(workspace.ctx, group.id, { name: "After" });
      const operation = await selectValue<string>`select operation_id from audit_log
        where subject = ${group.id} order by id desc limit 1`;
      const meanwhile = () => updateActivityGroup(workspace.ctx, group.id, { name: "Of somebody else" });
      const { db, kv, seen } = interrupted(env.DB, env.KV, at === undefined ? undefined : { at, meanwhile });
      const ctx = { ...workspace.ctx, db, kv };
      const entry = await findAuditEntry(ctx, operation ?? "");
      const undone = entry && undoGroupChange(ctx, entry);
      const refused = await undone?.then(
        () => false,
        ({ status }) => status,
      );
      const name = await selectValue<string>`select name from activity_groups where public_id = ${group.id}`;
      return { calls: seen.calls, refused, name };
    };
    const { calls, ...alone } = await undo();
    expect(alone).toEqual({ refused: false, name: "Before" });
    for (let at = 1; at <= calls; at++) {
      expect(await undo(at), `before call ${at}`).toMatchObject({ refused: 422, name: "Of somebody else" });
    }
  });

  it("clears emptied fields, keeps its status and its links' campaigns", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ status: "draft", default_utm_campaign: "old", starts_at: 0 });
    const link = await workspace.link({ activity_group_id: group.id });
    const changed = { name: "New", slug: "new", type: "other" };
    const emptied = { description: "", default_utm_campaign: "", starts_at: "", ends_at: "" };
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    await browser.post(path, { ...changed, ...emptied, status: "archived" });
    const cleared = { default_utm_campaign: null, starts_at: null };
    expect(await groupsOf(workspace)).toEqual([{ ...group, ...changed, ...cleared }]);
    expect((await linkOf(workspace, link.id)).utm_campaign).toBe("old");
  });

  it("follows its dates while the box is ticked, and shows it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { location } = await browser.post(`/app/${workspace.slug}/groups/new`, {
      ...{ name: "Fair", slug: "", type: "event", status: "draft", starts_at: "2020-05-01" },
      follows_dates: "true",
    });
    const follows = async () => {
      const [group] = await listAllActivityGroups(workspace.ctx);
      return [group?.status, group?.follows_dates];
    };
    expect(await follows()).toEqual(["active", true]);
    const fields = async () => fieldsOf(await browser.get(`${location}?tab=settings`));
    const shown = await fields();
    expect(shown["follows_dates"]).toEqual(["true"]);
    await browser.post(location ?? "", { ...shown, follows_dates: [] });
    expect(await follows()).toEqual(["active", undefined]);
    expect((await fields())["follows_dates"]).toBeUndefined();
  });
});

describe("the status of an Activity Group", () => {
  const offered = (text: string): string[] =>
    [...text.matchAll(/name="status" value="([a-z]+)"/g)].map(([, status = ""]) => status);

  it("is moved by a button to what may follow, and to nothing else", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ status: "draft" });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    expect(offered((await browser.get(`${path}?tab=settings`)).text)).toEqual([
      ...["scheduled", "active", "completed", "archived"],
    ]);
    const answer = await browser.post(`${path}/status`, { status: "scheduled" });
    expect([answer.status, answer.location]).toEqual([303, `${path}?tab=settings`]);
    expect((await groupsOf(workspace))[0]?.status).toBe("scheduled");
    await browser.post(`${path}/status`, { status: "active" });
    const refused = await browser.post(`${path}/status`, { status: "draft" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("A group cannot go from active to draft.");
    // The form that archives the group was not the refused one, so it stays folded.
    expect(refused.text).not.toContain('<details class="dangerous" open="">');
    expect((await groupsOf(workspace))[0]?.status).toBe("active");
  });

  it("active again says that its links stay ended, and opens them again", async () => {
    const { workspace, browser } = await makeMember("editor");
    const ends_at = Date.now() - DAY_MS;
    const group = await workspace.group({ status: "completed", ends_links: true, ends_at });
    const link = await workspace.link({ activity_group_id: group.id });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    await browser.post(`${path}/status`, { status: "active" });
    const again = wordsIn((await browser.get(`${path}?tab=settings`)).text);
    expect(again).toContain("The group is now active. Its links stay ended, because its end is in the past.");
    expect(again).toContain("Open the links again");
    const page = `/app/${workspace.slug}/links/${link.id}`;
    expect(wordsIn((await browser.get(page)).text)).toContain("This link ended on");
    await browser.post(`${path}/status`, { end: "none" });
    const open = wordsIn((await browser.get(`${path}?tab=settings`)).text);
    expect(open).toContain("The end of the group is removed, so its links lead on");
    expect(open).not.toContain("Open the links again");
    expect(wordsIn((await browser.get(page)).text)).not.toContain("This link ended on");
    // Where links do not end with their group, there is nothing to open.
    const other = await workspace.group({ status: "completed", ends_at });
    const otherPath = `/app/${workspace.slug}/groups/${other.id}`;
    await browser.post(`${otherPath}/status`, { status: "active" });
    const unaffected = wordsIn((await browser.get(`${otherPath}?tab=settings`)).text);
    expect(unaffected).not.toMatch(/stay ended|Open the links again/);
  });

  it("completed leaves its links as they are, says so, and offers to end them now", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({
      status: "active",
      ends_links: true,
      ended_url: "https://www.example.com/over",
    });
    await workspace.link({ activity_group_id: group.id });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    await browser.post(`${path}/status`, { status: "completed" });
    expect((await browser.get(`${path}?tab=settings`)).text).toContain("End the links now");
    const before = Date.now();
    await browser.post(`${path}/status`, { end: "now" });
    const ended = (await browser.get(`${path}?tab=settings`)).text;
    expect(ended).toContain("The links have ended, except those with an end of their own.");
    expect(ended).not.toContain("End the links now");
    // Its links do not end with it.
    const other = await workspace.group({ status: "completed" });
    const settings = `/app/${workspace.slug}/groups/${other.id}?tab=settings`;
    expect((await browser.get(settings)).text).not.toContain("End the links now");
    const [{ ends_at: endsAt } = { ends_at: null }] = await listAllActivityGroups(workspace.ctx);
    expect(Date.parse(endsAt ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(endsAt ?? "")).toBeLessThanOrEqual(Date.now());
  });

  it("is archived after a confirmation that names the links, and can only be restored", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group({ status: "scheduled" });
    const link = await workspace.link({ activity_group_id: group.id });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const before = (await browser.get(`${path}?tab=settings`)).text;
    expect(before).toMatch(
      /<details class="dangerous">.*Its link works as before.*value="archived".*<\/details>/s,
    );
    await browser.post(`${path}/status`, { status: "archived" });
    const after = (await browser.get(`${path}?tab=settings`)).text;
    expect(offered(after)).toEqual(["scheduled"]);
    expect((await linkOf(workspace, link.id)).status).toBe("active");
    const refused = await browser.post(`${path}/status`, { status: "active" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("An archived group can only be restored to scheduled.");
    await browser.post(`${path}/status`, { status: "scheduled" });
    expect(await groupsOf(workspace)).toEqual([group]);
  });
});
