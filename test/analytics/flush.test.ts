import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bufferOf } from "../../src/analytics/record";
import { makeWorkspace } from "../harness";
import { runSql } from "../sql";
import { addsBatch, type Batch, clicksIn, ownD1, requestWith, simulateInstance } from "./platform";

const TOO_BIG = "D1_ERROR: string or blob too big: SQLITE_TOOBIG";
const DAILY_LIMIT = "Your account has exceeded D1's free tier daily row read limit.";
const SECOND_MS = 1_000;

let instance: ReturnType<typeof simulateInstance> | undefined;
afterEach(() => {
  instance?.restore();
  vi.restoreAllMocks();
});

const paramsOf = (statements: readonly D1PreparedStatement[]): string =>
  JSON.stringify(statements.map((statement) => (statement as unknown as { params: unknown[] }).params));

/** A D1 whose batches of clicks go through `write`. */
const clicksThrough = (write: Batch): D1Database =>
  ownD1((statements) => (addsBatch(statements) ? write(statements) : env.DB.batch(statements)));

async function makeLinks(number: number): Promise<string[]> {
  const ws = await makeWorkspace();
  const links: string[] = [];
  for (let index = 0; index < number; index++) links.push((await ws.link()).id);
  return links;
}

describe("batches of clicks", () => {
  it("bind values of less than 256 KB each, even if all visits differ", async () => {
    const links = await makeLinks(40);
    const sizes: number[] = [];
    const db = clicksThrough((statements) => {
      sizes.push(...statements.map((statement) => paramsOf([statement]).length));
      return env.DB.batch(statements);
    });
    instance = simulateInstance("5", db);
    for (let visit = 0; visit < 6_000; visit++) {
      // Referrers are few in a batch, whatever strangers invent; countries are not.
      const country = String.fromCharCode(65 + (Math.floor(visit / 26) % 26), 65 + (visit % 26));
      instance.visit(links[visit % links.length] ?? "", requestWith({ "x-country": country }));
    }
    await instance.advance(5 * SECOND_MS);
    expect(sizes.length).toBeGreaterThan(1);
    // The parameters of a statement are escaped once more here.
    expect(Math.max(...sizes)).toBeLessThan(320 * 1024);
    expect(bufferOf(db).batches.size).toBe(0);
    let clicks = 0;
    for (const link of links) clicks += await clicksIn(link);
    expect(clicks).toBe(6_000);
  });

  it("that D1 refuses for their size are dropped and logged, and do not block others", async () => {
    const [large = "", other = ""] = await makeLinks(2);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    let refused = 0;
    const db = clicksThrough(async (statements) => {
      if (!paramsOf(statements).includes(large)) return env.DB.batch(statements);
      refused++;
      throw new Error(TOO_BIG);
    });
    instance = simulateInstance("5", db);
    for (let visit = 0; visit < 3; visit++) instance.visit(large);
    await instance.advance(5 * SECOND_MS);
    instance.visit(other);
    await instance.advance(5 * SECOND_MS);
    expect([refused, await clicksIn(other), bufferOf(db).batches.size]).toEqual([1, 1, 0]);
    expect(lines.mock.calls.flat()).toEqual([
      '{"level":"error","error":"clicks_dropped","reason":"refused","clicks":3}',
    ]);
  });

  it.each([
    ["a constraint", "D1_ERROR: CHECK constraint failed: click_days_dimension: SQLITE_CONSTRAINT", 0],
    ["an overloaded database", "D1_ERROR: D1 DB is overloaded. Requests queued for too long.", 1],
  ])("are kept after %s only if a retry can help", async (_, message, kept) => {
    const [link = ""] = await makeLinks(1);
    vi.spyOn(console, "error").mockReturnValue();
    const db = clicksThrough(() => Promise.reject(new Error(message)));
    instance = simulateInstance("5", db);
    instance.visit(link);
    await instance.advance(5 * SECOND_MS);
    expect(bufferOf(db).batches.size).toBe(kept);
  });

  it("that wait for D1 are at most 64 and at most 25 hours old, and dropped ones are logged", async () => {
    const [link = ""] = await makeLinks(1);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    let isOut = true;
    const db = clicksThrough((statements) =>
      isOut ? Promise.reject(new Error("D1_ERROR: D1 DB is overloaded.")) : env.DB.batch(statements),
    );
    instance = simulateInstance("5", db);
    for (let pack = 0; pack < 70; pack++) {
      instance.visit(link);
      await instance.advance(6 * SECOND_MS);
      // One that was never sent grows instead.
      for (const batch of bufferOf(db).batches.values()) batch.isSent = true;
    }
    expect(bufferOf(db).batches.size).toBe(64);
    expect(lines).toHaveBeenCalledTimes(6);
    isOut = false;
    await instance.advance(25 * 3600 * SECOND_MS);
    instance.visit(link);
    await instance.advance(6 * SECOND_MS);
    expect(bufferOf(db).batches.size).toBe(0);
    expect(await clicksIn(link)).toBe(1);
    expect(lines.mock.calls.flat().filter((line) => String(line).includes('"reason":"old"'))).toHaveLength(
      64,
    );
  });

  it("are kept while D1's limit of a day lasts, and are added up although no cron runs", async () => {
    const [link = ""] = await makeLinks(1);
    await runSql`delete from visit_runs`;
    let isOut = true;
    const db = clicksThrough((statements) =>
      isOut ? Promise.reject(new Error(`D1_ERROR: ${DAILY_LIMIT}`)) : env.DB.batch(statements),
    );
    instance = simulateInstance("5", db);
    instance.visit(link);
    await instance.advance(24 * 3600 * SECOND_MS);
    isOut = false;
    // The first flush writes one batch, which is so old that others wait until it is added up.
    for (let flush = 0; flush < 2; flush++) {
      instance.visit(link);
      await instance.advance(6 * SECOND_MS);
    }
    expect(bufferOf(db).batches.size).toBe(0);
    expect(await clicksIn(link)).toBe(3);
  });

  it("grow while D1's limit of a day lasts, so that an instance that has visits all along loses none", async () => {
    const [link = "", other = ""] = await makeLinks(2);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const sent = new Map<unknown, string>();
    let isOut = true;
    const db = clicksThrough((statements) => {
      const { params } = statements[0] as unknown as { params: unknown[] };
      const counts = sent.get(params[0]) ?? String(params[1]);
      // A batch that was sent once may have been written.
      expect(params[1]).toBe(counts);
      sent.set(params[0], counts);
      return isOut ? Promise.reject(new Error(`D1_ERROR: ${DAILY_LIMIT}`)) : env.DB.batch(statements);
    });
    instance = simulateInstance("5", db);
    for (let minute = 0; minute < 10; minute++) {
      for (let visit = 0; visit < 12; visit++) {
        instance.visit(visit === 0 ? other : link);
        await instance.advance(5 * SECOND_MS);
      }
      // Of later hours. The clicks of ten minutes are in few batches.
      await instance.advance(2 * 3600 * SECOND_MS);
    }
    expect(bufferOf(db).batches.size).toBeLessThan(64);
    isOut = false;
    for (let flush = 0; flush < 4; flush++) {
      instance.visit(link);
      await instance.advance(6 * SECOND_MS);
    }
    expect(bufferOf(db).batches.size).toBe(0);
    expect([await clicksIn(link), await clicksIn(other)]).toEqual([114, 10]);
    expect(lines).not.toHaveBeenCalled();
  });

  it("are written sixteen at a time, so that an invocation stays below fifty queries", async () => {
    const [link = ""] = await makeLinks(1);
    let isOut = true;
    let batches = 0;
    let queries = 0;
    const db = clicksThrough((statements) => {
      if (isOut) return Promise.reject(new Error("D1_ERROR: D1 DB is overloaded."));
      batches++;
      queries += statements.length;
      return env.DB.batch(statements);
    });
    instance = simulateInstance("5", db);
    for (let pack = 0; pack < 60; pack++) {
      instance.visit(link);
      await instance.advance(6 * SECOND_MS);
    }
    isOut = false;
    instance.visit(link);
    await instance.advance(6 * SECOND_MS);
    expect(batches).toBe(14);
    expect(queries).toBeLessThan(50);
    for (let pack = 0; pack < 5; pack++) {
      instance.visit(link);
      await instance.advance(6 * SECOND_MS);
    }
    expect(bufferOf(db).batches.size).toBe(0);
    expect(await clicksIn(link)).toBe(66);
  });
});
