import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { upsertDays } from "../../src/analytics/apply-repository";
import { publicSuffixes } from "../../src/analytics/public-suffixes";
import { insertBatch } from "../../src/analytics/queue-repository";
import { referrerDomain } from "../../src/analytics/referrer";
import type { Counts } from "../../src/analytics/visit-buffer";
import { createDatabase } from "../../src/db/client";
import { newMeter } from "../../src/db/meter";
import { orm } from "../../src/db/prepared";
import { newId } from "../../src/lib/ids";
import { makeWorkspace } from "../harness";
import { selectRows } from "../sql";

const DAY = Date.UTC(2026, 4, 1);
async function makeLink() {
  const ws = await makeWorkspace();
  return ws.link();
}

async function referrersOf(link: string): Promise<Record<string, number>> {
  const results = await selectRows<{
    value: string;
    visits: number;
  }>`select value, visit_days.visits as visits
      from visit_days join links on links.id = owner_id
      where owner_kind = 'link' and public_id = ${link} and dimension = 'referrer' order by value`;
  return Object.fromEntries(results.map(({ value, visits }) => [value, visits]));
}

const people = (referrers: Record<string, number>): number =>
  Object.values(referrers).reduce((sum, number) => sum + number, 0);

const day = (link: string, value: string, number = 1) => ({
  link,
  day: DAY,
  dimension: "referrer" as const,
  value,
  visits: number,
});

/** Writes days in one batch, and returns the number of rows read. */
async function write(days: Counts["days"]): Promise<number> {
  const meter = newMeter();
  await createDatabase(env.DB, meter).writeOnce(
    insertBatch(newId(Date.now()), Date.now(), { hours: [], days }),
    upsertDays(Number.MAX_SAFE_INTEGER),
    orm.run(sql`update visit_queue set counts = null where counts is not null`),
  );
  return meter.rowsRead;
}

describe("the referrer of a visit", () => {
  const longest = `${`${"a".repeat(59)}.`.repeat(4)}${"b".repeat(9)}.com`;

  it.each([
    ["https://www.Example.com:8443/path?q=secret", "example.com"],
    ["http://example.com", "example.com"],
    ["android-app://com.example/", ""],
    ["xhttp://example.com/", ""],
    ["httpsx://example.com/", ""],
    ["no address", ""],
    [null, ""],
    [`https://${longest}/`, "bbbbbbbbb.com"],
    [`https://x${longest}/`, ""],
    ["https://a.b.news.co.uk", "news.co.uk"],
    ["https://example.com.", "example.com"],
    ["https://www.bücher.example", "xn--bcher-kva.example"],
    ["https://me.github.io", "github.io"],
    ["https://co.uk", ""],
    ["https://localhost", ""],
    ["https://203.0.113.7", ""],
    ["https://[2001:db8::1]", ""],
    ["https://user:secret@www.example.com", "example.com"],
    [`https://${"a".repeat(64)}.example`, ""],
  ])("%s counts as the registrable domain %j", async (referrer, domain) => {
    expect(referrerDomain(referrer, await publicSuffixes(env.ASSETS))).toBe(domain);
  });
});

describe("the referrers of a link and day", () => {
  it("are at most 100 if two instances write packs in turn", async () => {
    const { id } = await makeLink();
    for (let number = 0; number < 30; number++) {
      const pack = (instance: string) =>
        Array.from({ length: 10 }, (_, index) => day(id, `${instance}${number * 10 + index}.example`));
      await Promise.all([write(pack("one")), write(pack("two"))]);
    }
    const referrers = await referrersOf(id);
    expect(Object.keys(referrers)).toHaveLength(101);
    expect(people(referrers)).toBe(600);
  });

  it("that are known still count when the limit is reached, and so do visits without one", async () => {
    const { id } = await makeLink();
    await write(Array.from({ length: 100 }, (_, index) => day(id, `r${index}.example`)));
    await write([day(id, "r7.example", 5), day(id, "new.example", 2), day(id, "", 3)]);
    const referrers = await referrersOf(id);
    expect([referrers["r7.example"], referrers["other"], referrers[""]]).toEqual([6, 2, 3]);
    expect(referrers["new.example"]).toBeUndefined();
  });

  it("fill the remaining places by their number of people", async () => {
    const { id } = await makeLink();
    await write(Array.from({ length: 98 }, (_, index) => day(id, `r${index}.example`)));
    await write([
      day(id, "a.example"),
      day(id, "b.example", 3),
      day(id, "c.example", 2),
      day(id, "other", 4),
    ]);
    const { "b.example": b, "c.example": c, "a.example": a, other } = await referrersOf(id);
    expect([a, b, c, other]).toEqual([undefined, 3, 2, 5]);
  });

  it("are counted for the first hundred of a batch alone, and cost a few lookups beyond", async () => {
    const { id } = await makeLink();
    const referrers = (count: number) =>
      Array.from({ length: count }, (_, index) => day(id, `${count}-${index}.example`));
    await write(referrers(100));
    const [one, hundred, thousand] = [
      await write(referrers(1)),
      await write(referrers(100)),
      await write(referrers(1_000)),
    ];
    // The link and its workspace are two owners. Rows that the statement materialises count as rows read.
    expect(one).toBeLessThan(2 * 130);
    expect(hundred).toBeLessThan(2 * 100 * 130);
    expect(thousand - hundred).toBeLessThan(2 * 900 * 20);
  });
});
