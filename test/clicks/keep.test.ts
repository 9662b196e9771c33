import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { keepClicks, keepVisits } from "../../src/clicks/keep";
import { reportVisits } from "../../src/clicks/visits";
import { createDatabase } from "../../src/db/client";
import { recountWorkspaces } from "../../src/doctor/service";
import { rangeOfDays } from "../../src/lib/range";
import { getLinkDetails } from "../../src/links/details";
import { click } from "../console/clicks";
import { makeWorkspace, type TestWorkspace } from "../harness";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TODAY = Date.UTC(2026, 10, 22);
const NOW = TODAY + 9 * HOUR_MS;

/** Runs the job until it has nothing to do, and returns the most queries of a run. */
async function keep(now = NOW): Promise<number> {
  let most = 0;
  for (let runs = 0; runs < 500; runs++) {
    let queries = 0;
    const batch = (statements: D1PreparedStatement[]) => {
      queries += statements.length;
      return env.DB.batch(statements);
    };
    const db = createDatabase({
      prepare: (text) => env.DB.prepare(text),
      batch: batch as D1Database["batch"],
    });
    await keepVisits({ db, now: () => now });
    most = Math.max(most, queries);
    if (queries === 1) return most;
  }
  throw new Error("The job finds no end.");
}

/** Counts visits as the release before did: by hour and origin of the link only. */
async function clickBefore(link: string, at: number, counts: Record<string, number> = {}): Promise<void> {
  const { people = 0, bots = 0, scans = 0, late = 0 } = counts;
  const hour = at - (at % HOUR_MS);
  const origins = [
    ["country", "CH"],
    ["referrer", "example.com"],
    ["device", "mobile"],
  ];
  await env.DB.batch([
    env.DB.prepare(
      `insert into click_hours (workspace_id, link_id, hour, people, bots, scans, late)
        select workspace_id, id, ?, ?, ?, ?, ? from links where public_id = ?
        on conflict (link_id, hour) do update set people = people + excluded.people, bots = bots + excluded.bots,
          scans = scans + excluded.scans, late = late + excluded.late`,
    ).bind(hour, people, bots, scans, late, link),
    ...(people + scans === 0
      ? []
      : origins.map(([dimension, value]) =>
          env.DB.prepare(
            `insert into click_days (workspace_id, link_id, day, dimension, value, people)
              select workspace_id, id, ?, ?, ?, ? from links where public_id = ?
              on conflict (link_id, day, dimension, value) do update set people = people + excluded.people`,
          ).bind(at - (at % DAY_MS), dimension, value, people + scans, link),
        )),
  ]);
}

const linkDaysOf = async (link: string) =>
  (
    await env.DB.prepare(
      `select link_days.day, link_days.visits from link_days join links on links.id = link_id
        where public_id = ? order by day`,
    )
      .bind(link)
      .all()
  ).results;

const lifetimeOf = async (ws: TestWorkspace, link: string) => (await getLinkDetails(ws.ctx, link)).lifetime;

const reportOf = (ws: TestWorkspace) =>
  reportVisits(ws.ctx, { workspace: true }, rangeOfDays("UTC", TODAY / DAY_MS - 6, TODAY / DAY_MS), {
    compare: false,
  });

const repairedIn = async (ws: TestWorkspace) =>
  (await recountWorkspaces({ ...ws.ctx, now: () => NOW })).repaired.filter(
    ({ workspace }) => workspace === ws.slug,
  );

beforeEach(() => env.DB.prepare("delete from job_positions where job = 'kept_visits'").run());

describe("visits from before the release", () => {
  it("are filled in for links, in portions, and later visits stay", async () => {
    const ws = await makeWorkspace();
    const links = [await ws.link(), await ws.link(), await ws.link()];
    const [many, few, none] = links.map(({ id }) => id) as [string, string, string];
    for (let day = 0; day < 3; day++) {
      await clickBefore(many, TODAY - day * DAY_MS + 5 * HOUR_MS, { people: 2, scans: 1, late: 9 });
      await clickBefore(many, TODAY - day * DAY_MS + 7 * HOUR_MS, { people: 1, bots: 9 });
    }
    await clickBefore(few, TODAY - DAY_MS, { bots: 4, late: 1 });
    await click(ws, few, TODAY, { people: 5 });
    expect(await keep()).toBeLessThanOrEqual(7);
    expect(await lifetimeOf(ws, many)).toEqual({
      clicks: 9,
      scans: 3,
      last_visit_at: new Date(TODAY + 7 * HOUR_MS).toISOString(),
    });
    expect(await linkDaysOf(many)).toEqual(
      [2, 1, 0].map((day) => ({ day: TODAY - day * DAY_MS, visits: 4 })),
    );
    expect(await lifetimeOf(ws, few)).toEqual({
      clicks: 5,
      scans: 0,
      last_visit_at: new Date(TODAY + 12 * HOUR_MS).toISOString(),
    });
    expect(await lifetimeOf(ws, none)).toEqual({ clicks: 0, scans: 0, last_visit_at: null });
  });

  it("are filled in for workspaces, in portions of 20,000 rows, before they are folded", async () => {
    const ws = await makeWorkspace();
    const [link, other] = [await ws.link(), await ws.link()];
    const hours = (id: string, from: number, number: number) =>
      env.DB.prepare(
        `with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${from + number - 1})
        insert into click_hours (workspace_id, link_id, hour, people, bots, scans, late)
          select workspace_id, id, ${TODAY - DAY_MS} - n * ${HOUR_MS}, 2, 3, 1, 4 from numbers join links on public_id = ?`,
      )
        .bind(id)
        .run();
    await hours(link.id, 0, 22_000);
    // Two rows of each hour, so that a portion can end within one.
    await hours(other.id, 10_000, 8_001);
    const days = "insert into click_days (workspace_id, link_id, day, dimension, value, people)";
    await env.DB.prepare(
      `${days} select workspace_id, id, ${TODAY - 900 * DAY_MS}, 'device', 'mobile', 7 from links where workspace_id = ?`,
    )
      .bind(ws.ctx.workspace.rowId)
      .run();
    const sums = async () =>
      await env.DB.prepare(
        `select count(*) as n, sum(people) as people, sum(bots) as bots, sum(scans) as scans, sum(late) as late,
          sum(folded) as folded, (select sum(people) from workspace_days where workspace_id = ?1) as origins
        from workspace_hours where workspace_id = ?1`,
      )
        .bind(ws.ctx.workspace.rowId)
        .first();
    const found: Awaited<ReturnType<typeof sums>>[] = [];
    for (let runs = 0; runs < 2; runs++) {
      await keepClicks({ db: ws.ctx.db, now: () => NOW });
      found.push(await sums());
    }
    const all = 22_000 + 8_001;
    const whole = {
      n: 22_000,
      people: 2 * all,
      bots: 3 * all,
      scans: all,
      late: 4 * all,
      folded: 0,
      origins: 14,
    };
    expect(found[1]).toEqual(whole);
    expect(found[0]?.["n"]).toBeLessThan(20_000);
    expect(found[0]).toMatchObject({ folded: 0, origins: 14 });
    // A repeat from the start adds nothing.
    await env.DB.prepare("delete from job_positions where job = 'kept_visits'").run();
    for (let runs = 0; runs < 2; runs++) await keepVisits({ db: ws.ctx.db, now: () => NOW });
    expect(await sums()).toEqual(whole);
    const tables = ["click_hours", "click_days", "workspace_hours", "workspace_days"];
    await env.DB.batch(
      tables.map((table) =>
        env.DB.prepare(`delete from ${table} where workspace_id = ?`).bind(ws.ctx.workspace.rowId),
      ),
    );
  });

  it("that it has folded are added to the workspace, once and from all links", async () => {
    const ws = await makeWorkspace();
    const other = await makeWorkspace();
    const OLD = Date.UTC(2025, 0, 1);
    const links = [await ws.link(), await ws.link(), await other.link()].map(({ id }) => id);
    for (const link of links) {
      for (const month of [OLD, Date.UTC(2024, 5, 1)])
        await clickBefore(link, month, { people: 50, bots: 4, scans: 3, late: 2 });
    }
    const ids = "select id from links where public_id in (?1, ?2, ?3)";
    for (const table of ["click_hours", "click_days"])
      await env.DB.prepare(`update ${table} set folded = 1 where link_id in (${ids})`)
        .bind(...links)
        .run();
    // Of this link the month is not folded yet, and its first hour is that of the others' month.
    const late = (await ws.link()).id;
    await clickBefore(late, OLD, { people: 1 });
    await clickBefore(late, OLD + 3 * DAY_MS, { people: 1 });
    await clickBefore(late, TODAY - DAY_MS, { people: 3 });
    const sumsOf = async (owner: TestWorkspace) => {
      const range = rangeOfDays("UTC", Date.UTC(2024, 0, 1) / DAY_MS, TODAY / DAY_MS);
      const { totals, origins } = await reportVisits(owner.ctx, { workspace: true }, range, {
        compare: false,
      });
      return { ...totals, origins: origins.device };
    };
    const all = [
      { clicks: 205, scans: 12, late: 8, bots: 16, origins: [{ value: "mobile", people: 217 }] },
      { clicks: 100, scans: 6, late: 4, bots: 8, origins: [{ value: "mobile", people: 106 }] },
    ];
    expect(await keep()).toBeLessThanOrEqual(7);
    expect([await sumsOf(ws), await sumsOf(other)]).toEqual(all);
    for (let runs = 0; runs < 20; runs++) await keepClicks({ db: ws.ctx.db, now: () => NOW });
    expect([await sumsOf(ws), await sumsOf(other)]).toEqual(all);
  });

  it("that it has folded are added once by two runs at a time, and after a lost answer", async () => {
    const ws = await makeWorkspace();
    const link = (await ws.link()).id;
    await clickBefore(link, Date.UTC(2025, 0, 1), { people: 5 });
    await env.DB.prepare("update click_hours set folded = 1 where workspace_id = ?")
      .bind(ws.ctx.workspace.rowId)
      .run();
    const clicks = () =>
      env.DB.prepare("select sum(people) as n from workspace_hours where workspace_id = ?")
        .bind(ws.ctx.workspace.rowId)
        .first<number>("n");
    const position = async () =>
      await env.DB.prepare("select position from job_positions where job = 'kept_visits'").first<string>(
        "position",
      );
    await keepVisits({ db: ws.ctx.db, now: () => NOW });
    expect(JSON.parse((await position()) ?? "")).toMatchObject({ hours_from: null, folded_after: 0 });
    expect(await clicks()).toBe(null);
    let lost = 0;
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements);
      if (results.length > 3 && lost++ === 0) throw new Error("D1_ERROR: Network connection lost.");
      return results;
    };
    const db = createDatabase({
      prepare: (text) => env.DB.prepare(text),
      batch: batch as D1Database["batch"],
    });
    await Promise.all([db, ws.ctx.db, ws.ctx.db].map((own) => keepVisits({ db: own, now: () => NOW })));
    expect([await clicks(), lost > 0]).toEqual([5, true]);
    await keep();
    expect(await clicks()).toBe(5);
  });

  it("that it has folded are added in portions of 2,000 links or 20,000 rows of their days", async () => {
    const ws = await makeWorkspace();
    const [first, second] = [(await ws.link()).id, (await ws.link()).id];
    await env.DB.prepare(
      `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 10999)
      insert into click_days (workspace_id, link_id, day, dimension, value, people, folded)
        select workspace_id, id, ${Date.UTC(2024, 5, 1)}, 'referrer', 'r' || n || '.example', 1, 1 from numbers
          join links on public_id in (?, ?)`,
    )
      .bind(first, second)
      .run();
    const found: unknown[] = [];
    for (let runs = 0; runs < 3; runs++) {
      await keepVisits({ db: ws.ctx.db, now: () => NOW });
      found.push(
        await env.DB.prepare(
          "select count(*) as n, sum(people) as people from workspace_days where workspace_id = ?",
        )
          .bind(ws.ctx.workspace.rowId)
          .first(),
      );
    }
    expect(found).toEqual([
      { n: 0, people: null },
      { n: 101, people: 11_000 },
      { n: 101, people: 22_000 },
    ]);
    await env.DB.prepare("delete from click_days where workspace_id = ?").bind(ws.ctx.workspace.rowId).run();
  });

  it("of links with more hours than a portion are all filled in, each run with few queries", async () => {
    const ws = await makeWorkspace();
    const links: string[] = [];
    for (let index = 0; index < 4; index++) links.push((await ws.link()).id);
    const hours = [1_500, 2_000, 4_500, 3];
    for (const [index, link] of links.entries()) {
      await env.DB.prepare(
        `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${(hours[index] ?? 0) - 1})
        insert into click_hours (workspace_id, link_id, hour, people, bots, scans, late)
          select workspace_id, id, ${TODAY - DAY_MS} - n * ${HOUR_MS}, 1, 0, 1, 0 from numbers join links on public_id = ?`,
      )
        .bind(link)
        .run();
    }
    expect(await keep()).toBeLessThanOrEqual(7);
    for (const [index, link] of links.entries())
      expect(await lifetimeOf(ws, link)).toMatchObject({ clicks: hours[index], scans: hours[index] });
  });

  it("that an older release counts during the first pass are in the second, a day later", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await clickBefore(link.id, TODAY - 3 * DAY_MS, { people: 1 });
    await keep();
    await clickBefore(link.id, TODAY - 2 * DAY_MS, { people: 2 });
    await keep();
    expect((await lifetimeOf(ws, link.id)).clicks).toBe(1);
    await keep(NOW + DAY_MS);
    expect((await lifetimeOf(ws, link.id)).clicks).toBe(3);
    expect(await linkDaysOf(link.id)).toHaveLength(2);
  });

  it("are not filled in again after two passes", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    for (const day of [0, 1, 2]) await keep(NOW + day * DAY_MS);
    await clickBefore(link.id, TODAY - 9 * DAY_MS, { people: 2 });
    await keep(NOW + 3 * DAY_MS);
    expect((await lifetimeOf(ws, link.id)).clicks).toBe(0);
  });
});

describe("visits that an older release counts after a rollback", () => {
  /** What workspace, link and days of the link have since the day before the rollback. */
  const countedIn = async (ws: TestWorkspace, link: string) => ({
    workspace: (await reportOf(ws)).totals.clicks,
    link: (await lifetimeOf(ws, link)).clicks,
    days: (await linkDaysOf(link)).length,
  });
  /** A workspace whose link has been filled in twice, on a day before today. */
  async function makeFilled(daysAgo: number) {
    const ws = await makeWorkspace();
    const link = (await ws.link()).id;
    for (const day of [2, 1, 0]) await keep(NOW - (daysAgo + day) * DAY_MS);
    return { ws, link };
  }

  it("are filled in within two days, also if it counted none on its last day", async () => {
    const { ws, link } = await makeFilled(5);
    for (const day of [4, 3]) await clickBefore(link, TODAY - day * DAY_MS, { people: 10 });
    await keep();
    expect(await countedIn(ws, link)).toEqual({ workspace: 20, link: 20, days: 2 });
    await clickBefore(link, TODAY - 4 * DAY_MS, { people: 1 });
    await keep(NOW + DAY_MS);
    expect(await lifetimeOf(ws, link)).toMatchObject({ clicks: 21 });
    await clickBefore(link, TODAY - 4 * DAY_MS, { people: 1 });
    await keep(NOW + 2 * DAY_MS);
    expect(await lifetimeOf(ws, link)).toMatchObject({ clicks: 21 });
  });

  it.each([
    ["of the same day", 1, NOW - DAY_MS + HOUR_MS],
    ["of yesterday and today", 1, TODAY + HOUR_MS],
  ])("%s are filled in a day later", async (_, daysAgo, at) => {
    const { ws, link } = await makeFilled(daysAgo);
    await clickBefore(link, at, { people: 10 });
    await keep();
    expect(await countedIn(ws, link)).toEqual({ workspace: 10, link: 10, days: 1 });
  });

  it("are looked for once a day also while months are folded, which comes after", async () => {
    const { ws, link } = await makeFilled(1);
    for (const day of [900, 899]) await click(ws, link, TODAY - day * DAY_MS, { people: 1 });
    await clickBefore(link, TODAY, { people: 10 });
    const folded = () =>
      env.DB.prepare("select count(*) as n from click_hours where folded = 1 and workspace_id = ?")
        .bind(ws.ctx.workspace.rowId)
        .first<number>("n");
    const found: unknown[] = [];
    for (let runs = 0; runs < 3; runs++) {
      await keepClicks({ db: ws.ctx.db, now: () => NOW });
      found.push([(await reportOf(ws)).totals.clicks, await folded()]);
    }
    expect(found).toEqual([
      [0, 0],
      [10, 0],
      [10, 1],
    ]);
  });
});

describe("links that an older release deletes permanently", () => {
  /** Deletes a link and its rows of the tables that the release before knows. */
  const deleteBefore = (link: string) =>
    env.DB.batch([
      ...["click_days", "click_hours", "activity_group_items", "offline_assets"].map((table) =>
        env.DB.prepare(
          `delete from ${table} where link_id = (select id from links where public_id = ?)`,
        ).bind(link),
      ),
      env.DB.prepare(
        "update slugs set link_id = null where link_id = (select id from links where public_id = ?)",
      ).bind(link),
      env.DB.prepare("delete from links where public_id = ?").bind(link),
    ]);
  const daysOf = async (ws: TestWorkspace) =>
    await env.DB.prepare("select count(*) as n, sum(visits) as visits from link_days where workspace_id = ?")
      .bind(ws.ctx.workspace.rowId)
      .first();

  it("leave days, which are deleted between, before and after those of other links", async () => {
    const ws = await makeWorkspace();
    const links: string[] = [];
    for (let made = 0; made < 4; made++) links.push((await ws.link()).id);
    for (const link of links) await click(ws, link, TODAY, { people: 3 });
    for (const link of [links[0], links[2], links[3]]) await deleteBefore(link ?? "");
    expect(await daysOf(ws)).toEqual({ n: 4, visits: 12 });
    await keep();
    expect(await daysOf(ws)).toEqual({ n: 1, visits: 3 });
  });

  it("leave more days than a portion, which several runs delete", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await env.DB.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5001)
      insert into link_days (workspace_id, link_id, day, visits)
        select workspace_id, id, n * ${DAY_MS}, 1 from numbers join links on public_id = ?`,
    )
      .bind(link.id)
      .run();
    await deleteBefore(link.id);
    expect(await keep()).toBeLessThanOrEqual(7);
    expect(await daysOf(ws)).toEqual({ n: 0, visits: null });
  });
});

describe("visits that an older release counts while a new one rolls out", () => {
  it("are added to the workspace within a day, beside what deleted links left", async () => {
    const ws = await makeWorkspace();
    const [link, gone] = [await ws.link(), await ws.link()];
    await click(ws, link.id, TODAY - DAY_MS, { people: 3, referrer: "example.com" });
    await click(ws, gone.id, TODAY - 5 * DAY_MS, { people: 10 });
    await env.DB.prepare("delete from click_days where link_id = (select id from links where public_id = ?)")
      .bind(gone.id)
      .run();
    await clickBefore(link.id, TODAY - DAY_MS + 12 * HOUR_MS, { people: 4, scans: 1, late: 2 });
    await clickBefore(link.id, TODAY + 2 * HOUR_MS, { people: 6, bots: 7 });
    await keep();
    const { totals, points, origins } = await reportOf(ws);
    expect(totals).toEqual({ clicks: 23, scans: 1, late: 2, bots: 7 });
    expect(points.map(({ clicks }) => clicks)).toEqual([0, 10, 0, 0, 0, 7, 6]);
    expect(origins.referrer).toEqual([
      { value: "example.com", people: 14 },
      { value: "", people: 10 },
    ]);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("from more than a hundred sources become `other`, and nobody is lost", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await clickBefore(link.id, TODAY, { people: 1 });
    await env.DB.prepare(
      `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 149)
      insert into click_days (workspace_id, link_id, day, dimension, value, people)
        select workspace_id, id, ${TODAY}, 'referrer', 'r' || n || '.example', 2 from numbers join links on public_id = ?`,
    )
      .bind(link.id)
      .run();
    await keep();
    const { referrer } = (await reportOf(ws)).origins;
    expect(referrer).toHaveLength(101);
    expect(referrer.reduce((sum, { people }) => sum + people, 0)).toBe(301);
    expect(referrer[0]).toEqual({ value: "other", people: 101 });
  });

  it("are looked for once a day, and nothing is written if nothing is missing", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await click(ws, link.id, TODAY, { people: 3, bots: 2, late: 1, scans: 1 });
    const before = await reportOf(ws);
    await keep();
    await keep();
    expect(await reportOf(ws)).toEqual(before);
    await clickBefore(link.id, TODAY, { people: 1 });
    await keep();
    expect((await reportOf(ws)).totals.clicks).toBe(3);
    await keep(NOW + DAY_MS);
    expect((await reportOf(ws)).totals.clicks).toBe(4);
  });
});
