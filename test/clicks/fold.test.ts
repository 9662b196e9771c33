import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { foldClicks } from "../../src/clicks/fold";
import { type DayRow, foldDays, foldHours } from "../../src/clicks/months";
import { exportClicks, exportOrigins, reportClicks } from "../../src/clicks/report";
import { reportScans } from "../../src/clicks/scans";
import { listTopLinks } from "../../src/clicks/top";
import { reportVisits } from "../../src/clicks/visits";
import { createDatabase, type Database } from "../../src/db/client";
import { createAsset } from "../../src/engagement/service";
import { foldedBefore, monthOf } from "../../src/lib/folded-months";
import { rangeOfDays, toRange } from "../../src/lib/range";
import { click, scan } from "../console/clicks";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { textOf } from "./platform";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clicks before October 2025 are stored by month. */
const NOW = Date.UTC(2026, 10, 22, 12);
const [SEPTEMBER, OCTOBER] = [Date.UTC(2025, 8, 1), Date.UTC(2025, 9, 1)];

const fold = async (db: Database = createDatabase(env.DB, undefined, []), now = NOW): Promise<void> => {
  for (let portions = 0; portions < 200; portions++) if (!(await foldClicks({ db, now: () => now }))) return;
  throw new Error("Folding finds no end.");
};

async function scanRowsOf(asset: string) {
  const { results } = await env.DB.prepare(
    `select hour, people, bots, late, scan_hours.folded from scan_hours
      join offline_assets on offline_assets.id = asset_id where public_id = ? order by hour`,
  )
    .bind(asset)
    .all();
  return results;
}

async function rowsOf(table: "click_hours" | "click_days", link: string) {
  const { results } = await env.DB.prepare(
    `select ${table}.* from ${table} join links on links.id = link_id where public_id = ? order by 3, 4, 5`,
  )
    .bind(link)
    .all<Record<string, number | string>>();
  return results.map(({ workspace_id: _workspace, link_id: _link, ...row }) => row);
}

async function workspaceRowsOf(ws: TestWorkspace) {
  const rowsIn = async (table: string) => {
    const { results } = await env.DB.prepare(`select * from ${table} where workspace_id = ? order by 2, 3, 4`)
      .bind(ws.ctx.workspace.rowId)
      .all<Record<string, number | string>>();
    return results.map(({ workspace_id: _workspace, ...row }) => row);
  };
  return {
    hours: await rowsIn("workspace_hours"),
    /** Of a single folded month. */
    days: (await rowsIn("workspace_days"))
      .filter(({ day, folded }) => day === SEPTEMBER && folded === 1)
      .map(({ dimension, value, people }) => `${dimension} ${value} ${people}`),
  };
}

async function linkDaysOf(link: string) {
  const { results } = await env.DB.prepare(
    `select link_days.day, link_days.visits from link_days join links on links.id = link_id
      where public_id = ? order by day`,
  )
    .bind(link)
    .all();
  return results;
}

describe("the months that are folded", () => {
  it.each([
    ["2026-11-22T12:00:00Z", "2025-10-01T00:00:00.000Z"],
    ["2026-11-01T00:00:00Z", "2025-10-01T00:00:00.000Z"],
    ["2026-10-31T23:59:59Z", "2025-09-01T00:00:00.000Z"],
    ["2026-01-31T00:00:00Z", "2024-12-01T00:00:00.000Z"],
    ["2024-03-31T00:00:00Z", "2023-02-01T00:00:00.000Z"],
  ])("on %s are those before %s", (now, before) => {
    expect(new Date(foldedBefore(Date.parse(now))).toISOString()).toBe(before);
  });

  it("start on their first day in UTC", () => {
    const { from, to } = monthOf(Date.UTC(2024, 1, 29, 23));
    expect([from, to]).toEqual([Date.UTC(2024, 1, 1), Date.UTC(2024, 2, 1)]);
  });

  const row = (owner: number, hour: number, people: number) => ({
    workspace_id: 1,
    owner,
    hour: SEPTEMBER + hour * HOUR_MS,
    counts: { people, bots: 1, scans: 3, late: 2 },
  });

  it("become one hour row per link or asset, with the sum of each count", () => {
    const rows = [row(1, 5, 1), row(1, 99, 2), row(1, 300, 8), row(2, 100, 16)];
    expect(foldHours(rows, SEPTEMBER, ["people", "bots", "scans", "late"])).toEqual([
      { ...row(1, 0, 11), counts: { people: 11, bots: 3, scans: 9, late: 6 } },
      row(2, 0, 16),
    ]);
    expect(rows[0]).toEqual(row(1, 5, 1));
  });

  it("become one day row per link and origin, with at most a hundred referrers", () => {
    const day = (link: number, at: number, value: string, number: number): DayRow => ({
      workspace_id: 1,
      owner: link,
      day: SEPTEMBER + at * DAY_MS,
      dimension: "referrer",
      value,
      people: number,
    });
    const many = Array.from({ length: 110 }, (_, index) => day(1, index % 30, `r${index}.example`, 2));
    const folded = foldDays(
      [...many, day(1, 3, "other", 5), day(1, 4, "r7.example", 1), day(2, 4, "r7.example", 1)],
      SEPTEMBER,
    );
    const of = (link: number) => folded.filter(({ owner }) => owner === link);
    expect(of(1)).toHaveLength(101);
    expect(of(1).find(({ value }) => value === "other")?.people).toBe(25);
    expect(of(1).find(({ value }) => value === "r7.example")?.people).toBe(3);
    expect(of(1).every(({ day: at }) => at === SEPTEMBER)).toBe(true);
    expect(of(2)).toEqual([day(2, 0, "r7.example", 1)]);
  });
});

describe("clicks of a month that ended 13 months ago", () => {
  it("become one row per origin, later months stay, and reports and exports keep their totals", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group();
    const link = await ws.link({ activity_group_id: group.id });
    for (let day = 0; day < 60; day++) {
      const at = SEPTEMBER + day * DAY_MS;
      await click(ws, link.id, at, { people: 2, bots: 1, referrer: `r${day % 3}.example` });
    }
    const totals = async () => {
      const {
        people: all,
        bots,
        referrers,
        countries,
      } = await reportClicks(ws.ctx, { group: group.id }, SEPTEMBER, NOW);
      let exported = 0;
      for await (const { rows } of await exportClicks(ws.ctx, group.id, SEPTEMBER, NOW))
        for (const row of rows) exported += row.people + row.bots;
      let origins = 0;
      for await (const { rows } of await exportOrigins(ws.ctx, group.id, SEPTEMBER, NOW))
        for (const row of rows) origins += row.people;
      return { all, bots, referrers, countries, exported, origins };
    };
    const before = await totals();
    await fold();
    expect(await totals()).toEqual(before);
    expect(before.all).toBe(120);

    const hours = await rowsOf("click_hours", link.id);
    expect(hours[0]).toEqual({ hour: SEPTEMBER, people: 60, bots: 30, scans: 0, late: 0, folded: 1 });
    expect(hours.slice(1).map(({ hour }) => Number(hour) >= OCTOBER)).toEqual(Array(30).fill(true));
    const days = await rowsOf("click_days", link.id);
    expect(days.filter(({ folded }) => folded === 1)).toEqual([
      { day: SEPTEMBER, dimension: "country", value: "CH", people: 60, folded: 1 },
      { day: SEPTEMBER, dimension: "device", value: "mobile", people: 60, folded: 1 },
      ...["r0.example", "r1.example", "r2.example"].map((value) => ({
        day: SEPTEMBER,
        dimension: "referrer",
        value,
        people: 20,
        folded: 1,
      })),
    ]);
    await fold();
    expect(await rowsOf("click_hours", link.id)).toEqual(hours);
    expect(await rowsOf("click_days", link.id)).toEqual(days);
  });

  it("keep scans and late visits, of links and of assets", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const asset = await createAsset(ws.ctx, { name: "Poster", link: link.id });
    const other = await createAsset(ws.ctx, { name: "Sign", link: link.id });
    for (const day of [2, 9, 40]) {
      const at = SEPTEMBER + day * DAY_MS;
      await click(ws, link.id, at, { people: 1, scans: 10, late: 100, bots: 1000 });
      await scan(ws, asset.id, at, { people: 4, late: 40, bots: 400 });
      await scan(ws, other.id, at + 5 * HOUR_MS, { people: 6, late: 60, bots: 600 });
    }
    const reports = async () => [
      (await reportClicks(ws.ctx, { link: link.id }, SEPTEMBER, NOW)).totals,
      (await reportClicks(ws.ctx, { link: link.id }, SEPTEMBER, NOW)).assets,
      (await reportScans(ws.ctx, asset.id, SEPTEMBER, NOW)).totals,
      (await reportScans(ws.ctx, other.id, SEPTEMBER, NOW)).totals,
    ];
    const before = await reports();
    expect(before[0]).toEqual({ clicks: 3, scans: 30, late: 300, bots: 3000 });
    expect(before[2]).toEqual({ scans: 12, late: 120, bots: 1200 });
    await fold();
    expect(await reports()).toEqual(before);
    expect((await rowsOf("click_hours", link.id))[0]).toEqual({
      ...{ hour: SEPTEMBER, people: 2, bots: 2000, scans: 20, late: 200, folded: 1 },
    });
    expect(await scanRowsOf(asset.id)).toEqual([
      { hour: SEPTEMBER, people: 8, bots: 800, late: 80, folded: 1 },
      { hour: SEPTEMBER + 40 * DAY_MS, people: 4, bots: 400, late: 40, folded: 0 },
    ]);
    // The month's only hour of the day is no longer known.
    expect(
      (await reportScans(ws.ctx, asset.id, SEPTEMBER, OCTOBER)).hours.every(({ scans }) => scans === 0),
    ).toBe(true);
  });

  it("become one row of the workspace and one day of each link, and the figures stay", async () => {
    const ws = await makeWorkspace();
    const links = [await ws.link(), await ws.link()];
    for (const [index, { id }] of links.entries()) {
      for (const day of [0, 3, 29, 31]) {
        const at = SEPTEMBER + day * DAY_MS;
        await click(ws, id, at, { people: 1, scans: 2, late: 3, bots: 4, referrer: `r${index}.example` });
      }
    }
    const all = rangeOfDays("UTC", SEPTEMBER / DAY_MS, OCTOBER / DAY_MS + 10);
    const report = async () => {
      const { totals, origins } = await reportVisits(ws.ctx, { workspace: true }, all, { compare: false });
      const top = await listTopLinks({ ...ws.ctx, now: () => NOW }, all, 5);
      return { totals, origins, top: top.map(({ id, clicks, scans }) => [id, clicks, scans]) };
    };
    const before = await report();
    expect(before.totals).toEqual({ clicks: 8, scans: 16, late: 24, bots: 32 });
    await fold();
    expect(await report()).toEqual(before);
    expect(await workspaceRowsOf(ws)).toEqual({
      hours: [
        { hour: SEPTEMBER, people: 6, bots: 24, scans: 12, late: 18, folded: 1 },
        { hour: OCTOBER + DAY_MS + 12 * HOUR_MS, people: 2, bots: 8, scans: 4, late: 6, folded: 0 },
      ],
      days: ["country CH 18", "device mobile 18", "referrer r0.example 9", "referrer r1.example 9"],
    });
    for (const { id } of links) {
      expect(await linkDaysOf(id)).toEqual([
        { day: SEPTEMBER, visits: 9 },
        { day: OCTOBER + DAY_MS, visits: 3 },
      ]);
    }
  });

  it("are in the reports of every time zone, on the first day of their month", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await click(ws, link.id, SEPTEMBER + 9 * DAY_MS, { people: 5 });
    await fold();
    for (const zone of ["UTC", "America/Los_Angeles", "Pacific/Auckland", "Asia/Kolkata"]) {
      const first = SEPTEMBER / DAY_MS;
      for (const scope of [{ workspace: true } as const, { link: link.id }]) {
        const report = async (from: number, to: number) => {
          const { totals, points } = await reportVisits(ws.ctx, scope, rangeOfDays(zone, from, to), {
            compare: false,
          });
          return [totals.clicks, points.map(({ clicks }) => clicks)];
        };
        expect(await report(first, first + 2), zone).toEqual([5, [5, 0, 0]]);
        expect(await report(first - 3, first - 1), zone).toEqual([0, [0, 0, 0]]);
        expect((await report(first, first))[0], zone).toBe(5);
      }
      const range = rangeOfDays(zone, first, first + 29);
      expect(await listTopLinks({ ...ws.ctx, now: () => NOW }, range, 5), zone).toMatchObject([
        { clicks: 5 },
      ]);
    }
  });

  it("stay in the total of all time if it begins in their month", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group();
    const link = await ws.link({ activity_group_id: group.id });
    await click(ws, link.id, SEPTEMBER + 15 * DAY_MS, { people: 40 });
    await click(ws, link.id, OCTOBER + 15 * DAY_MS, { people: 2 });
    const totals = () =>
      Promise.all(
        ["UTC", "America/Los_Angeles", "Pacific/Auckland"].flatMap((zone) =>
          [{ workspace: true } as const, { link: link.id }, { group: group.id }].map(async (scope) => {
            const range = toRange({ last: "all" }, zone, NOW, SEPTEMBER + 14 * DAY_MS);
            return (await reportVisits(ws.ctx, scope, range, { compare: false })).totals.clicks;
          }),
        ),
      );
    const expected = Array(9).fill(42);
    expect(await totals()).toEqual(expected);
    await fold();
    expect(await totals()).toEqual(expected);
  });

  it("of more rows than fit one portion take several, and none are lost", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await env.DB.prepare(
      `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 11999)
      insert into click_days (workspace_id, link_id, day, dimension, value, people)
        select workspace_id, id, ${SEPTEMBER} + (n % 30) * ${DAY_MS}, 'referrer', 'r' || n || '.example', 1
        from numbers join links on public_id = ?`,
    )
      .bind(link.id)
      .run();
    await fold();
    const days = await rowsOf("click_days", link.id);
    expect(days).toHaveLength(101);
    expect(days.reduce((sum, row) => sum + Number(row["people"]), 0)).toBe(12_000);
  });

  it.each(["lost", "twice"])(
    "are correct if the response to a write is lost or two runs fold at once: %s",
    async (how) => {
      const ws = await makeWorkspace();
      const links = [await ws.link(), await ws.link(), await ws.link()];
      const asset = await createAsset(ws.ctx, { name: "Poster", link: links[0]?.id ?? "" });
      for (let day = 0; day < 20; day++) {
        const at = SEPTEMBER + day * DAY_MS;
        for (const { id } of links) await click(ws, id, at, { people: 1, bots: 2, scans: 3, late: 4 });
        await scan(ws, asset.id, at, { people: 5, bots: 6, late: 7 });
      }
      const lossy = createDatabase(
        {
          prepare: (text) => env.DB.prepare(text),
          batch: (async (statements: D1PreparedStatement[]) => {
            const results = await env.DB.batch(statements);
            if (statements.length > 2) throw new Error("D1_ERROR: Network connection lost.");
            return results;
          }) as D1Database["batch"],
        },
        undefined,
        [0],
      );
      if (how === "lost") await fold(lossy);
      else await Promise.all([fold(), fold(), fold()]);
      for (const { id } of links) {
        expect(await rowsOf("click_hours", id)).toEqual([
          { hour: SEPTEMBER, people: 20, bots: 40, scans: 60, late: 80, folded: 1 },
        ]);
        expect((await rowsOf("click_days", id)).map(({ people: number }) => number)).toEqual([80, 80, 80]);
      }
      expect(await scanRowsOf(asset.id)).toEqual([
        { hour: SEPTEMBER, people: 100, bots: 120, late: 140, folded: 1 },
      ]);
    },
  );

  it("are not lost if they arrive between the read and the write", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const asset = await createAsset(ws.ctx, { name: "Poster", link: link.id });
    await click(ws, link.id, SEPTEMBER + DAY_MS, { people: 3 });
    await scan(ws, asset.id, SEPTEMBER + DAY_MS, { people: 3 });
    const raced = new Set<string>();
    const db = createDatabase({
      prepare: (text) => env.DB.prepare(text),
      batch: (async (statements: D1PreparedStatement[]) => {
        // The first write of each table is refused, because more visits are written just before it.
        const table = /delete from "(\w+)"/.exec(textOf(statements.slice(1)))?.[1];
        if (table !== undefined && !raced.has(table)) {
          raced.add(table);
          await click(ws, link.id, SEPTEMBER + DAY_MS, { people: 4, late: 1 });
          await scan(ws, asset.id, SEPTEMBER + DAY_MS, { late: 2 });
        }
        return env.DB.batch(statements);
      }) as D1Database["batch"],
    });
    await fold(db);
    expect([...raced]).toEqual([
      ...["click_hours", "scan_hours", "click_days", "workspace_hours", "workspace_days"],
    ]);
    expect(await rowsOf("click_hours", link.id)).toMatchObject([{ people: 23, late: 5, folded: 1 }]);
    expect(await scanRowsOf(asset.id)).toMatchObject([{ people: 3, late: 10, folded: 1 }]);
    expect((await rowsOf("click_days", link.id)).map(({ people: number }) => number)).toEqual([23, 23, 23]);
    expect(await workspaceRowsOf(ws)).toEqual({
      hours: [{ hour: SEPTEMBER, people: 23, bots: 0, scans: 0, late: 5, folded: 1 }],
      days: ["country CH 23", "device mobile 23", "referrer  23"],
    });
    expect(await linkDaysOf(link.id)).toEqual([{ day: SEPTEMBER, visits: 23 }]);
  });

  it("that arrive late are added to their month", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await click(ws, link.id, SEPTEMBER, { people: 3 });
    await fold();
    await click(ws, link.id, SEPTEMBER + 5 * DAY_MS, { people: 4 });
    await fold();
    expect(await rowsOf("click_hours", link.id)).toEqual([
      { hour: SEPTEMBER, people: 7, bots: 0, scans: 0, late: 0, folded: 1 },
    ]);
  });
});
