import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { foldClicks } from "../../src/clicks/fold";
import { type DayRow, foldDays, foldedBefore, foldHours, monthOf } from "../../src/clicks/months";
import { exportClicks, exportOrigins, reportClicks } from "../../src/clicks/report";
import { reportScans } from "../../src/clicks/scans";
import { createDatabase, type Database } from "../../src/db/client";
import { createAsset } from "../../src/engagement/service";
import { click, scan } from "../console/clicks";
import { makeWorkspace } from "../harness";
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
      link_id: link,
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
    const of = (link: number) => folded.filter(({ link_id: id }) => id === link);
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
      for await (const links of await exportClicks(ws.ctx, group.id, SEPTEMBER, NOW))
        for (const row of links) exported += row.people + row.bots;
      let origins = 0;
      for await (const rows of await exportOrigins(ws.ctx, group.id, SEPTEMBER, NOW))
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
    expect([...raced]).toEqual(["click_hours", "scan_hours", "click_days"]);
    expect(await rowsOf("click_hours", link.id)).toMatchObject([{ people: 15, late: 3, folded: 1 }]);
    expect(await scanRowsOf(asset.id)).toMatchObject([{ people: 3, late: 6, folded: 1 }]);
    expect((await rowsOf("click_days", link.id)).map(({ people: number }) => number)).toEqual([15, 15, 15]);
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
