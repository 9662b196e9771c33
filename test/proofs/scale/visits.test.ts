import { applyD1Migrations, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { countVisits } from "../../../src/analytics/count";
import { reportGroupLinks } from "../../../src/analytics/group-report";
import { applyAll, applyQueued } from "../../../src/analytics/queue";
import { insertBatch } from "../../../src/analytics/queue-repository";
import { listTopGroups, listTopLinks } from "../../../src/analytics/rankings";
import { type ReportSubject, reportTagVisits, reportVisits } from "../../../src/analytics/report";
import { listVisitsOfLinks, sumVisitsOfTags } from "../../../src/analytics/visits-by-owner";
import { type Visit, writeCounts } from "../../../src/analytics/write-visits";
import type { Context, Env } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { newId } from "../../../src/lib/ids";
import { rangeOfDays } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/lib/time";
import { listLinksQuery } from "../../../src/resources/links/link-schema";
import { listLinks } from "../../../src/resources/links/list-links";
import { getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { otherInstance, serviceContext, testEnv } from "../../harness";
import { metered } from "../../metered";
import { overriding } from "../../overriding";
import { fill } from "./generate";
import { LINKS } from "./size";
import { fillVisits } from "./visits";

// The rows that reports of visits read, counted by D1, in a workspace with a given number of links that all have visits.

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const DESKTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

/** Numbers from 0 to below 1, the same each time. */
const seeded =
  (state = 1) =>
  () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };

const FILL_MS = 600_000;
const TODAY = 20_500;
/** In winter, an hour ahead of UTC. */
const ZONE = "Europe/Zurich";
const MONTH = rangeOfDays(ZONE, TODAY - 29, TODAY);

describe(`of ${LINKS} visited links`, () => {
  const database = env.SCALE_VISITS;
  const links = LINKS;
  const { db, rows } = metered(database);
  const environment: Env = { ...otherInstance(testEnv), DB: db };
  let ctx: Context;

  beforeAll(async () => {
    await applyD1Migrations(database, env.TEST_MIGRATIONS);
    await fill(database, { links });
    await database.prepare("update workspaces set time_zone = ?").bind(ZONE).run();
    await fillVisits(database, TODAY, HOUR_MS);
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

  const report = (subject: ReportSubject) => cost(() => reportVisits(ctx, subject, MONTH, { compare: true }));

  it.each<[string, () => Promise<ReportSubject>]>([
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
          `select count(*) as n from links where workspace_id = 1 and last_counted_day >= ${MONTH.from} ${where}`,
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

  it("the links with the most visits of a day are found among its thousand", async () => {
    const day = rangeOfDays(ZONE, TODAY - 5, TODAY - 5);
    const { result, read } = await cost(() => listTopLinks(ctx, day, 5));
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

  it("a first click of a day apart from others writes 14 rows and a later one 12, at every size", async () => {
    // Links in a group have one index more.
    const free = "workspace_id = 1 and activity_group_id is null and visits > 0 and deleted_at is null";
    const id =
      (await database.prepare(`select public_id from links where ${free}`).first<string>("public_id")) ?? "";
    const hour = (TODAY + 2) * DAY_MS + 9 * HOUR_MS;
    const write = async () => {
      Object.assign(rows, { read: 0, written: 0 });
      await writeCounts(ctx, {
        hours: [{ link: id, asset: null, hour, clicks: 1, scans: 0, bots: 0, after_end: 0, last: hour }],
        days: [],
      });
      return { ...rows };
    };
    // The batch, which comes and goes, and its run; for link and workspace an hour, a day with an index and totals, of the
    // link with an index; on the first day its index of visited links.
    expect((await write()).written).toBe(14);
    const { read, written } = await write();
    expect(written).toBe(12);
    expect(read).toBeLessThanOrEqual(80);
  });

  /** Links that visits choose by Zipf's law. */
  async function chooser(number: number) {
    const { results } = await database
      .prepare("select public_id from links where workspace_id = 1 and deleted_at is null limit ?")
      .bind(number)
      .all<{ public_id: string }>();
    const random = seeded();
    let total = 0;
    const upTo = results.map((_, index) => {
      total += 1 / (index + 1);
      return total;
    });
    const one = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
    const chooseLink = (): string => {
      const drawn = random() * total;
      return results[upTo.findIndex((sum) => sum > drawn)]?.public_id ?? "";
    };
    const visitAt = (at: number, link = chooseLink()): Visit => ({
      ...{ link, asset: null, isAfterEnd: false, rule: null, at, follows: random() < 0.9 },
      agent: one([PHONE, PHONE, DESKTOP]),
      referrer: one([
        null,
        null,
        "https://www.google.com",
        `https://site${Math.floor(random() * 50)}.example`,
      ]),
      country: one(["CH", "CH", "DE", "FR", "AT"]),
    });
    return { random, visitAt };
  }

  it("a day of 5,000 visits to 1,000 links, each in a batch of its own, writes at most eight rows a visit", async () => {
    const { random, visitAt } = await chooser(1_000);
    const from = (TODAY + 10) * DAY_MS;
    const times = Array.from({ length: 5_000 }, () => from + Math.floor(random() * DAY_MS)).toSorted();
    Object.assign(rows, { read: 0, written: 0 });
    for (let minute = from; minute <= from + DAY_MS + HOUR_MS; minute += MINUTE_MS) {
      while (times[0] !== undefined && times[0] < minute) {
        const at = times.shift() ?? 0;
        const counts = countVisits([visitAt(at)], new Set());
        await ctx.db.writeOnce(insertBatch(newId(at), at, counts));
      }
      await applyQueued({ db: ctx.db, now: () => minute });
    }
    expect(await database.prepare("select count(*) as n from visit_queue").first("n")).toBe(0);
    expect(rows.written / 5_000).toBeLessThanOrEqual(8);
    // The free plan has 5 million.
    expect(rows.read).toBeLessThanOrEqual(500_000);
  });

  it("a backlog is added up at 2,500 links a second, in batches of statements that others hardly wait for", async () => {
    const { visitAt } = await chooser(links);
    const at = Date.now();
    let [bytes, counts] = [0, 0];
    for (let batch = 0; batch < 400; batch++) {
      const visits = Array.from({ length: 50 }, () => visitAt(at));
      const insert = insertBatch(newId(at), at, countVisits(visits, new Set()));
      bytes += String(insert.params[1]).length;
      counts += new Set(visits.map(({ link }) => link)).size;
      await ctx.db.writeOnce(insert);
    }
    const writes: number[] = [];
    const timed = overriding(database, {
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await database.batch(statements);
        if (statements.length > 3) writes.push(results.reduce((sum, { meta }) => sum + meta.duration, 0));
        return results;
      },
    });
    const from = Date.now();
    await applyAll({ db: createDatabase(timed), now: Date.now });
    expect((counts / (Date.now() - from)) * 1_000).toBeGreaterThan(2_500);
    expect(bytes / counts).toBeLessThan(200);
    // All are alike. The longest has waited for other programs.
    expect(writes.toSorted((one, other) => one - other)[writes.length >> 1]).toBeLessThan(300);
  });
});
