import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { foldClicks } from "../../src/clicks/fold";
import { type DayRow, foldDays, foldedBefore, foldHours, monthOf } from "../../src/clicks/months";
import { exportClicks, exportOrigins, reportClicks } from "../../src/clicks/report";
import { createDatabase, type Database } from "../../src/db/client";
import { click } from "../console/clicks";
import { makeWorkspace, type TestWorkspace } from "../harness";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clicks before October 2025 are stored by month. */
const NOW = Date.UTC(2026, 10, 22, 12);
const [SEPTEMBER, OCTOBER] = [Date.UTC(2025, 8, 1), Date.UTC(2025, 9, 1)];

const fold = async (db: Database = createDatabase(env.DB, undefined, []), now = NOW): Promise<void> => {
  for (let portions = 0; portions < 200; portions++) if (!(await foldClicks({ db, now: () => now }))) return;
  throw new Error("Folding finds no end.");
};

async function rowsOf(table: "click_hours" | "click_days", link: string) {
  const { results } = await env.DB.prepare(
    `select ${table}.* from ${table} join links on links.id = link_id where public_id = ? order by 3, 4, 5`,
  )
    .bind(link)
    .all<Record<string, number | string>>();
  return results.map(({ workspace_id: _workspace, link_id: _link, ...row }) => row);
}

const people = async (ws: TestWorkspace, link: string, from: number, to: number): Promise<number> =>
  (await reportClicks(ws.ctx, { link }, from, to)).people;

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

  const row = (link: number, hour: number, number: number) => ({
    workspace_id: 1,
    link_id: link,
    hour: SEPTEMBER + hour * HOUR_MS,
    people: number,
    bots: 1,
  });

  it("become one hour row per link, and another from the hour in which an asset went live", () => {
    const rows = [row(1, 5, 1), row(1, 99, 2), row(1, 100, 4), row(1, 300, 8), row(2, 100, 16)];
    const live = new Map([[1, [SEPTEMBER + 100 * HOUR_MS]]]);
    expect(foldHours(rows, SEPTEMBER, live)).toEqual([
      { ...row(1, 0, 3), bots: 2 },
      { ...row(1, 100, 12), bots: 2 },
      row(2, 0, 16),
    ]);
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
    expect(hours[0]).toEqual({ hour: SEPTEMBER, people: 60, bots: 30, folded: 1 });
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

  it("stay separate from the clicks since an asset went live", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const live = SEPTEMBER + 10 * DAY_MS + 12 * HOUR_MS;
    for (const day of [2, 9, 10, 20]) await click(ws, link.id, SEPTEMBER + day * DAY_MS, { people: day });
    await env.DB.prepare(
      `insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, live_at, created_at, updated_at)
        select ?, workspace_id, id, 'Poster', 'poster', 'live', ?, 0, 0 from links where public_id = ?`,
    )
      .bind(`A-${link.id}`, live + 1_234, link.id)
      .run();
    expect(await people(ws, link.id, live, NOW)).toBe(30);
    await fold();
    expect(await people(ws, link.id, live, NOW)).toBe(30);
    expect(await people(ws, link.id, SEPTEMBER, NOW)).toBe(41);
    expect(await rowsOf("click_hours", link.id)).toHaveLength(2);
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
      for (const { id } of links)
        for (let day = 0; day < 20; day++)
          await click(ws, id, SEPTEMBER + day * DAY_MS, { people: 1, bots: 2 });
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
          { hour: SEPTEMBER, people: 20, bots: 40, folded: 1 },
        ]);
        expect((await rowsOf("click_days", id)).map(({ people: number }) => number)).toEqual([20, 20, 20]);
      }
    },
  );

  it("are not lost if they arrive between the read and the write", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await click(ws, link.id, SEPTEMBER + DAY_MS, { people: 3 });
    let late = 2;
    const raced = createDatabase({
      prepare: (text) => env.DB.prepare(text),
      batch: (async (statements: D1PreparedStatement[]) => {
        if (statements.length > 2 && late-- > 0) await click(ws, link.id, SEPTEMBER + DAY_MS, { people: 4 });
        return env.DB.batch(statements);
      }) as D1Database["batch"],
    });
    await fold(raced);
    const [hours, days] = [await rowsOf("click_hours", link.id), await rowsOf("click_days", link.id)];
    expect(hours.map(({ people: number }) => number)).toEqual([11]);
    expect(days.map(({ people: number }) => number)).toEqual([11, 11, 11]);
  });

  it("that arrive late are added to their month", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await click(ws, link.id, SEPTEMBER, { people: 3 });
    await fold();
    await click(ws, link.id, SEPTEMBER + 5 * DAY_MS, { people: 4 });
    await fold();
    expect(await rowsOf("click_hours", link.id)).toEqual([
      { hour: SEPTEMBER, people: 7, bots: 0, folded: 1 },
    ]);
  });
});

it("a month in which many assets of one link went live is folded", () => {
  const month = Date.UTC(2025, 0, 1);
  const row = { workspace_id: 1, link_id: 2, hour: month + HOUR_MS, people: 3, bots: 4 };
  const live = Array.from({ length: 200_000 }, () => month + HOUR_MS);
  expect(foldHours([row], month, new Map([[2, live]]))).toEqual([row]);
});
