import { applyD1Migrations, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { getWorkspace } from "../../../src/access/service";
import { reportGroupLinks } from "../../../src/analytics/group-report";
import { listTopGroups, listTopLinks } from "../../../src/analytics/rankings";
import { reportTagVisits, reportVisits, type Scope } from "../../../src/analytics/report";
import { listVisitsOfLinks, sumVisitsOfTags } from "../../../src/analytics/visits-by-owner";
import { writeCounts } from "../../../src/analytics/write-visits";
import type { Context, Env } from "../../../src/context";
import { rangeOfDays } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { listLinks } from "../../../src/resources/links/list";
import { listLinksQuery } from "../../../src/resources/links/schema";
import { otherInstance, serviceContext, testEnv } from "../../harness";
import { metered } from "../../metered";
import { fill } from "./generate";
import { LINKS } from "./size";
import { fillVisits } from "./visits";

// The rows that reports of visits read, counted by D1, in a workspace with a given number of links that all have visits.

const FILL_MS = 600_000;
const TODAY = 20_500;
const MONTH = rangeOfDays("Europe/Zurich", TODAY - 29, TODAY);

describe(`of ${LINKS} visited links`, () => {
  const database = env.SCALE_VISITS;
  const links = LINKS;
  const { db, rows } = metered(database);
  const environment: Env = { ...otherInstance(testEnv), DB: db };
  let ctx: Context;

  beforeAll(async () => {
    await applyD1Migrations(database, env.TEST_MIGRATIONS);
    await fill(database, { links });
    await fillVisits(database, TODAY);
    const service = { ...serviceContext(environment), now: () => (TODAY + 1) * DAY_MS };
    ctx = { ...service, workspace: await getWorkspace(service, "workspace-1") };
  }, FILL_MS);

  const idOf = async (table: string, slug: string) =>
    (await database
      .prepare(`select public_id from ${table} where workspace_id = 1 and slug = ?`)
      .bind(slug)
      .first<string>("public_id")) ?? "";

  /** The rows that reading takes. */
  async function cost<T>(read: () => Promise<T>): Promise<{ result: T; read: number }> {
    Object.assign(rows, { read: 0 });
    const result = await read();
    return { result, read: rows.read };
  }

  /** Compares links of a ranking with their own reports. */
  async function expectOwnTotals(found: Awaited<ReturnType<typeof listTopLinks>>, range: typeof MONTH) {
    for (const { id, clicks, scans } of found) {
      const { totals } = await reportVisits(ctx, { link: id }, range, { compare: false });
      expect([clicks, scans]).toEqual([totals.clicks, totals.scans]);
    }
  }

  const report = (scope: Scope) => cost(() => reportVisits(ctx, scope, MONTH, { compare: true }));

  it.each<[string, () => Promise<Scope>]>([
    ["the workspace", async () => ({ workspace: true })],
    ["a group", async () => ({ group: await idOf("activity_groups", "group-0") })],
  ])("a report of %s reads its hours and days, however many links it has", async (_, scope) => {
    const { result, read } = await report(await scope());
    expect(result.totals.clicks).toBeGreaterThan(links / 10);
    // 1,500 hours, and some 110 values on each of 31 days, read twice as they are ranked.
    expect(read).toBeLessThanOrEqual(9_000);
  });

  it("figures of tags, and of a group's links and channels, read at most 2,000 links, or are not counted", async () => {
    const visited = async (where: string) =>
      (await database
        .prepare(
          `select count(*) as n from links where workspace_id = 1 and last_counted_hour >= ${MONTH.from} ${where}`,
        )
        .first<number>("n")) ?? 0;
    const isCounted = (await visited("and deleted_at is null")) <= 2_000;
    const bound = isCounted ? 2_000 * 75 : 6_100;
    const tag = await cost(async () =>
      reportTagVisits(ctx, await idOf("tags", "tag-0"), MONTH, { compare: false }),
    );
    const tags = await cost(() => sumVisitsOfTags(ctx, MONTH));
    expect([tag.result !== null, tags.result !== null]).toEqual([isCounted, isCounted]);
    expect(Math.max(tag.read, tags.read)).toBeLessThanOrEqual(bound * 2);
    const group = await cost(async () =>
      reportGroupLinks(ctx, await idOf("activity_groups", "group-0"), MONTH),
    );
    expect(group.result !== null).toBe(
      (await visited("and deleted_at is null and activity_group_id = 1")) <= 2_000,
    );
    expect(group.read).toBeLessThanOrEqual(2_000 * 75);
  });

  it("the links with the most visits are found among some ten thousand days of links", async () => {
    const { result, read } = await cost(() => listTopLinks(ctx, MONTH, 5));
    expect(read).toBeLessThanOrEqual(45_000);
    const { results } = await database
      .prepare(
        `select public_id from links join visit_hours on owner_kind = 'link' and owner_id = links.id
            where links.workspace_id = 1 and hour >= ? and hour < ? group by links.id
            order by sum(visit_hours.clicks + visit_hours.scans) desc, public_id limit 5`,
      )
      .bind(MONTH.from, MONTH.to)
      .all<{ public_id: string }>();
    expect(result.map(({ id }) => id)).toEqual(results.map(({ public_id: id }) => id));
    await expectOwnTotals(result, MONTH);
  });

  it("the links with the most visits of a local day are found among the thousand of two UTC days", async () => {
    const day = rangeOfDays("Pacific/Auckland", TODAY - 5, TODAY - 5);
    const { result, read } = await cost(() => listTopLinks(ctx, day, 5));
    // The hours of half a day of each, of which one has visits here.
    expect(read).toBeLessThanOrEqual(2_000 * 6);
    expect(result).toHaveLength(5);
    await expectOwnTotals(result, day);
  });

  it("the groups with the most visits have the numbers of their own pages", async () => {
    const { result, read } = await cost(() => listTopGroups(ctx, MONTH, 5));
    // Some ten thousand days, and 500 links of fifteen groups with up to twenty days and hours each.
    expect(read).toBeLessThanOrEqual(45_000 + 15 * 500 * 20);
    expect(result).toHaveLength(5);
    for (const { id, visits } of result) {
      const { totals } = await reportVisits(ctx, { group: id }, MONTH, { compare: false });
      expect(visits).toBe(totals.clicks + totals.scans);
    }
  });

  it("a page of the most visited links reads its links, and their visits a few rows each", async () => {
    const query = { ...listLinksQuery.parse({ per_page: "100" }), sort: "-visits" as const };
    const { result, read } = await cost(() => listLinks(ctx, query));
    expect(result.items).toHaveLength(100);
    expect(read).toBeLessThanOrEqual(1_000);
    const { read: second } = await cost(() => listLinks(ctx, { ...query, after: result.nextAfter ?? "" }));
    expect(second).toBeLessThanOrEqual(1_000);
    const ids = result.items.map(({ id }) => id);
    const { read: visits } = await cost(() => listVisitsOfLinks(ctx, ids, MONTH));
    expect(visits).toBeLessThanOrEqual(100 * 22);
  });

  it("a first click of a day writes some twenty rows and a later one fourteen at most, with five of the queue, at every size", async () => {
    // Links in a group have one index more.
    const free = "workspace_id = 1 and activity_group_id is null and visits > 0 and deleted_at is null";
    const id =
      (await database.prepare(`select public_id from links where ${free}`).first<string>("public_id")) ?? "";
    const hour = (TODAY + 2) * DAY_MS + 9 * HOUR_MS;
    const day = hour - (hour % DAY_MS);
    const write = async () => {
      Object.assign(rows, { read: 0, written: 0 });
      await writeCounts(ctx, {
        hours: [{ link: id, asset: null, hour, clicks: 1, scans: 0, bots: 0, after_end: 0, last: hour }],
        days: [{ link: id, day, dimension: "total", value: "", visits: 1 }],
      });

      return { ...rows };
    };
    expect((await write()).written).toBe(22);
    const { read, written } = await write();
    expect(written).toBeLessThanOrEqual(14);
    expect(read).toBeLessThanOrEqual(80);
  });
});
