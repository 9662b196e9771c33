import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker";
import { start, stopClock } from "../clock";
import { kvFails, withKv, withLostAnswer } from "../faulty";
import { API, counted, makeWorkspace, type TestWorkspace, testEnv, visit } from "../harness";

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";

/** Changes a link and returns the response at once. `settled` waits for the work after it. */
async function change(ws: TestWorkspace, method: string, path: string, body?: object, environment = testEnv) {
  const execution = createExecutionContext();
  const init = {
    method,
    headers: { authorization: `Bearer ${ws.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const request = new Request(`${API}${path}`, init) as Parameters<typeof worker.fetch>[0];
  const response = await worker.fetch(request, environment, execution);
  return { response, settled: () => waitOnExecutionContext(execution) };
}

/** The value in KV, without its workspace. */
async function kvValue(slug: string) {
  const value = await env.KV.get<object>(slug.toLowerCase(), "json");
  return value === null
    ? null
    : Object.fromEntries(Object.entries(value).filter(([name]) => name !== "workspace"));
}
const slugRow = (slug: string) =>
  env.DB.prepare("select rev, pushed_rev, push_at from slugs where key = ?").bind(slug.toLowerCase()).first();
const freshSlug = () => `fresh-${crypto.randomUUID().slice(0, 8)}`;
const location = async (slug: string) => (await visit(`/${slug}`)).headers.get("location");

/** A link that is in KV under its current and its old slug. */
async function knownLink(fields: object = {}) {
  const ws = await makeWorkspace();
  const link = await ws.link({ destination_url: OLD, ...fields });
  const previous = link.slug;
  const slug = `Now-${crypto.randomUUID().slice(0, 8)}`;
  await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug } });
  for (const each of [previous, slug]) await visit(`/${each}`);
  return { ws, id: link.id, path: `/api/v1/links/${link.id}`, previous, slug };
}

stopClock();

const leased = () => ({ refreshAt: start + 60_000, expiresAt: start + 300_000 });

describe("a change of a slug that may be in KV is pushed before the response", () => {
  it("for an edit, once for every slug of the link", async () => {
    const { ws, id, path, previous, slug } = await knownLink();
    const counter = counted();
    const { settled } = await change(ws, "PATCH", path, { destination_url: NEW }, counter.env);
    for (const each of [previous, slug]) {
      expect(await kvValue(each)).toEqual({ rev: 2, target: NEW, link: id, ...leased() });
    }
    await settled();
    expect(counter.trips.kvWrites).toBe(2);
    expect([await location(previous), await location(slug)]).toEqual([NEW, NEW]);
  });

  it("for a deletion, as a tombstone for every slug", async () => {
    const { ws, path, previous, slug } = await knownLink();
    const counter = counted();
    const { response, settled } = await change(ws, "DELETE", path, undefined, counter.env);
    expect(response.status).toBe(204);
    for (const each of [previous, slug]) {
      expect(await kvValue(each)).toEqual({ rev: 2, target: null, link: null, ...leased() });
    }
    await settled();
    expect(counter.trips.kvWrites).toBe(2);
  });

  it.each([
    ["an edit", "PATCH", { destination_url: NEW }, NEW],
    ["a deletion", "DELETE", undefined, null],
  ])("also for %s that took effect but whose response was lost", async (_, method, body, target) => {
    const { ws, path, slug } = await knownLink();
    const { response, settled } = await change(ws, method, path, body, withLostAnswer());
    expect(response.ok).toBe(true);
    expect(await kvValue(slug)).toMatchObject({ rev: 2, target });
    await settled();
  });

  it("but not for a link on an unused slug", async () => {
    const ws = await makeWorkspace();
    const slug = freshSlug();
    const counter = counted();
    const { settled } = await change(
      ws,
      "POST",
      "/api/v1/links",
      { destination_url: OLD, slug },
      counter.env,
    );
    await settled();
    expect(counter.trips.kvWrites).toBe(0);
    expect(await slugRow(slug)).toEqual({ rev: 1, pushed_rev: 0, push_at: null });
    expect(await kvValue(slug)).toBeNull();
  });
});

describe("a slug's revision", () => {
  it("increases with a campaign inherited from a group", async () => {
    const { ws, path, slug } = await knownLink();
    const group = await ws.group({ default_utm_campaign: "summer" });
    await ws.call("PATCH", path, { body: { activity_group_id: group.id } });
    expect(await slugRow(slug)).toMatchObject({ rev: 2 });
    expect(await location(slug)).toBe(`${OLD}?utm_campaign=summer`);
  });

  it.each([
    ["title", { title: "T" }],
    ["spelling of the slug", { slug: "SAME" }],
    ["fresh slug", { slug: "FRESH" }],
    ["previous slug", { slug: "FORMER" }],
    ["group without a campaign", { activity_group_id: "GROUP" }],
  ])("stays the same with another %s, and nothing is pushed", async (_, body: Record<string, unknown>) => {
    const { ws, path, previous, slug } = await knownLink();
    const group = await ws.group();
    const names = { SAME: slug.toUpperCase(), FRESH: freshSlug(), FORMER: previous, GROUP: group.id };
    const sent = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, Reflect.get(names, String(value)) ?? value]),
    );
    const before = await kvValue(slug);
    const counter = counted();
    const { response, settled } = await change(ws, "PATCH", path, sent, counter.env);
    expect(response.status).toBe(200);
    await settled();
    expect(counter.trips.kvWrites).toBe(0);
    for (const each of [previous, slug]) {
      expect(await slugRow(each)).toEqual({ rev: 1, pushed_rev: 0, push_at: null });
      expect(await location(each)).toBe(OLD);
    }
    expect(await kvValue(slug)).toEqual(before);
  });
});

describe("after a push", () => {
  it("its revision is recorded, and a second push is queued 35 s later to overwrite concurrent fills", async () => {
    const { ws, path, previous, slug } = await knownLink();
    for (const [rev, body] of [
      [2, { destination_url: NEW }],
      [3, { utm_source: "s" }],
    ] as const) {
      const { settled } = await change(ws, "PATCH", path, body);
      await settled();
      for (const each of [previous, slug]) {
        expect(await slugRow(each)).toEqual({ rev, pushed_rev: rev, push_at: start + 35_000 });
      }
    }
    const { settled } = await change(ws, "DELETE", path);
    await settled();
    expect(await slugRow(slug)).toEqual({ rev: 4, pushed_rev: 4, push_at: start + 35_000 });
  });

  it("a KV error fails no request, and leaves the slug due", async () => {
    const { ws, path, previous, slug } = await knownLink();
    let puts = 0;
    const put = (key: string, value: string) => {
      puts++;
      return key === previous ? env.KV.put(key, value) : kvFails();
    };
    const broken = withKv({ put });
    const { response, settled } = await change(ws, "PATCH", path, { destination_url: NEW }, broken);
    expect([response.status, puts]).toEqual([200, 2]);
    await settled();
    expect(await slugRow(previous)).toEqual({ rev: 2, pushed_rev: 2, push_at: start + 35_000 });
    expect(await slugRow(slug)).toEqual({ rev: 2, pushed_rev: 0, push_at: start });
    expect(await kvValue(slug)).toMatchObject({ rev: 1, target: OLD });
  });
});
