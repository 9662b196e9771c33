import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { applyBeforeReport, applyQueued } from "../../src/analytics/queue";
import { insertBatch } from "../../src/analytics/queue-repository";
import { bufferOf } from "../../src/analytics/record";
import { reportVisits } from "../../src/analytics/report";
import { createDatabase } from "../../src/db/client";
import { newMeter } from "../../src/db/meter";
import { newId } from "../../src/lib/ids";
import { rangeOfDays } from "../../src/lib/range";
import { DAY_MS } from "../../src/lib/time";
import { recountWorkspaces } from "../../src/operations/consistency/service";
import { runSchedule } from "../../src/operations/schedule";
import { getLinkDetails } from "../../src/resources/links/details";
import { makeWorkspace, otherInstance, type TestWorkspace, testEnv } from "../harness";
import { runSql, selectValue } from "../sql";
import { applyNow, type Batch, ownD1, simulateInstance, textOf } from "./platform";

const SECOND_MS = 1_000;
const DAY = Date.UTC(2026, 10, 1);
const NOON = DAY + 12 * 3_600_000;

const instances: ReturnType<typeof simulateInstance>[] = [];
function instanceWith(db?: D1Database) {
  const instance = simulateInstance("5", db);
  instances.push(instance);
  return instance;
}

beforeEach(() => runSql`delete from visit_queue`);
afterEach(() => {
  for (const instance of instances.splice(0)) instance.restore();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const clicksOf = async (ws: TestWorkspace, link: string): Promise<number> =>
  (await getLinkDetails(ws.ctx, link)).visitTotals.clicks;

/** Clicks of a link at noon as a batch has them. */
/** A count without a value, which the database refuses. */
const NO_VALUE = null as unknown as string;

const batchOf = (link: string, clicks: number, value = "CH") => ({
  hours: [{ link, asset: null, hour: NOON, clicks, scans: 0, bots: 0, after_end: 0, last: NOON }],
  days: [{ link, day: DAY, dimension: "country" as const, value, visits: clicks }],
});

/** Puts batches of one click each into the queue, as if they were counted some seconds ago. */
async function queue(
  ws: TestWorkspace,
  links: readonly string[],
  { value = "CH", secondsAgo = 60 }: { value?: string | undefined; secondsAgo?: number } = {},
): Promise<void> {
  const at = Date.now() - secondsAgo * SECOND_MS;
  for (const link of links) {
    await ws.ctx.db.writeOnce(insertBatch(newId(at), at, batchOf(link, 1, value)));
  }
}

/** Batches that wait to be added up. */
const waiting = async (): Promise<number> =>
  (await selectValue<number>`select count(counts) as n from visit_queue`) ?? 0;

async function makeLinks(number: number, fields = {}): Promise<{ ws: TestWorkspace; links: string[] }> {
  const ws = await makeWorkspace();
  const links: string[] = [];
  for (let made = 0; made < number; made++) links.push((await ws.link(fields)).id);
  return { ws, links };
}

/** The job with a D1 whose batches go through `batch`. */
const applyThrough = (batch: Batch): Promise<void> =>
  applyQueued({ db: createDatabase(ownD1(batch), undefined, [0, 0]), now: Date.now });

const applyOnce = (): Promise<void> => applyThrough((statements) => env.DB.batch(statements));

describe("batches of clicks", () => {
  it("write a row whatever the number of links, and adding them up writes nine rows a link", async () => {
    const { ws, links } = await makeLinks(10);
    const group = (await ws.group()).id;
    for (const link of links)
      await ws.call("PATCH", `/api/v1/links/${link}`, { body: { activity_group_id: group } });
    const written: number[] = [];
    const db = ownD1(async (statements) => {
      const results = await env.DB.batch(statements);
      written.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0));
      return results;
    });
    const instance = instanceWith(db);
    const visitAll = async () => {
      for (let visit = 0; visit < 3; visit++) for (const link of links) instance.visit(link);
      await instance.advance(5 * SECOND_MS);
    };
    // The first visits of a day insert rows, later ones update them.
    await visitAll();
    written.length = 0;
    await visitAll();
    // A row with two indexes, the state and the chunk, and then the counts: some nine rows of a link, and eight each of the
    // workspace and the group.
    expect(written).toEqual([3, 0, 0, 108]);
    expect(await clicksOf(ws, links[9] ?? "")).toBe(6);
  });

  it("are counted at once while two instances write", async () => {
    const { ws, links } = await makeLinks(2);
    const [link = "", other = ""] = links;
    const instance = instanceWith();
    const counted: number[] = [];
    for (let batches = 0; batches < 3; batches++) {
      await queue(ws, [other], { secondsAgo: 0 });
      instance.visit(link);
      await instance.advance(5 * SECOND_MS);
      counted.push((await clicksOf(ws, link)) + (await clicksOf(ws, other)));
    }
    expect(counted).toEqual([2, 4, 6]);
  });

  it("wait for five minutes while more instances write, and a page of figures adds them up", async () => {
    const { ws, links } = await makeLinks(5);
    const [link = ""] = links;
    const instance = instanceWith();
    const clicksAfter = async (run: () => Promise<unknown>): Promise<number> => {
      await run();
      return clicksOf(ws, link);
    };
    const visited = async () => {
      instance.visit(link);
      await instance.advance(5 * SECOND_MS);
      await queue(ws, links.slice(1), { secondsAgo: 1 });
      instance.visit(link);
      await instance.advance(5 * SECOND_MS);
    };
    const ctx = { ...ws.ctx, kv: otherInstance().KV };
    const first = await clicksAfter(visited);
    expect(await clicksAfter(applyOnce)).toBe(first);
    expect(await clicksAfter(() => applyBeforeReport(ctx))).toBe(2);
    await queue(ws, [link], { secondsAgo: 280 });
    await queue(ws, links, { secondsAgo: 1 });
    expect(await clicksAfter(() => applyBeforeReport(ctx))).toBe(2);
    expect(await clicksAfter(applyOnce)).toBe(4);
    await queue(ws, [link], { secondsAgo: 270 });
    await queue(ws, links, { secondsAgo: 1 });
    expect(await clicksAfter(() => runSchedule("* * * * *", testEnv))).toBe(6);
  });

  it("are added up for a page at nobody's charge", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, links);
    const meter = newMeter();
    await applyBeforeReport({ ...ws.ctx, db: createDatabase(testEnv.DB, meter), kv: otherInstance().KV });
    expect(await waiting()).toBe(0);
    expect([meter.calls, meter.common]).toEqual([2, meter.duration]);
  });

  it("stay in the memory of their instance while the queue is full", async () => {
    const { ws, links } = await makeLinks(1);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    await runSql`insert into visit_queue (id, batch, counted_at, visits, bytes, counts)
        values (1, 'a', 0, 0, 0, '{}'), (50001, 'b', 0, 0, 0, '{}')`;
    const db = ownD1(async (statements) =>
      textOf(statements).startsWith("select") ? [] : env.DB.batch(statements),
    );
    const instance = instanceWith(db);
    instance.visit(links[0] ?? "");
    await instance.advance(5 * SECOND_MS);
    expect([bufferOf(db).batches.size, await waiting()]).toEqual([1, 2]);
    await applyNow();
    await instance.advance(60 * SECOND_MS);
    instance.visit(links[0] ?? "");
    await instance.advance(5 * SECOND_MS);
    await applyNow();
    expect([bufferOf(db).batches.size, await clicksOf(ws, links[0] ?? "")]).toEqual([0, 2]);
    expect(lines).not.toHaveBeenCalled();
  });

  it("of a link that is gone count for nobody, and hold no others back", async () => {
    const { ws, links } = await makeLinks(2);
    await queue(ws, ["01JZ8Q4V6T3K9M2N5P7R8S0W1Y", ...links]);
    await applyOnce();
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
    const countLater = () => queue(ws, [link], { secondsAgo: 0 });
    await countLater();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await moveTo(previous);
    for (let batches = 0; batches < 2; batches++) await countLater();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await moveTo(present);
    for (let batches = 0; batches < 4; batches++) await countLater();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await moveTo(null);
    await countLater();
    await applyNow();
    expect([await visitsOf(previous), await visitsOf(present), await clicksOf(ws, link)]).toEqual([2, 4, 8]);
  });
});

describe("adding up", () => {
  it("counts each batch once if runs overlap, and batches arrive meanwhile", async () => {
    const { ws, links } = await makeLinks(3);
    await queue(ws, links);
    let arrived = 0;
    const batch: Batch = async (statements) => {
      if (statements.length > 1 && arrived++ < 2) await queue(ws, links);
      return env.DB.batch(statements);
    };
    await Promise.all([applyThrough(batch), applyThrough(batch), applyThrough(batch)]);
    await applyNow();
    const counted = [];
    for (const link of links) counted.push(await clicksOf(ws, link));
    expect([arrived, counted]).toEqual([3, [3, 3, 3]]);
  });

  it.each(["before", "after"])(
    "counts each batch once if the connection is lost %s the commit",
    async (when) => {
      const { ws, links } = await makeLinks(2);
      await queue(ws, links);
      let lost = 0;
      const batch: Batch = async (statements) => {
        const isLost = statements.length > 1 && lost++ < 3;
        if (isLost && when === "before") throw new Error("D1_ERROR: Network connection lost.");
        const results = await env.DB.batch(statements);
        if (isLost) throw new Error("D1_ERROR: Network connection lost.");
        return results;
      };
      await expect(applyThrough(batch)).rejects.toThrow();
      for (let runs = 0; runs < 4; runs++) await applyOnce();
      expect([await clicksOf(ws, links[0] ?? ""), await clicksOf(ws, links[1] ?? "")]).toEqual([1, 1]);
      expect(await waiting()).toBe(0);
    },
  );

  it("drops and logs a batch that D1 refuses for good, and counts all others", async () => {
    const { ws, links } = await makeLinks(20);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const [refused = "", ...others] = links.toReversed();
    await queue(ws, others.slice(0, 12));
    await queue(ws, [refused], { value: NO_VALUE });
    await queue(ws, others.slice(12));
    let failures = 0;
    for (let runs = 0; (await waiting()) > 0; runs++) {
      expect(runs).toBeLessThan(60);
      await applyOnce().catch(() => failures++);
    }
    expect(failures).toBeGreaterThan(1);
    expect(lines.mock.calls.flat()).toEqual([
      '{"level":"error","error":"clicks_dropped","reason":"refused","clicks":1}',
    ]);
    const counted = [];
    for (const link of [refused, ...others]) counted.push(await clicksOf(ws, link));
    expect(counted).toEqual([0, ...others.map(() => 1)]);
  });

  it("leaves what is too much for one batch of statements to the next runs", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, Array(8).fill(links[0]));
    await runSql`update visit_queue set bytes = 5000000`;
    const counted: number[] = [];
    // A chunk ends with the batch that makes it 8 MB.
    for (let runs = 0; runs < 4; runs++) {
      await applyOnce();
      counted.push(await clicksOf(ws, links[0] ?? ""));
    }
    expect(counted).toEqual([2, 4, 6, 8]);
  });

  it("is done by the doctor too", async () => {
    const { ws, links } = await makeLinks(1);
    await queue(ws, links, { secondsAgo: 900 });
    await queue(ws, links, { secondsAgo: 540 });
    expect(await recountWorkspaces(ws.ctx)).toEqual({ workspaces: expect.any(Number), repaired: [] });
    expect([await clicksOf(ws, links[0] ?? ""), await waiting()]).toEqual([2, 0]);
  });

  it("logs a warning if the first clicks of the queue waited for more than ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
    const { ws, links } = await makeLinks(1);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    await queue(ws, links, { secondsAgo: 600 });
    await applyOnce();
    expect(lines).not.toHaveBeenCalled();
    await queue(ws, links, { secondsAgo: 900 });
    await applyOnce();
    expect(lines.mock.calls.flat()).toEqual([
      '{"level":"warning","error":"clicks_waiting","oldest_at":"2026-11-01T11:45:00.000Z"}',
    ]);
    expect(await clicksOf(ws, links[0] ?? "")).toBe(2);
  });
});
