import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { applyBeforeJob, applyBeforeReport, applyChunk, applyQueued } from "../../src/analytics/queue";
import { insertBatch } from "../../src/analytics/queue-repository";
import { bufferOf } from "../../src/analytics/record";
import { reportVisits } from "../../src/analytics/report";
import { createDatabase } from "../../src/db/client";
import { newMeter } from "../../src/db/meter";
import { newId } from "../../src/lib/ids";
import { rangeOfDays } from "../../src/lib/range";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/lib/time";
import { recountWorkspaces } from "../../src/operations/consistency/doctor";
import { runSchedule } from "../../src/operations/schedule";
import { getLinkDetails } from "../../src/resources/links/link-details";
import { makeWorkspace, otherInstance, type TestWorkspace, testEnv } from "../harness";
import { runSql, selectRows, selectValue } from "../sql";
import { applyNow, type Batch, ownD1, simulateInstance } from "./platform";

const DAY = Date.UTC(2026, 10, 1);
const NOON = DAY + 12 * HOUR_MS;

const instances: ReturnType<typeof simulateInstance>[] = [];
function instanceWith(db?: D1Database) {
  const instance = simulateInstance("5", db);
  instances.push(instance);
  return instance;
}

beforeEach(async () => {
  await runSql`delete from visit_queue`;
  await runSql`delete from visit_runs`;
});
afterEach(() => {
  for (const instance of instances.splice(0)) instance.restore();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const clicksOf = async (ws: TestWorkspace, link: string): Promise<number> =>
  (await getLinkDetails(ws.ctx, link)).visitTotals.clicks;

/** Clicks of a link at noon as a batch has them. */
const batchOf = (link: string, clicks: number) => ({
  hours: [{ link, asset: null, hour: NOON, clicks, scans: 0, bots: 0, after_end: 0, last: NOON }],
  days: [{ link, day: DAY, dimension: "country" as const, value: "CH", visits: clicks }],
});

/** Puts batches of one click each into the queue, as if they were counted some time ago. */
async function queue(ws: TestWorkspace, links: readonly string[], msAgo = MINUTE_MS): Promise<void> {
  const at = Date.now() - msAgo;
  for (const link of links)
    await ws.ctx.db.writeOnce(insertBatch(newId(at), at, batchOf(link, 1), Date.now()));
}

/** Batches that wait to be added up. */
const waiting = async (): Promise<number> =>
  (await selectValue<number>`select count(*) as n from visit_queue`) ?? 0;

async function makeLinks(number: number, fields = {}): Promise<{ ws: TestWorkspace; links: string[] }> {
  const ws = await makeWorkspace();
  const links: string[] = [];
  for (let made = 0; made < number; made++) links.push((await ws.link(fields)).id);
  return { ws, links };
}

const applyOnce = (now = Date.now): Promise<void> => applyQueued({ db: createDatabase(env.DB), now });

/** Adds up a chunk with a D1 whose batches go through `batch`. */
const applyThrough = (batch: Batch): Promise<boolean> =>
  applyChunk({ db: createDatabase(ownD1(batch), undefined, [0, 0]), now: Date.now });

describe("batches of clicks", () => {
  it("write one row whatever the number of links, and adding them up writes five rows a link", async () => {
    const { ws, links } = await makeLinks(10);
    const group = (await ws.group()).id;
    const written: number[] = [];
    const db = ownD1(async (statements) => {
      const results = await env.DB.batch(statements);
      written.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0));
      return results;
    });
    const instance = instanceWith(db);
    for (const link of links)
      await ws.call("PATCH", `/api/v1/links/${link}`, { body: { activity_group_id: group } });
    const visitAll = async () => {
      for (let visit = 0; visit < 3; visit++) for (const link of links) instance.visit(link);
      await instance.advance(5 * SECOND_MS);
      await applyChunk({ db: createDatabase(db), now: Date.now });
    };
    await visitAll();
    written.length = 0;
    await visitAll();
    // The batch, and later the run and the batch that goes. Each owner has an hour, a day with an index, and its totals, of
    // which those of links have an index too.
    expect(written).toEqual([1, 0, 0, 2 + 10 * 5 + 4 + 4]);
    expect(await clicksOf(ws, links[9] ?? "")).toBe(6);
  });

  it("wait until somebody looks, who sees what is eight seconds old", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const instance = instanceWith();
    const ctx = { ...ws.ctx, now: Date.now, kv: otherInstance().KV };
    const seen: number[] = [];
    for (const pause of [0, 2 * SECOND_MS, SECOND_MS]) {
      instance.visit(link);
      await instance.advance(5 * SECOND_MS + pause);
      seen.push(await clicksOf(ws, link));
      await applyBeforeReport(ctx);
      seen.push(await clicksOf(ws, link));
      await queue(ws, [link]);
      await applyBeforeReport(ctx);
    }
    // The second time on an instance within three seconds adds up nothing.
    expect(seen).toEqual([0, 1, 1, 3, 3, 5]);
  });

  it("wait for an hour at most while few wait", async () => {
    const { ws, links } = await makeLinks(1);
    const clicksAfter = async (msAgo: number): Promise<number> => {
      await queue(ws, links, msAgo);
      await runSchedule("* * * * *", testEnv);
      return clicksOf(ws, links[0] ?? "");
    };
    expect(await clicksAfter(SECOND_MS)).toBe(0);
    expect(await clicksAfter(59 * MINUTE_MS)).toBe(0);
    expect(await clicksAfter(HOUR_MS)).toBe(3);
  });

  it("wait for five minutes at most while 500 wait", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    await queue(ws, [link], 4.5 * MINUTE_MS);
    await queue(ws, Array(498).fill(link));
    await applyOnce();
    expect(await clicksOf(ws, link)).toBe(0);
    await queue(ws, [link]);
    await applyOnce();
    expect([await clicksOf(ws, link), await waiting()]).toEqual([500, 0]);
  });

  it("are added up by a visit if no cron has done so", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const instance = instanceWith();
    const clicksAfter = async (msAgo: number): Promise<number> => {
      await queue(ws, [link], msAgo);
      instance.visit(link);
      await instance.advance(5 * SECOND_MS);
      return clicksOf(ws, link);
    };
    expect(await clicksAfter(74 * MINUTE_MS)).toBe(0);
    expect(await clicksAfter(75 * MINUTE_MS)).toBe(4);
  });

  it("are added up before a page and before a job, however many links they have", async () => {
    const ws = await makeWorkspace();
    const at = Date.now() - HOUR_MS;
    const queueMany = async () => {
      for (let batch = 0; batch < 3; batch++) {
        const links = Array.from({ length: 600 }, (_, index) => `${batch}-${index}`);
        const hours = links.flatMap((link) => batchOf(link, 1).hours);
        await ws.ctx.db.writeOnce(insertBatch(newId(at), at, { hours, days: [] }, Date.now()));
      }
    };
    const waitingAfter = async (apply: () => Promise<void>) => {
      await queueMany();
      await apply();
      return waiting();
    };
    const ctx = { ...ws.ctx, now: Date.now, config: { ...ws.ctx.config, maxStatements: 1_000 } };
    expect(await waitingAfter(() => applyBeforeReport({ ...ctx, kv: otherInstance().KV }))).toBe(0);
    expect(await waitingAfter(() => applyBeforeJob(ctx))).toBe(0);
    // An invocation of the free plan has no statements for a second chunk.
    const free = { ...ctx, config: { ...ctx.config, maxStatements: 50 }, kv: otherInstance().KV };
    expect(await waitingAfter(() => applyBeforeReport(free))).toBe(2);
  });

  it("are added up once at a time by an instance: other pages wait for that, for two seconds", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, links);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    const db = ownD1(async (statements) => {
      calls++;
      await released;
      return env.DB.batch(statements);
    });
    let now = Date.now();
    const ctx = { ...ws.ctx, db: createDatabase(db), now: () => now, kv: otherInstance().KV };
    const ended: number[] = [];
    const look = async (page: number) => {
      await applyBeforeReport(ctx);
      ended.push(page);
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const first = look(0);
    const pages = [1, 2].map((page) => {
      now += 4 * SECOND_MS;
      return look(page);
    });
    await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(calls).toBe(1);
    await Promise.all(pages);
    expect(ended).toEqual([1, 2]);
    vi.useRealTimers();
    release();
    await first;
    await look(3);
    // The batches, their links and assets, and the write: a run of its own would read once more.
    expect([await waiting(), calls]).toEqual([0, 3]);
  });

  it("are added up for a page at nobody's charge", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, links);
    const meter = newMeter();
    await applyBeforeReport({ ...ws.ctx, db: createDatabase(testEnv.DB, meter), kv: otherInstance().KV });
    expect(await waiting()).toBe(0);
    // The batches, their links and assets, and the write.
    expect([meter.calls, meter.common]).toEqual([3, meter.duration]);
  });

  it("stay in the memory of their instance while nothing was added up for two hours", async () => {
    const { ws, links } = await makeLinks(1);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const db = ownD1();
    const instance = instanceWith(db);
    const waitingAfter = async (msAgo: number, run: number): Promise<[number, number]> => {
      await runSql`delete from visit_queue`;
      await runSql`delete from visit_runs`;
      await runSql`insert into visit_runs (run, batches) values (${Date.now() - run}, '')`;
      await queue(ws, links, 0);
      await runSql`update visit_queue set batch = ${newId(Date.now() - msAgo)}`;
      instance.visit(links[0] ?? "");
      await instance.advance(4 * SECOND_MS);
      await instance.advance(SECOND_MS);
      return [bufferOf(db).batches.size, await waiting()];
    };
    vi.spyOn(env.DB, "batch");
    expect(await waitingAfter(HOUR_MS, 3 * HOUR_MS)).toEqual([0, 2]);
    expect(await waitingAfter(70 * MINUTE_MS, HOUR_MS)).toEqual([0, 2]);
    expect(await waitingAfter(3 * HOUR_MS, 3 * HOUR_MS)).toEqual([1, 1]);
    await applyNow();
    await instance.advance(60 * SECOND_MS);
    instance.visit(links[0] ?? "");
    await instance.advance(5 * SECOND_MS);
    expect([bufferOf(db).batches.size, await waiting()]).toEqual([0, 2]);
    expect(lines).not.toHaveBeenCalled();
  });

  it("of a link that is gone count for nobody, and hold no others back", async () => {
    const { ws, links } = await makeLinks(2);
    await queue(ws, ["01JZ8Q4V6T3K9M2N5P7R8S0W1Y", ...links]);
    await applyNow();
    expect([await clicksOf(ws, links[1] ?? ""), await waiting()]).toEqual([1, 0]);
  });

  it("are counted for the group that the link was in when they were counted", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const [previous, present] = [await ws.group(), await ws.group()];
    const moveTo = (group: { id: string } | null) =>
      ws.call("PATCH", `/api/v1/links/${link}`, { body: { activity_group_id: group?.id ?? null } });
    const visitsOf = async (group: { id: string }) =>
      (
        await reportVisits(ws.ctx, { group: group.id }, rangeOfDays("UTC", DAY / DAY_MS, DAY / DAY_MS), {
          compare: false,
        })
      ).totals.clicks;
    const countLater = async (batches: number) => {
      for (let count = 0; count < batches; count++) await queue(ws, [link], 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await countLater(1);
    await moveTo(previous);
    await countLater(2);
    await moveTo(present);
    await countLater(4);
    const before = await selectRows<{
      visits_before: number;
    }>`select visits_before from activity_group_items as item
      join links on links.id = item.link_id where links.public_id = ${link} order by item.id`;
    await moveTo(null);
    await countLater(1);
    await applyNow();
    expect([await visitsOf(previous), await visitsOf(present), await clicksOf(ws, link)]).toEqual([2, 4, 8]);
    const after = await selectRows<{
      visits_before: number;
    }>`select visits_before from activity_group_items as item
      join links on links.id = item.link_id where links.public_id = ${link} order by item.id`;
    // What had not been added up when an assignment began came before it too.
    const counts = (rows: { visits_before: number }[]) => rows.map((row) => row.visits_before);
    expect([counts(before), counts(after)]).toEqual([
      [0, 0],
      [1, 3],
    ]);
  });
});

describe("adding up", () => {
  it("counts each batch once if runs overlap, and batches arrive meanwhile", async () => {
    const { ws, links } = await makeLinks(3);
    await queue(ws, links);
    let writes = 0;
    const batch: Batch = async (statements) => {
      if (statements.length > 3 && writes++ < 2) await queue(ws, links);
      return env.DB.batch(statements);
    };
    await Promise.all([applyThrough(batch), applyThrough(batch), applyThrough(batch)]);
    await applyNow();
    const counted = [];
    for (const link of links) counted.push(await clicksOf(ws, link));
    expect([writes, counted]).toEqual([3, [3, 3, 3]]);
  });

  it.each(["before", "after"])(
    "counts each batch once if the connection is lost %s the commit",
    async (when) => {
      const { ws, links } = await makeLinks(2);
      await queue(ws, links);
      let lost = 0;
      const batch: Batch = async (statements) => {
        const isLost = statements.length > 3 && lost++ < 3;
        if (isLost && when === "before") throw new Error("D1_ERROR: Network connection lost.");
        const results = await env.DB.batch(statements);
        if (isLost) throw new Error("D1_ERROR: Network connection lost.");
        return results;
      };
      const run = applyThrough(batch);
      // The second try finds that a run was first, which was its own.
      if (when === "after") expect(await run).toBe(true);
      else await expect(run).rejects.toThrow();
      for (let runs = 0; runs < 4; runs++) await applyThrough((statements) => env.DB.batch(statements));
      expect([await clicksOf(ws, links[0] ?? ""), await clicksOf(ws, links[1] ?? "")]).toEqual([1, 1]);
      expect(await waiting()).toBe(0);
    },
  );

  /** Every order of three calls of D1 by each of two runs. */
  const ORDERS = Array.from({ length: 64 }, (_, bits) => bits.toString(2).padStart(6, "0")).filter(
    (order) => order.replaceAll("0", "").length === 3,
  );

  it("counts each batch once, and names 100 referrers, in whatever order two runs call D1", async () => {
    expect(ORDERS).toHaveLength(20);
    const { ws, links } = await makeLinks(ORDERS.length);
    for (const [index, order] of ORDERS.entries()) {
      const link = links[index] ?? "";
      const arrive = async (name: string) => {
        const days = Array.from({ length: 60 }, (_, number) => ({
          ...{ link, day: DAY, dimension: "referrer" as const, value: `${name}${number}.example`, visits: 1 },
        }));
        const at = Date.now();
        await ws.ctx.db.writeOnce(insertBatch(newId(at), at, { ...batchOf(link, 60), days }));
      };
      await arrive("first");
      let turns = order;
      const inTurn = async (name: string): Promise<void> => {
        await applyThrough(async (statements) => {
          while (turns !== "" && turns[0] !== name) await new Promise((resolve) => setTimeout(resolve, 0));
          if (turns === order) await arrive("second");
          const results = env.DB.batch(statements);
          await results.catch(() => undefined);
          turns = turns.slice(1);
          return results;
        });
        turns = turns.replaceAll(name, "");
      };
      await Promise.all([inTurn("0"), inTurn("1")]);
      await applyNow();
      const referrers = await selectRows<{
        key: string;
        value: number;
      }>`select origin.key, origin.value from visit_days
        join links on links.id = owner_id join json_each(origins, '$.referrer') as origin
        where owner_kind = 'link' and public_id = ${link}`;
      const people = referrers.reduce((sum, { value }) => sum + value, 0);
      expect([order, await clicksOf(ws, link), referrers.length, people]).toEqual([order, 120, 101, 120]);
    }
  });

  it("takes no batch twice that arrives again once it was added up", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const at = Date.now() - 11 * HOUR_MS;
    await runSql`insert into visit_runs (run, batches) values (${Date.now() - HOUR_MS}, '')`;
    const again = insertBatch(newId(at), at, batchOf(link, 1), Date.now());
    for (let time = 0; time < 2; time++) {
      // Others are added up with it.
      await queue(ws, [link, link]);
      for (let tries = 0; tries < 2; tries++) await ws.ctx.db.writeOnce(again);
      await applyNow();
    }
    expect([await clicksOf(ws, link), await waiting()]).toEqual([5, 0]);
  });

  it("drops and logs a batch that is none, and counts all others", async () => {
    const { ws, links } = await makeLinks(2);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    await queue(ws, links);
    for (const counts of [
      "",
      "{}",
      "[[1,[],[]]]",
      '[["l",[[null,1,-1,0,0,0,null]],[]]]',
      '[["l",[],[[1,"country","CH"]]]]',
    ])
      await runSql`insert into visit_queue (batch, counts) values (${newId(Date.now())}, ${counts})`;
    await queue(ws, links);
    await applyNow();
    expect(lines.mock.calls.flat()).toEqual(
      Array(5).fill('{"level":"error","error":"clicks_dropped","reason":"unreadable","clicks":0}'),
    );
    expect([await clicksOf(ws, links[0] ?? ""), await clicksOf(ws, links[1] ?? ""), await waiting()]).toEqual(
      [2, 2, 0],
    );
  });

  it("takes some 1,000 links at a time, and goes on until none wait", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const at = Date.now();
    const others = Array.from({ length: 3 }, () => Array.from({ length: 450 }, () => newId(at)));
    for (const [index, own] of others.entries()) {
      const counts = [link, ...own].map((one) => batchOf(one, 1));
      await ws.ctx.db.writeOnce(
        insertBatch(
          newId(at + index),
          at,
          { hours: counts.flatMap(({ hours }) => hours), days: [] },
          Date.now(),
        ),
      );
    }
    const through: Batch = (statements) => env.DB.batch(statements);
    expect([await applyThrough(through), await clicksOf(ws, link)]).toEqual([true, 2]);
    expect([await applyThrough(through), await clicksOf(ws, link)]).toEqual([false, 3]);
  });

  it("takes what several reads find at a time, and writes the counts of a link once", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const runs = () => env.DB.prepare("select count(*) from visit_runs").first<number>("count(*)");
    const before = (await runs()) ?? 0;
    await queue(ws, Array(1_001).fill(link), HOUR_MS);
    await applyOnce();
    expect([await clicksOf(ws, link), await waiting(), await runs()]).toEqual([1_001, 0, before + 1]);
  });

  it("drops a batch that D1 refuses even alone, and adds up those around it", async () => {
    const { ws, links } = await makeLinks(2);
    const [link = "", refused = ""] = links;
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const at = Date.now() - MINUTE_MS;
    for (const counts of [batchOf(link, 1), batchOf(refused, 666), batchOf(link, 2)])
      await ws.ctx.db.writeOnce(insertBatch(newId(at), at, counts, Date.now()));
    await env.DB.exec(
      "create trigger refused before insert on visit_hours when new.clicks = 666 begin select raise(abort, 'refused'); end",
    );
    try {
      await applyNow();
    } finally {
      await env.DB.exec("drop trigger refused");
    }
    expect([await clicksOf(ws, link), await clicksOf(ws, refused), await waiting()]).toEqual([3, 0, 0]);
    expect(lines.mock.calls.flat()).toEqual([
      '{"level":"error","error":"clicks_dropped","reason":"refused","clicks":666}',
    ]);
  });

  it("keeps all batches while the database misses a column", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, links);
    await env.DB.exec("alter table visit_hours rename column clicks to others");
    try {
      await expect(applyNow()).rejects.toThrow();
    } finally {
      await env.DB.exec("alter table visit_hours rename column others to clicks");
    }
    expect(await waiting()).toBe(1);
  });

  it("stops when its statements are spent", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, links, 2 * HOUR_MS);
    const apply = (left: number) => {
      const db = createDatabase(env.DB);
      return applyQueued({ db: { ...db, statementsLeft: () => left }, now: Date.now });
    };
    await apply(42);
    expect(await waiting()).toBe(1);
    await apply(43);
    expect(await waiting()).toBe(0);
  });

  it("is done by the doctor too", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, links, 15 * MINUTE_MS);
    await queue(ws, links, 9 * MINUTE_MS);
    expect(await recountWorkspaces(ws.ctx)).toEqual({ workspaces: expect.any(Number), repaired: [] });
    expect([await clicksOf(ws, links[0] ?? ""), await waiting()]).toEqual([2, 0]);
  });

  it("logs a warning if the first clicks of the queue waited for more than 75 minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
    const { ws, links } = await makeLinks(1);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    await queue(ws, links, 75 * MINUTE_MS);
    await applyOnce();
    expect(lines).not.toHaveBeenCalled();
    await queue(ws, links, 90 * MINUTE_MS);
    await applyOnce();
    expect(lines.mock.calls.flat()).toEqual([
      '{"level":"warning","error":"clicks_waiting","oldest_at":"2026-11-01T10:30:00.000Z"}',
    ]);
    expect(await clicksOf(ws, links[0] ?? "")).toBe(2);
  });
});
