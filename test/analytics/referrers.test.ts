import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { publicSuffixes } from "../../src/analytics/public-suffixes";
import { applyAll } from "../../src/analytics/queue";
import { insertBatch } from "../../src/analytics/queue-repository";
import { referrerDomain } from "../../src/analytics/referrer";
import type { Counts } from "../../src/analytics/visit-buffer";
import { createDatabase } from "../../src/db/client";
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
  }>`select origin.key as value, origin.value as visits
      from visit_days join links on links.id = owner_id join json_each(origins, '$.referrer') as origin
      where owner_kind = 'link' and public_id = ${link} order by 1`;
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

/** Writes days in one batch, and adds it up. */
async function write(days: Counts["days"]): Promise<void> {
  const db = createDatabase(env.DB);
  await db.writeOnce(insertBatch(newId(Date.now()), Date.now(), { hours: [], days }));
  await applyAll({ db, now: Date.now });
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
});
