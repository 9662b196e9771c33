import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { writeCounts } from "../../src/analytics/write-visits";
import type { Env } from "../../src/context";
import { DAY_MS, HOUR_MS, startOfUtcDay } from "../../src/lib/time";
import { removeExpired } from "../../src/operations/retention/remove-expired";
import { addDomain } from "../../src/resources/domains/domain-service";
import { removeDomain } from "../../src/resources/domains/remove-domain";
import { listUnknown, listUnknownOfShortHost } from "../../src/resources/unknown-addresses/list-unknown";
import { suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import { applyNow, ownD1 } from "../analytics/platform";
import {
  makeWorkspace,
  otherInstance,
  SHORT,
  send,
  serviceContext,
  type TestWorkspace,
  testEnv,
} from "../harness";
import { runSql, selectRows, selectValue } from "../sql";

const PERSON = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36" };
const BOT = { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" };
const unique = () => `u${crypto.randomUUID().slice(0, 8)}`;

/** An instance that counts what it is asked for a few milliseconds later. */
const counting = (): Env => otherInstance({ ...testEnv, DB: ownD1(), CLICK_PACK_SECONDS: "0.01" });

async function withDomain() {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `${unique()}.acme.example`, true);
  return { ws, host };
}

const ask = (url: string, init: RequestInit = { headers: PERSON }, environment = counting()) =>
  send(new Request(url, { redirect: "manual", ...init }), environment);

const countsOf = async ({ ctx }: TestWorkspace) => {
  await applyNow();
  return (await listUnknown(ctx)).addresses.map(({ slug, recent }) => [slug, recent]);
};

/** Counts as if that many people had asked for an address on a day. */
const asked = (
  { ctx }: Pick<TestWorkspace, "ctx">,
  addresses: readonly string[],
  visits: number,
  daysAgo = 0,
) =>
  writeCounts(ctx, {
    hours: addresses.map((link) => ({
      ...{ link, asset: null, hour: startOfUtcDay(Date.now()) - daysAgo * DAY_MS + HOUR_MS, last: null },
      ...{ clicks: 0, scans: 0, bots: 0, after_end: visits },
    })),
    days: [],
  });

const rowsOf = ({ ctx }: TestWorkspace) =>
  selectValue<number>`select count(*) from unknown_addresses where workspace_id = ${ctx.workspace.rowId}`;

describe("a visit of an unknown address", () => {
  it("counts on a workspace's own domain, in any case, and answers as before", async () => {
    const { ws, host } = await withDomain();
    for (const path of ["/sumer", "/SUMER", "/sumer/", "/sumer?utm_source=x"]) {
      const answer = await ask(`https://${host}${path}`);
      expect([answer.status, answer.headers.get("x-cache")], path).toEqual([404, "miss"]);
    }
    expect(await countsOf(ws)).toEqual([["sumer", 4]]);
    expect(await selectRows`select slug, visits, day from unknown_addresses where domain = ${host}`).toEqual([
      { slug: "sumer", visits: 4, day: startOfUtcDay(Date.now()) },
    ]);
  });

  it("does not count by bots, prefetches, other methods, previews, and paths that are no slug", async () => {
    const { ws, host } = await withDomain();
    const path = `https://${host}/sumer`;
    await ask(path, { headers: BOT });
    await ask(path, {});
    await ask(path, { headers: { ...PERSON, "sec-purpose": "prefetch" } });
    for (const method of ["HEAD", "POST"]) await ask(path, { method, headers: PERSON });
    for (const other of [
      `${path}+`,
      `https://${host}/a/b`,
      `https://${host}/.env`,
      `${path}.`,
      `https://${host}/api`,
    ])
      await ask(other);
    expect(await countsOf(ws)).toEqual([]);
    await ask(path);
    expect(await countsOf(ws)).toEqual([["sumer", 1]]);
  });

  it("is shown to the workspace of the domain alone, and while it has the domain", async () => {
    const { ws, host } = await withDomain();
    const other = await withDomain();
    await ask(`https://${host}/sumer`);
    expect([await countsOf(ws), await countsOf(other.ws)]).toEqual([[["sumer", 1]], []]);
    await removeDomain(ws.ctx, host);
    expect(await countsOf(ws)).toEqual([]);
    expect((await ask(`https://${host}/winter`)).status).toBe(404);
    await applyNow();
    await addDomain(ws.ctx, host, true);
    expect(await countsOf(ws)).toEqual([["sumer", 1]]);
  });

  it("does not count on a host that nobody has, or of a suspended workspace", async () => {
    const { ws, host } = await withDomain();
    await ask(`https://${unique()}.acme.example/sumer`);
    await suspendWorkspace(serviceContext(), ws.slug);
    await ask(`https://${host}/sumer`);
    await applyNow();
    expect(await rowsOf(ws)).toBe(0);
  });

  it("counts for the operator on the short host, whoever had the slug", async () => {
    const { ws } = await withDomain();
    const slug = unique();
    await ask(`${SHORT}/${slug}`);
    expect(await countsOf(ws)).toEqual([]);
    const listed = await listUnknownOfShortHost(serviceContext());
    expect(listed.find(({ address }) => address === `s.example/${slug}`)).toEqual({
      ...{ address: `s.example/${slug}`, recent: 1, visits: 1 },
      first_day: new Date().toISOString().slice(0, 10),
    });
  });

  it("is shown only as long as the address opens nothing", async () => {
    const { ws, host } = await withDomain();
    await ask(`https://${host}/sumer`);
    await ws.link({ slug: "Sumer", domain: host });
    expect(await countsOf(ws)).toEqual([]);
  });
});

describe("a scanner", () => {
  it("costs one write, and at most a hundred visits of an instance in five seconds", async () => {
    const { ws, host } = await withDomain();
    let writes = 0;
    const db = ownD1((statements) => {
      if (/visit_queue/.test(JSON.stringify(statements))) writes++;
      return env.DB.batch(statements);
    });
    const instance = otherInstance({ ...testEnv, DB: db, CLICK_PACK_SECONDS: "1" });
    const paths = Array.from({ length: 120 }, () => `https://${host}/${unique()}`);
    await Promise.all(paths.map((path) => ask(path, { headers: PERSON }, instance)));
    await applyNow();
    expect(await rowsOf(ws)).toBe(100);
    expect(writes).toBe(1);
  });

  it("leaves 200 addresses of a domain and day, those that most people asked for", async () => {
    const { ws, host } = await withDomain();
    const random = Array.from({ length: 250 }, (_, index) => `${host}/r${index}`);
    await asked(ws, random.slice(0, 150), 1);
    await asked(ws, [`${host}/zumer`], 2);
    await asked(ws, random.slice(150), 1);
    expect(await rowsOf(ws)).toBe(200);
    expect(await countsOf(ws)).toContainEqual(["zumer", 2]);
    await asked(ws, [`${host}/zumer`], 3);
    expect(await countsOf(ws)).toContainEqual(["zumer", 5]);
  });

  it("leaves 2,000 of a workspace, and nothing of another one's", async () => {
    const { ws, host } = await withDomain();
    const other = await withDomain();
    await asked(ws, [`${other.host}/sumer`], 1);
    for (let day = 0; day < 11; day++) {
      const random = Array.from({ length: 200 }, (_, index) => `${host}/d${day}-${index}`);
      await asked(ws, [...random.slice(1), `${host}/sumer`], day === 5 ? 2 : 1, day);
    }
    expect(await rowsOf(ws)).toBe(2_000);
    expect(await rowsOf(other.ws)).toBe(1);
  });

  it("leaves nothing after 30 days", async () => {
    const { ws, host } = await withDomain();
    for (const day of [0, 29, 30]) await asked(ws, [`${host}/day-${day}`], 1, day);
    await removeExpired({ db: ws.ctx.db, now: Date.now });
    const left = await selectRows<{
      slug: string;
    }>`select slug from unknown_addresses where domain = ${host} order by day`;
    expect(left.map(({ slug }) => slug)).toEqual(["day-29", "day-0"]);
    await runSql`delete from unknown_addresses`;
  });
});
