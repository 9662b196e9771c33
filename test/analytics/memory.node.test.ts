import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { bufferOf, recordVisit } from "../../src/analytics/record";
import type { Env } from "../../src/context";

// In plain Node, whose heap can be measured. A slice of a long string keeps the whole string. A copy does not.

const MAX_VISITS = 20_000;
/** Enough visits to distinguish a kilobyte per visit from a whole header. */
const MEASURED_VISITS = 4_000;
const HEADER_BYTES = 100_000;
const MEGABYTE = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

beforeAll(() => {
  vi.stubGlobal("setTimeout", () => 0);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

function visitWith(db: D1Database, headers: Readonly<Record<string, string>>): void {
  const request = { method: "GET", headers: { get: (name: string) => headers[name] ?? null } };
  const env = { DB: db, CLICK_PACK_SECONDS: "20" } as Env;
  const link = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
  recordVisit(
    request as unknown as Request,
    { link, asset: null },
    { isAfterEnd: false, rule: null },
    0,
    env,
    {
      waitUntil: () => undefined,
    },
  );
}

function megabytesKept(headersOf: (visit: number) => Readonly<Record<string, string>>): number {
  const db = {} as D1Database;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let visit = 0; visit < MEASURED_VISITS; visit++) visitWith(db, headersOf(visit));
  collectGarbage();
  const kept = (process.memoryUsage().heapUsed - before) / MEGABYTE;
  const { visits } = bufferOf(db);
  expect(visits).toHaveLength(MEASURED_VISITS);
  const longest = (texts: (string | null)[]) => Math.max(...texts.map((text) => text?.length ?? 0));
  expect(longest(visits.map(({ agent }) => agent))).toBeLessThanOrEqual(512);
  expect(longest(visits.map(({ referrer }) => referrer))).toBeLessThanOrEqual(512);
  return kept;
}

const flat = (text: string): string => Buffer.from(text).toString("latin1");

it("a visit with long headers keeps at most 1 KB", () => {
  const filling = "x".repeat(HEADER_BYTES);
  const kept = megabytesKept((visit) => ({
    "user-agent": flat(`Mozilla/5.0 ${visit} ${filling}`),
    referer: flat(`https://host${visit}.example/${filling.slice(0, 5_000)}`),
  }));
  expect(kept).toBeLessThan((MEASURED_VISITS * 1_536) / MEGABYTE);
});

it("a visit with a referrer host of 100 KB keeps at most 1 KB", () => {
  const filling = "x".repeat(HEADER_BYTES);
  expect(megabytesKept((visit) => ({ referer: flat(`https://${visit}${filling}`) }))).toBeLessThan(
    (MEASURED_VISITS * 1_024) / MEGABYTE,
  );
});

it("the stored part of a header has at most 512 bytes in any script", () => {
  const db = {} as D1Database;
  const bytesOf = (text: string | null | undefined) => new TextEncoder().encode(text ?? "").length;
  for (const letter of ["x", "\u00e9", "\u20ac"]) {
    for (const length of [170, 171, 512, 513]) visitWith(db, { "user-agent": letter.repeat(length) });
  }
  const { visits } = bufferOf(db);
  expect(Math.max(...visits.map(({ agent }) => bytesOf(agent)))).toBeLessThanOrEqual(512);
  expect(visits[2]?.agent).toBe("x".repeat(512));
  expect(visits[5]?.agent).toBe("\u00e9".repeat(171));
});

it("visits beyond 20,000 are dropped", () => {
  const db = {} as D1Database;
  for (let visit = 0; visit < MAX_VISITS + 10; visit++) visitWith(db, { "user-agent": "Mozilla/5.0" });
  expect(bufferOf(db).visits).toHaveLength(MAX_VISITS);
});
