import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServiceContext } from "../../../src/context";
import { createDatabase, type Database } from "../../../src/db/client";
import { newMeter } from "../../../src/db/meter";
import { deliverAlerts } from "../../../src/operations/alerts/deliver";
import { discover } from "../../../src/operations/health/health-job";
import { JOBS, runJobs, runSchedule } from "../../../src/operations/schedule";
import { blockHost } from "../../../src/resources/destinations/blocklist";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import configuration from "../../../wrangler.toml?raw";
import { makeWorkspace, SHORT, serviceContext, testEnv } from "../../harness";
import { storedAlerts } from "../alerts/receiver";
import { ASKED_ENV, addDestinations, DAY, emptyHealth, freshHost, healthOf, openNet, SECOND } from "./net";

const WEEK = 7 * DAY;
const HOUR = DAY / 24;

beforeEach(emptyHealth);
afterEach(() => void vi.restoreAllMocks());

/** Makes links, so that their destinations are asked. */
async function link(urls: readonly string[], ws?: Awaited<ReturnType<typeof makeWorkspace>>) {
  const workspace = ws ?? (await makeWorkspace());
  const links = [];
  for (const url of urls) links.push(await workspace.link({ destination_url: url }));
  return { workspace, links };
}

/** A net with new pages of these paths, which a workspace links to and which are due. */
async function duePages(...paths: string[]) {
  const net = openNet();
  const urls = paths.map((path) => `https://${freshHost()}${path}`);
  const { workspace, links } = await link(urls);
  await addDestinations(urls, net.clock.now);
  return { net, workspace, links, urls, url: urls[0] ?? "" };
}

const redirectTo = (url: string): string => `/to?url=${encodeURIComponent(url)}`;

describe("a run", () => {
  it.each([
    [" ON ", true],
    ["", false],
    ["1", false],
  ])("is on or off by DESTINATION_HEALTH_CHECK: %j is %j", (value, isOn) => {
    const { healthCheck } = serviceContext({ ...testEnv, DESTINATION_HEALTH_CHECK: value }).config;
    expect(healthCheck).toBe(isOn);
  });

  it("asks nothing and reads nothing while DESTINATION_HEALTH_CHECK is off", async () => {
    const { net } = await duePages("/status/404");
    const db = new Proxy({} as Database, {
      get: () => {
        throw new Error("D1 was called");
      },
    });
    const off = { ...net.ctx(), config: serviceContext(testEnv).config, db };
    expect(await net.run({}, off)).toEqual({ found: 0, asked: 0, broken: 0 });
    expect(net.asked).toEqual([]);
    expect(await JOBS.health.probeDestinations(off)).toEqual({ found: 0, asked: 0, broken: 0 });
  });

  it("stores what each destination answers, and when it is due again", async () => {
    const pages: [string, string, string, number | null, number][] = [
      ["/status/200", "ok", "http", 200, WEEK],
      ["/status/404", "failing", "http", 404, DAY / 2],
      ["/status/429?retry=60", "unclear", "http", 429, WEEK],
      ["/head/405", "ok", "http", 200, WEEK],
      ["/chain/5", "ok", "http", 200, WEEK],
      ["/loop", "unclear", "redirects", 302, WEEK],
      [redirectTo(`${SHORT}/x`), "unclear", "forbidden", 302, WEEK],
      ["/endless", "ok", "http", 200, WEEK],
      ["/reset", "failing", "connection", null, DAY / 2],
    ];
    const { net, urls } = await duePages(...pages.map(([path]) => path));
    let asked = 0;
    for (let run = 0; run < 3; run++) {
      asked += (await net.run()).asked;
      net.clock.now += HOUR;
    }
    expect(asked).toBe(pages.length);
    for (const [index, [, state, reason, status, dueIn]] of pages.entries()) {
      const health = await healthOf(urls[index] ?? "");
      const askedAt = health?.asked_at ?? 0;
      expect(health).toMatchObject({
        state,
        reason,
        http_status: status,
        due_at: askedAt + dueIn,
        failing_since: state === "failing" ? askedAt : null,
      });
    }
    expect(net.mostOpen()).toBeLessThanOrEqual(4);
  });

  it("says who asks and why, without cookies, past every cache, and reads no body", async () => {
    const { net, url } = await duePages("/status/200");
    const timeouts = vi.spyOn(AbortSignal, "timeout");
    const inits: RequestInit[] = [];
    let cancelled = 0;
    const body = () => new ReadableStream({ cancel: () => void cancelled++ });
    const fetch: typeof net.send = async (_, init) => {
      inits.push(init);
      return new Response(body(), { status: init.method === "HEAD" ? 500 : 200 });
    };
    await net.run({ fetch });
    expect(inits.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
    for (const init of inits) {
      expect(init).toMatchObject({ redirect: "manual", cache: "no-store" });
      expect(init.headers).toEqual({
        "User-Agent":
          "Waymark/1.0 (checks whether the page that a short link leads to is still there; +https://api.example)",
        Accept: "*/*",
      });
    }
    expect(timeouts.mock.calls.flat()).toEqual([3_000, 7_000]);
    expect(cancelled).toBe(2);
    expect(await healthOf(url)).toMatchObject({ state: "ok" });
  });

  it("asks a slow host for ten seconds at most, and goes on with others", async () => {
    const { net, urls } = await duePages("/slow", "/status/200");
    await net.run();
    const [slow = "", good = ""] = urls;
    expect(await healthOf(slow)).toMatchObject({ state: "failing", reason: "timeout" });
    expect(await healthOf(good)).toMatchObject({ state: "ok" });
  });

  it("asks a destination of several links and workspaces once, as it was given", async () => {
    const net = openNet();
    const url = `https://${freshHost()}/status/200?a=1&utm_source=own#part`;
    const { workspace } = await link([url]);
    await workspace.link({ destination_url: url, utm_source: "poster" });
    await link([url]);
    await addDestinations([url], net.clock.now);
    await net.run();
    expect(net.asked.map((one) => one.url)).toEqual([url]);
  });

  it("asks neither own nor blocked hosts", async () => {
    const net = openNet();
    const blocked = freshHost();
    await blockHost(serviceContext(), blocked);
    const urls = [
      `https://www.${blocked}/status/200`,
      "https://sub.s.example/status/200",
      `https://${freshHost()}${redirectTo(`https://www.${blocked}/status/200`)}`,
    ];
    const { links } = await link(urls.map(() => `https://${freshHost()}/`));
    // Their rules came after the links.
    for (const [index, url] of urls.entries()) {
      await env.DB.prepare("update links set destination_url = ? where public_id = ?")
        .bind(url, links[index]?.id)
        .run();
    }
    await addDestinations(urls, net.clock.now);
    await net.run();
    for (const url of urls)
      expect(await healthOf(url)).toMatchObject({ state: "unclear", reason: "forbidden" });
    expect(net.asked.map(({ host }) => host)).toEqual([new URL(urls[2] ?? "").hostname]);
  });
});

it("a destination becomes broken by three failures in a row over a day, and is healed by one success", async () => {
  const net = openNet();
  const start = net.clock.now;
  const url = `https://${freshHost()}/status/404`;
  await link([url]);
  const states: unknown[] = [];
  for (let half = 0; half < 3; half++) {
    await net.run();
    states.push((await healthOf(url))?.state);
    net.clock.now += DAY / 2;
  }
  expect(states).toEqual(["failing", "failing", "broken"]);
  expect(await healthOf(url)).toMatchObject({ failing_since: start, http_status: 404, failures: 3 });
  net.clock.now += DAY / 2;
  await net.run({ fetch: (given, init) => net.send(given.replace("404", "200"), init) });
  expect(await healthOf(url)).toMatchObject({ state: "ok", failing_since: null, failures: 0 });
  net.clock.now += WEEK;
  await net.run();
  expect(await healthOf(url)).toMatchObject({ state: "failing", failing_since: net.clock.now });
});

describe("a domain", () => {
  it("is asked at most once in ten seconds", async () => {
    const net = openNet();
    const host = freshHost();
    // Subdomains count as one.
    const urls = Array.from({ length: 12 }, (_, page) => `https://s${page}.${host}/status/200?${page}`);
    await link(urls);
    await addDestinations(urls, net.clock.now);
    await net.run();
    const times = net.asked.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(4);
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(10_000);
    expect(new Set(net.asked.map(({ url }) => url)).size).toBe(times.length);
    // The longest unasked come next.
    const before = net.takeAsked().length;
    net.clock.now += 10 * SECOND;
    await net.run();
    expect(before + net.asked.length).toBe(12);
  });

  it("is asked by one of two overlapping runs", async () => {
    const net = openNet();
    const host = freshHost();
    const urls = Array.from({ length: 6 }, (_, page) => `https://${host}/status/200?${page}`);
    await link(urls);
    await addDestinations(urls, net.clock.now);
    const runs = await Promise.all([net.run(), net.run(), net.run()]);
    expect(runs.map(({ asked }) => asked).sort()).toEqual([0, 0, 6]);
    const times = net.asked.map(({ at }) => at).sort((a, b) => a - b);
    expect(times).toHaveLength(6);
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(10_000);
  });

  it("that asks to be left alone gets no redirect of the same run", async () => {
    const target = freshHost("target");
    const page = redirectTo(`https://${target}/status/429?retry=3600`);
    const { net, urls } = await duePages(...Array<string>(6).fill(page));
    const { asked } = await net.run();
    expect(asked).toBeLessThan(urls.length);
    expect(net.asked.filter(({ host }) => host === target)).toHaveLength(asked);
  });

  it("is left alone as long as its Retry-After says, a day at most", async () => {
    for (const [retry, ms] of [
      ["3600", HOUR],
      ["999999999", DAY],
    ] as const) {
      const net = openNet();
      const host = freshHost();
      const urls = [`https://${host}/status/429?retry=${retry}`, `https://${host}/status/200`];
      await link(urls);
      await addDestinations(urls.slice(0, 1), net.clock.now);
      await addDestinations(urls.slice(1), net.clock.now + 1);
      const start = net.clock.now;
      await net.run();
      net.clock.now = start + ms - 1;
      await net.run();
      expect(net.takeAsked()).toEqual([`HEAD /status/429?retry=${retry}`]);
      net.clock.now = start + ms;
      await net.run();
      expect(net.takeAsked()).toEqual(["HEAD /status/200"]);
    }
  });

  it("with many destinations does not keep others waiting", async () => {
    const net = openNet();
    const crowd = freshHost();
    const many = Array.from({ length: 300 }, (_, page) => `https://${crowd}/status/200?${page}`);
    const others = Array.from({ length: 5 }, () => `https://${freshHost()}/status/200`);
    await link([...many.slice(0, 20), ...others]);
    await addDestinations(many, net.clock.now);
    await addDestinations(others, net.clock.now + 1000);
    net.clock.now += 2000;
    await net.run();
    for (const url of others) expect(await healthOf(url)).toMatchObject({ state: "ok" });
  });
});

describe("workspaces", () => {
  it("take turns, however many domains one of them has", async () => {
    const net = openNet();
    const hosts = (count: number) => Array.from({ length: count }, () => `https://${freshHost()}/status/200`);
    const [crowd, others] = [hosts(300), hosts(5)];
    const { workspace: first } = await link(crowd.slice(0, 20));
    const { workspace: second } = await link(others);
    await addDestinations(crowd.slice(0, 20), net.clock.now - 1000, first.ctx.workspace.rowId);
    await addDestinations(crowd.slice(20), net.clock.now, first.ctx.workspace.rowId);
    await addDestinations(others, net.clock.now + 1000, second.ctx.workspace.rowId);
    net.clock.now += 2000;
    await net.run();
    for (const url of others) expect(await healthOf(url)).toMatchObject({ state: "ok" });
    expect(net.asked.length).toBe(20 + others.length);
  });

  it("with links to the same domain have a turn together", async () => {
    const net = openNet();
    const host = freshHost();
    const urls = [`https://${host}/a`, `https://${host}/b`];
    const made = [await link(urls.slice(0, 1)), await link(urls.slice(1))];
    const owners = () =>
      env.DB.prepare("select workspace_id from destination_domains")
        .all()
        .then(({ results }) => results);
    const [first, second] = made.map(({ workspace }) => workspace.ctx.workspace.rowId);
    await addDestinations(urls.slice(0, 1), net.clock.now, first);
    await addDestinations(urls.slice(0, 1), net.clock.now, first);
    expect(await owners()).toEqual([{ workspace_id: first }]);
    await addDestinations(urls.slice(1), net.clock.now, second);
    expect(await owners()).toEqual([{ workspace_id: null }]);
  });
});

describe("the limits of an invocation", () => {
  it("hold for destinations that take as many fetches and hosts as they can", async () => {
    const net = openNet();
    const hop = (left: number): string =>
      `https://${freshHost("hop")}${left === 0 ? "/status/404" : redirectTo(hop(left - 1))}`;
    const urls = Array.from({ length: 40 }, () => hop(5));
    await link(urls);
    await addDestinations(urls, net.clock.now);
    const meter = newMeter();
    const ctx = net.ctx({ db: createDatabase(env.DB, meter) });
    const jobs = { probe: (own: ServiceContext) => net.run({}, own) };
    const [{ outcome } = {}] = await runJobs(ctx, jobs, () => 50 - meter.statements);
    expect(outcome).toMatchObject({ status: "fulfilled", value: { asked: expect.any(Number) } });
    expect(
      (await env.DB.prepare("select count(asked_at) as n from destination_health").first("n")) ?? 0,
    ).toBeGreaterThan(0);
    expect(net.asked.length).toBeLessThanOrEqual(48);
    expect(meter.statements).toBeLessThanOrEqual(50);
  });

  it("hold for time: what a run does not get to stays due", async () => {
    const { net } = await duePages(...Array<string>(6).fill("/status/200"));
    const slow: typeof net.send = async (url, init) => {
      net.clock.now += 45 * SECOND;
      return net.send(url, init);
    };
    const { asked } = await net.run({ fetch: slow });
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(6);
    net.clock.now += HOUR;
    expect((await net.run()).asked).toBe(6 - asked);
  });

  it("do not turn a failure of the run into one of the destination", async () => {
    const { net, url } = await duePages("/status/200");
    await net.run({ fetch: async () => Promise.reject(new Error("Too many subrequests.")) });
    expect(await healthOf(url)).toMatchObject({ state: "unknown", asked_at: null });
    net.clock.now += HOUR;
    await net.run();
    expect(await healthOf(url)).toMatchObject({ state: "ok" });
  });
});

describe("rows", () => {
  it("of a destination end with its last link", async () => {
    const { net, workspace, links, url } = await duePages("/status/200");
    await net.run();
    await workspace.call("DELETE", `/api/v1/links/${links[0]?.id}`);
    net.clock.now += WEEK;
    await net.run();
    expect(net.takeAsked()).toHaveLength(1);
    expect(await healthOf(url)).toBeNull();
  });

  it("of suspended workspaces and taken-down links end too", async () => {
    const net = openNet();
    const urls = [`https://${freshHost()}/status/200`, `https://${freshHost()}/status/200`];
    const { workspace } = await link(urls.slice(0, 1));
    const { links } = await link(urls.slice(1));
    await addDestinations(urls, net.clock.now);
    await env.DB.batch([
      env.DB.prepare("update workspaces set suspended_at = 1 where slug = ?").bind(workspace.slug),
      env.DB.prepare("update links set taken_down_at = 1 where public_id = ?").bind(links[0]?.id),
    ]);
    await net.run();
    expect(net.asked).toEqual([]);
    for (const url of urls) expect(await healthOf(url)).toBeNull();
  });
});

describe("discovery", () => {
  it("finds every destination in use, in chunks of links, each once", async () => {
    const net = openNet();
    const ws = await makeWorkspace();
    const urls = Array.from({ length: 30 }, () => `https://${freshHost()}/status/200`);
    await link([...urls, ...urls.slice(0, 3)], ws);
    const deleted = `https://${freshHost()}/`;
    const { links } = await link([deleted], ws);
    await ws.call("DELETE", `/api/v1/links/${links[0]?.id}`);
    const last = await env.DB.prepare("select max(id) as id from links").first<{ id: number }>();
    let found = 0;
    for (let run = 0; run <= (last?.id ?? 0) / 500; run++) {
      found += await discover(net.ctx());
      net.clock.now += 180 * SECOND;
    }
    expect(found).toBe(30);
    for (const url of urls) expect(await healthOf(url)).toMatchObject({ state: "unknown" });
    expect(await healthOf(deleted)).toBeNull();
    expect(await env.DB.prepare("select count(*) as n from destination_domains").first("n")).toBe(30);
  });

  it("makes the destination of a live asset due a day after it was asked, until it is retired", async () => {
    const net = openNet();
    const url = `https://${freshHost()}/status/200`;
    const { workspace, links } = await link([url]);
    await net.run();
    const askedAt = net.clock.now;
    expect(await healthOf(url)).toMatchObject({ due_at: askedAt + WEEK });
    const asset = await createAsset(workspace.ctx, { name: "Poster", link: links[0]?.id ?? "" });
    await net.run();
    expect(await healthOf(url)).toMatchObject({ due_at: askedAt + WEEK });
    await updateAsset(workspace.ctx, asset.id, { status: "live" });
    await net.run();
    expect(await healthOf(url)).toMatchObject({ due_at: askedAt + DAY });
    net.clock.now = askedAt + DAY;
    await net.run();
    expect(await healthOf(url)).toMatchObject({
      asked_at: askedAt + DAY,
      due_at: askedAt + 2 * DAY,
    });
    await updateAsset(workspace.ctx, asset.id, { status: "retired" });
    net.clock.now += DAY;
    await net.run();
    expect(await healthOf(url)).toMatchObject({ due_at: net.clock.now + WEEK });
  });

  it("adds nothing of suspended workspaces", async () => {
    const net = openNet();
    const url = `https://${freshHost()}/status/200`;
    const { workspace } = await link([url]);
    const suspend = (at: number | null) =>
      env.DB.prepare("update workspaces set suspended_at = ? where slug = ?").bind(at, workspace.slug).run();
    await suspend(1);
    await discover(net.ctx());
    expect(await healthOf(url)).toBeNull();
    await suspend(null);
    await discover(net.ctx());
    expect(await healthOf(url)).toMatchObject({ state: "unknown" });
  });
});

describe("alerts", () => {
  const WEBHOOK = "https://hook.example/";

  const kinds = async () => (await storedAlerts()).map(({ kind }) => kind);

  function openPage() {
    const net = openNet();
    const host = freshHost();
    const url = `https://${host}/status/404?token=secret#part`;
    const context = (hook: string | null) => ({
      ...net.ctx(),
      config: { ...net.ctx().config, alertWebhook: hook },
    });
    /** The runs of a day in which the page answers with a status. */
    const runAs = async (status: number, hook: string | null = WEBHOOK) => {
      const fetch: typeof net.send = (given, init) => net.send(given.replace("404", String(status)), init);
      for (let half = 0; half < 2; half++) {
        await net.run({ fetch }, context(hook));
        net.clock.now += DAY / 2;
      }
    };
    return { net, host, url, runAs, context };
  }

  async function breakOne(hook: string | null = WEBHOOK) {
    const page = openPage();
    const { workspace, links } = await link([page.url]);
    const id = links[0]?.id ?? "";
    await addDestinations([page.url], page.net.clock.now);
    await page.runAs(404, hook);
    await page.runAs(404, hook);
    expect(await healthOf(page.url)).toMatchObject({ state: "broken" });
    const goLive = () => createAsset(workspace.ctx, { name: "Sign", link: id, status: "live" });
    return { ...page, workspace, id, slug: links[0]?.slug, goLive };
  }

  it("are queued once for each workspace when a page on live assets breaks, and when it is back", async () => {
    const { net, host, url, runAs } = openPage();
    const one = await link([url, url]);
    const two = await link([url]);
    await link([url]);
    const assets = [];
    for (const [index, { id }] of one.links.entries()) {
      assets.push(
        await createAsset(one.workspace.ctx, { name: `Poster ${index}`, link: id, status: "live" }),
      );
    }
    await createAsset(one.workspace.ctx, { name: "Draft", link: one.links[0]?.id ?? "" });
    await createAsset(two.workspace.ctx, { name: "Flyer", link: two.links[0]?.id ?? "", status: "live" });
    await addDestinations([url], net.clock.now);
    const start = net.clock.now;
    await runAs(404);
    expect(await storedAlerts()).toEqual([]);
    await runAs(404);
    const broken = await storedAlerts();
    expect(broken.map(({ kind, workspace_id: id }) => [kind, id])).toEqual([
      ["destination.broken", one.workspace.ctx.workspace.rowId],
      ["destination.broken", two.workspace.ctx.workspace.rowId],
    ]);
    const shortUrl = `${SHORT}/${one.links[0]?.slug}`;
    expect(broken[0]).toMatchObject({
      key: `broken:${one.links[0]?.id}:${start}`,
      text: `The destination of ${shortUrl}, at ${host}, is broken: 404 Not Found. Live assets: "Poster 0" and "Poster 1".`,
    });
    expect(JSON.parse(broken[0]?.facts ?? "")).toEqual({
      workspace: one.workspace.slug,
      short_url: shortUrl,
      host,
      link_ids: one.links.map(({ id }) => id),
      asset_ids: assets.map(({ id }) => id),
      live_assets: 2,
      reason: "http",
      http_status: 404,
      failing_since: new Date(start).toISOString(),
    });

    await runAs(404);
    expect(await storedAlerts()).toHaveLength(2);
    await runAs(200);
    const [, , ...back] = await storedAlerts();
    expect(back.map(({ kind }) => kind)).toEqual(["destination.back", "destination.back"]);
    expect(back[1]?.text).toBe(
      `The destination of ${SHORT}/${two.links[0]?.slug}, at ${host}, is back. Live assets: "Flyer".`,
    );
    expect(JSON.stringify(await storedAlerts())).not.toMatch(/secret|status\/404/);
  });

  it("say so if a broken page can no longer be checked", async () => {
    const { runAs, slug, host, goLive } = await breakOne();
    await goLive();
    await runAs(404);
    await runAs(403);
    expect((await storedAlerts())[1]).toMatchObject({
      kind: "destination.back",
      text: `The destination of ${SHORT}/${slug}, at ${host}, is no longer known to be broken, but cannot be checked: the page refuses automatic requests (403). Live assets: "Sign".`,
    });
  });

  it("are not queued for links on no live asset, nor without a webhook", async () => {
    const { runAs } = await breakOne();
    await runAs(404);
    expect(await storedAlerts()).toEqual([]);
    const other = await breakOne(null);
    await other.goLive();
    await other.runAs(404, null);
    expect(await storedAlerts()).toEqual([]);
  });

  it("are queued for an asset that goes live after the break, once in 30 days", async () => {
    const { net, runAs, context, goLive } = await breakOne();
    await goLive();
    await runAs(404);
    expect(await kinds()).toEqual(["destination.broken"]);
    const [told] = (await env.DB.prepare("select id, created_at from alerts").all()).results;
    for (const [days, isStored] of [
      [0, true],
      [20, true],
      [11, false],
      [1, false],
    ] as const) {
      net.clock.now += days * DAY;
      await deliverAlerts(context(null));
      await env.DB.prepare("update destination_health set due_at = ?").bind(net.clock.now).run();
      await env.DB.prepare("update destination_domains set due_at = ?").bind(net.clock.now).run();
      await runAs(404);
      const queued = (await env.DB.prepare("select id, created_at from alerts").all()).results;
      expect(queued, `after ${days} days more`).toHaveLength(1);
      expect(queued[0]?.["created_at"] === told?.["created_at"]).toBe(isStored);
    }
    await runAs(200);
    expect(await kinds()).toEqual(["destination.broken", "destination.back"]);
  });

  it("are queued for a link that is moved onto a broken destination", async () => {
    const { runAs, url, workspace, goLive } = await breakOne();
    await goLive();
    await runAs(404);
    const { id } = await workspace.link({ destination_url: "https://www.example.com/" });
    const other = await link(["https://www.example.com/"]);
    const own = other.links[0]?.id ?? "";
    await createAsset(other.workspace.ctx, { name: "Flyer", link: own, status: "live" });
    await workspace.call("PATCH", `/api/v1/links/${id}`, { body: { destination_url: url } });
    await other.workspace.call("PATCH", `/api/v1/links/${own}`, { body: { destination_url: url } });
    await runAs(404);
    expect((await storedAlerts()).map(({ workspace_id: ws }) => ws)).toEqual([
      workspace.ctx.workspace.rowId,
      other.workspace.ctx.workspace.rowId,
    ]);
  });

  it("do not say that a page is back whose break was not reported", async () => {
    const { runAs, goLive } = await breakOne();
    await goLive();
    await runAs(200);
    expect(await storedAlerts()).toEqual([]);
  });

  it("of a workspace are not lost beside one with many assets, and name a few", async () => {
    const { net, url, runAs } = openPage();
    const many = await link([url, url, url]);
    const few = await link([url]);
    for (const { id } of many.links) {
      await createAsset(many.workspace.ctx, { name: "Poster", link: id, status: "live" });
    }
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 190)
       insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, created_at, updated_at)
       select 'z' || i || public_id, workspace_id, link_id, name || i, kind, status, created_at, updated_at
       from n cross join offline_assets where workspace_id = ?`,
    )
      .bind(many.workspace.ctx.workspace.rowId)
      .run();
    await createAsset(few.workspace.ctx, { name: "Flyer", link: few.links[0]?.id ?? "", status: "live" });
    await addDestinations([url], net.clock.now);
    await runAs(404);
    await runAs(404);
    const queued = await storedAlerts();
    expect(queued.map(({ workspace_id: id }) => id)).toEqual([
      many.workspace.ctx.workspace.rowId,
      few.workspace.ctx.workspace.rowId,
    ]);
    expect(queued[0]?.text).toContain('Live assets: "Poster", "Poster1", "Poster2" and 570 more.');
    expect(JSON.parse(queued[0]?.facts ?? "")).toMatchObject({ live_assets: 573 });
    expect(JSON.parse(queued[0]?.facts ?? "").asset_ids).toHaveLength(20);
  });
});

const crons = [...(/^crons = \[(.*)\]$/m.exec(configuration)?.[1]?.matchAll(/"([^"]+)"/g) ?? [])].map(
  ([, cron = ""]) => cron,
);

/** The SQL that a cron sends to a D1 that fails. */
async function sqlOf(cron: string): Promise<string> {
  const asked: string[] = [];
  const DB = {
    prepare: (sql: string) => {
      asked.push(sql);
      return env.DB.prepare(sql);
    },
    batch: async () => {
      throw new Error("no such table");
    },
  } as unknown as D1Database;
  await expect(runSchedule(cron, { ...ASKED_ENV, DESTINATION_DNS_CHECK: "on", DB })).rejects.toThrow();
  return asked.join("\n");
}

it("the crons of wrangler.toml have jobs, and no two the same ones", async () => {
  expect(crons).toHaveLength(5);
  const sent = await Promise.all(crons.map(sqlOf));
  for (const sql of sent) expect(sql).not.toBe("");
  expect(new Set(sent).size).toBe(crons.length);
});
