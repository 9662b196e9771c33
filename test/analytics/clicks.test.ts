import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { reportClicks } from "../../src/analytics/command-report";
import type { Env } from "../../src/context";
import { rangeOfDays } from "../../src/lib/range";
import worker from "../../src/worker";
import { makeWorkspace, otherInstance, SHORT, type TestWorkspace, testEnv, visit } from "../harness";
import { addsBatch, applyNow, ownD1 } from "./platform";

const DAY_MS = 86_400_000;
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const DESKTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

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
    ["a prefetch of an older browser", browser({ purpose: "prefetch" })],
    ["a prefetch of Firefox", browser({ "x-moz": "prefetch" })],
    ["a preview of Safari", browser({ "x-purpose": "preview" })],
    [
      "a preview of a chat",
      browser({ "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }),
    ],
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
        const writes = addsBatch(statements);
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
    await vi.waitFor(() => expect(written).toBe(1), { timeout: 60_000 });
    expect((await follow()).status).toBe(302);
    open();
    await waitOnExecutionContext(execution);
    expect(await report(ws, { link: link.id })).toMatchObject({ people: 2 });
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
