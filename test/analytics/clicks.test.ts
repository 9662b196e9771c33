import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { reportClicks } from "../../src/analytics/command-report";
import { countVisits, deviceOf } from "../../src/analytics/count";
import { referrerDomain } from "../../src/analytics/referrer";
import type { Visit } from "../../src/analytics/visit-buffer";
import type { Env } from "../../src/context";
import { rangeOfDays } from "../../src/lib/range";
import worker from "../../src/worker";
import { makeWorkspace, otherInstance, SHORT, type TestWorkspace, testEnv, visit } from "../harness";
import { applyNow, textOf } from "./platform";

const DAY_MS = 86_400_000;
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const DESKTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

/** D1 through a new binding, since buffered clicks are kept per binding. */
const ownD1 = (batch?: (statements: D1PreparedStatement[]) => Promise<D1Result[]>): D1Database =>
  new Proxy(env.DB, {
    get(db, name) {
      if (name === "batch" && batch !== undefined) return batch;
      const value: unknown = Reflect.get(db, name);
      return typeof value === "function" ? value.bind(db) : value;
    },
  });

const counting = (db = ownD1()): Env => ({ ...otherInstance(testEnv), DB: db, CLICK_PACK_SECONDS: "0.001" });

const today = Date.now() - (Date.now() % DAY_MS);
const report = async (ws: TestWorkspace, of: { link: string } | { group: string }) => {
  await applyNow();
  return reportClicks(ws.ctx, of, rangeOfDays("UTC", today / DAY_MS, today / DAY_MS + 1));
};

const browser = (headers: Record<string, string> = {}) => ({
  headers: { "user-agent": DESKTOP, ...headers },
});

describe("the clicks of a link", () => {
  it("are counted by hour, people and bots separately, and people also by origin", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const instance = counting();
    await visit(`/${link.slug}`, browser({ referer: "https://News.example/a?b=c" }), instance);
    await visit(`/${link.slug}`, browser({ "user-agent": PHONE }), instance);
    await visit(`/${link.slug}`, browser({ "user-agent": "Googlebot/2.1" }), instance);

    expect(await report(ws, { link: link.id })).toMatchObject({
      people: 2,
      bots: 1,
      days: [{ people: 2, bots: 1 }],
      referrers: [
        { referrer: "none", people: 1 },
        { referrer: "news.example", people: 1 },
      ],
      devices: [
        { device: "desktop", people: 1 },
        { device: "mobile", people: 1 },
      ],
    });
  });

  it.each([
    ["a HEAD", { method: "HEAD", ...browser() }],
    ["a prefetch", browser({ "sec-purpose": "prefetch;prerender" })],
    [
      "a preview of a chat",
      browser({ "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }),
    ],
    ["a preview of a network", browser({ "user-agent": "facebookexternalhit/1.1" })],
    ["a program that does not say who it is", { headers: {} }],
  ])("do not count %s as a person", async (_, init) => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await visit(`/${link.slug}`, init, counting());
    expect(await report(ws, { link: link.id })).toMatchObject({ people: 0, bots: 1, countries: [] });
  });

  it("do not delay a visit: it is answered from memory while D1 hangs on writing another's clicks", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let written = 0;
    const instance = counting(
      ownD1(async (statements) => {
        const writes = textOf(statements).includes('insert into "visit_queue"');
        if (writes) written++;
        if (writes) await gate;
        return env.DB.batch(statements);
      }),
    );
    const execution = createExecutionContext();
    const follow = () =>
      worker.fetch(
        new Request(`${SHORT}/${link.slug}`, browser()) as Parameters<typeof worker.fetch>[0],
        instance,
        execution,
      );
    expect((await follow()).status).toBe(302);
    await vi.waitFor(() => expect(written).toBe(1));
    expect((await follow()).status).toBe(302);
    open();
    await waitOnExecutionContext(execution);
    expect(await report(ws, { link: link.id })).toMatchObject({ people: 2 });
  });

  it("are buffered for five seconds if the variable is empty", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const instance: Env = { ...counting(), CLICK_PACK_SECONDS: "" };
    const wait = setTimeout;
    const waits: (number | undefined)[] = [];
    vi.stubGlobal("setTimeout", (run: () => void, ms?: number) => {
      waits.push(ms);
      return wait(run, 0);
    });
    await visit(`/${link.slug}`, browser(), instance).finally(() => vi.unstubAllGlobals());
    expect(waits).toContain(5_000);
    expect(await report(ws, { link: link.id })).toMatchObject({ people: 1 });
  });

  it("do not include visits to unknown slugs", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    await visit(`/${link.slug}`, browser(), counting());
    expect(await report(ws, { link: link.id })).toMatchObject({ people: 0, bots: 0 });
  });

  it("are added up over all links in a group's report", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group();
    for (const { slug } of [
      await ws.link({ activity_group_id: group.id }),
      await ws.link({ activity_group_id: group.id }),
    ]) {
      await visit(`/${slug}`, browser(), counting());
    }
    expect(await report(ws, { group: group.id })).toMatchObject({ people: 2 });
  });

  it("that could not be written are written with the next ones, and none twice", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    let writes = 0;
    const failing = counting(
      ownD1(async (statements) => {
        const isPack = textOf(statements).includes('insert into "visit_queue"');
        if (!isPack) return env.DB.batch(statements);
        writes++;
        if (writes === 1) throw new Error("D1_ERROR: disk I/O error");
        const results = await env.DB.batch(statements);
        if (writes === 2) throw new Error("D1_ERROR: disk I/O error");
        return results;
      }),
    );
    for (let visits = 0; visits < 3; visits++) await visit(`/${link.slug}`, browser(), failing);
    expect(await report(ws, { link: link.id })).toMatchObject({ people: 3 });
  });

  it("are not recorded if the operator has switched them off", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await visit(`/${link.slug}`, browser(), { ...counting(), CLICK_PACK_SECONDS: "0" });
    expect(await report(ws, { link: link.id })).toMatchObject({ people: 0, bots: 0 });
  });

  it("store no IP address and no user agent", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await visit(`/${link.slug}`, browser({ "cf-connecting-ip": "203.0.113.77" }), counting());
    const tables = ["visit_hours", "visit_days", "visit_queue"];
    for (const table of tables) {
      const { results } = await env.DB.prepare(`select * from ${table}`).all();
      expect(JSON.stringify(results)).not.toMatch(/203\.0\.113\.77|AppleWebKit/);
    }
  });
});

describe("counting", () => {
  const seen = (fields: Partial<Visit>): Visit => ({
    link: "A",
    asset: null,
    isAfterEnd: false,
    at: Date.UTC(2026, 4, 1, 23, 59, 59),
    follows: true,
    agent: DESKTOP,
    referrer: null,
    country: "CH",
    ...fields,
  });

  it("assigns a visit to its hour and day in UTC", () => {
    const { hours, days } = countVisits([seen({}), seen({ at: Date.UTC(2026, 4, 2) }), seen({ link: "B" })]);
    const one = { asset: null, clicks: 1, scans: 0, bots: 0, after_end: 0 };
    expect(hours).toEqual([
      { ...one, link: "A", hour: Date.UTC(2026, 4, 1, 23), last: Date.UTC(2026, 4, 1, 23, 59, 59) },
      { ...one, link: "A", hour: Date.UTC(2026, 4, 2), last: Date.UTC(2026, 4, 2) },
      { ...one, link: "B", hour: Date.UTC(2026, 4, 1, 23), last: Date.UTC(2026, 4, 1, 23, 59, 59) },
    ]);
    expect(
      days.filter(({ dimension }) => dimension === "country").map(({ day, value }) => [day, value]),
    ).toEqual([
      [Date.UTC(2026, 4, 1), "CH"],
      [Date.UTC(2026, 4, 2), "CH"],
      [Date.UTC(2026, 4, 1), "CH"],
    ]);
  });

  it.each([
    [null, ""],
    ["https://www.Example.com:8443/path?q=secret", "example.com"],
    ["android-app://com.example", ""],
    ["no address", ""],
  ])("keeps only the domain of the referrer %s", (referrer, domain) => {
    expect(referrerDomain(referrer)).toBe(domain);
  });

  it.each([
    [PHONE, "mobile"],
    [DESKTOP, "desktop"],
    ["Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)", "tablet"],
    ["Mozilla/5.0 (Linux; Android 14; SM-X710)", "tablet"],
    ["Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile Safari/537.36", "mobile"],
    ["PlayStation", "other"],
  ])("recognises a device from %s", (agent, device) => {
    expect(deviceOf(agent)).toBe(device);
  });
});
