import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker";
import { elapse, start, stopClock } from "../clock";
import { gate, heldBack, kvFails, withBatch, withKv, withoutD1 } from "../faulty";
import { counted, hurry, makeWorkspace, otherInstance, SHORT, testEnv, visit } from "../harness";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const MINUTE = 60_000;
const NOTHING = { d1: 0, kvReads: 0, kvWrites: 0 };

const kvValue = (slug: string) => env.KV.get<object>(slug.toLowerCase(), "json");
const unknownSlug = () => `nobody-${crypto.randomUUID().slice(0, 8)}`;
const xCache = async (slug: string, environment = testEnv) => {
  const response = await visit(`/${slug}`, {}, environment);
  return [response.status, response.headers.get("x-cache"), response.headers.get("location")];
};

/** Changes a link's destination in another instance, without a write to this instance's KV. */
const changeElsewhere = (id: string, destination: string) =>
  env.DB.prepare("update links set destination_url = ? where public_id = ?").bind(destination, id).run();

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";

/** A link that was written to KV at `start`, and changed elsewhere since. */
async function changedLink() {
  const ws = await makeWorkspace();
  const link = await ws.link({ destination_url: OLD });
  expect(await xCache(link.slug)).toEqual([302, "miss", OLD]);
  await changeElsewhere(link.id, NEW);
  return link;
}

stopClock();

describe("a KV entry", () => {
  it("has the target with UTM parameters, the link and a lease of 60 and 300 seconds, under the slug's key", async () => {
    const slug = `Case-${crypto.randomUUID().slice(0, 8)}`;
    const link = await ws.link({ slug, destination_url: OLD, utm_source: "print" });
    expect(await env.KV.get(slug)).toBeNull();
    await visit(`/${slug}`);
    expect(await kvValue(slug)).toEqual({
      rev: 1,
      workspace: expect.any(Number),
      target: `${OLD}?utm_source=print`,
      refreshAt: start + MINUTE,
      expiresAt: start + 5 * MINUTE,
      link: link.id,
    });
  });

  it("has a lease that starts before the read of D1, however long that took", async () => {
    const { slug } = await ws.link();
    const slow = withBatch((send) => (statements) => {
      elapse(20_000);
      return send(statements);
    });
    await visit(`/${slug}`, {}, slow);
    expect(Date.now()).toBe(start + 20_000);
    expect(await kvValue(slug)).toMatchObject({
      refreshAt: start + MINUTE,
      expiresAt: start + 5 * MINUTE,
    });
  });

  it("never exists for a slug that was never claimed", async () => {
    const slug = unknownSlug();
    const counter = counted();
    for (const time of [0, MINUTE]) {
      elapse(time);
      expect(await xCache(slug, counter.env)).toEqual([404, "miss", null]);
    }
    expect(counter.trips).toEqual({ d1: 2, kvReads: 2, kvWrites: 0 });
    expect(await kvValue(slug)).toBeNull();
  });

  it("is a tombstone for a freed slug, so that visits do not read D1 each time", async () => {
    const link = await ws.link();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    await env.KV.delete(link.slug);
    expect(await xCache(link.slug)).toEqual([404, "miss", null]);
    expect(await kvValue(link.slug)).toEqual({
      rev: 2,
      workspace: expect.any(Number),
      target: null,
      refreshAt: start + MINUTE,
      expiresAt: start + 5 * MINUTE,
      link: null,
    });
    const counter = counted();
    expect(await xCache(link.slug, counter.env)).toEqual([404, "hit", null]);
    expect(counter.trips).toEqual({ ...NOTHING, kvReads: 1 });
  });
});

describe("a lease", () => {
  it.each([0, MINUTE - 1])("is served without D1 %i ms after the read", async (time) => {
    const { slug } = await changedLink();
    elapse(time);
    const counter = counted();
    expect(await xCache(slug, counter.env)).toEqual([302, "hit", OLD]);
    expect(counter.trips).toEqual({ ...NOTHING, kvReads: 1 });
  });

  it.each([MINUTE, 5 * MINUTE - 1])(
    "is still served %i ms after the read, and renewed after the response",
    async (time) => {
      const { slug } = await changedLink();
      elapse(time);
      const counter = counted();
      expect(await xCache(slug, counter.env)).toEqual([302, "hit", OLD]);
      expect(counter.trips).toEqual({ d1: 1, kvReads: 1, kvWrites: 1 });
      expect(await kvValue(slug)).toMatchObject({ target: NEW, expiresAt: start + time + 5 * MINUTE });
      expect(await xCache(slug)).toEqual([302, "hit", NEW]);
    },
  );

  it("is served while its renewal fails, and stays in KV", async () => {
    const { slug } = await changedLink();
    const before = await kvValue(slug);
    elapse(2 * MINUTE);
    expect(await xCache(slug, withoutD1())).toEqual([302, "hit", OLD]);
    expect(await kvValue(slug)).toEqual(before);
  });

  it("that has expired is ignored, even if KV still has the entry", async () => {
    const { slug } = await changedLink();
    elapse(5 * MINUTE);
    expect(await xCache(slug)).toEqual([302, "miss", NEW]);
    expect(await kvValue(slug)).toMatchObject({ target: NEW, expiresAt: start + 10 * MINUTE });
  });
});

it.each(["https://evil.example/", '{"rev":1', '{"rev":1,"target":"https://evil.example/"}'])(
  "an invalid KV value is a cache miss and is overwritten: %s",
  async (junk) => {
    const link = await ws.link({ destination_url: NEW });
    await env.KV.put(link.slug, junk);
    expect(await xCache(link.slug)).toEqual([302, "miss", NEW]);
    expect(await kvValue(link.slug)).toMatchObject({ target: NEW, link: link.id });
  },
);

describe("while KV is unavailable", () => {
  it("D1 answers, and a failed write to KV loses nothing", async () => {
    const { slug } = await ws.link({ destination_url: NEW });
    const broken = withKv({ get: kvFails, put: kvFails });
    expect(await xCache(slug, broken)).toEqual([302, "miss", NEW]);
    expect(await xCache(unknownSlug(), broken)).toEqual([404, "miss", null]);
    expect(await kvValue(slug)).toBeNull();
  });

  it("and D1 too, a visitor gets 503 with Retry-After", async () => {
    const { slug } = await changedLink();
    const response = await visit(`/${slug}`, {}, { ...withKv({ get: kvFails }), DB: withoutD1().DB });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});

describe("while D1 is unavailable", () => {
  it.each([5 * MINUTE, 30 * MINUTE, 65 * MINUTE - 1])(
    "a value is served as stale %i ms after its read",
    async (time) => {
      const { slug } = await changedLink();
      elapse(time);
      expect(await xCache(slug, withoutD1())).toEqual([302, "stale", OLD]);
      expect(await xCache(slug)).toEqual([302, "miss", NEW]);
    },
  );

  it("a value read 65 minutes ago is no longer served: 503 with Retry-After, uncacheable", async () => {
    const { slug } = await changedLink();
    elapse(65 * MINUTE);
    const response = await visit(`/${slug}`, {}, withoutD1());
    expect(response.status).toBe(503);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "retry-after": "5",
      "cache-control": "private, no-store",
      "content-type": "text/html; charset=utf-8",
    });
    expect(response.headers.has("location")).toBe(false);
    const json = await visit(`/${slug}`, { headers: { accept: "application/json" } }, withoutD1());
    expect(await json.json()).toEqual({ message: "Service temporarily unavailable." });
    expect(await xCache(slug)).toEqual([302, "miss", NEW]);
  });

  it.each([
    ["D1", 5_000, "stale", (passed: Promise<void>) => withBatch((send) => heldBack(passed, send))],
    ["KV", 3_000, "miss", (passed: Promise<void>) => withKv({ get: () => passed })],
  ])("a hanging call of %s counts as failed after %i ms", async (_, ms, cache, hold) => {
    const { slug } = await changedLink();
    elapse(10 * MINUTE);
    const { passed, open } = gate();
    const { done } = hurry(ms);
    const execution = createExecutionContext();
    const request = new Request(`${SHORT}/${slug}`, { redirect: "manual" });
    const hung = otherInstance(hold(passed));
    const visiting = Promise.resolve(
      worker.fetch(request as Parameters<typeof worker.fetch>[0], hung, execution),
    );
    const response = await visiting.finally(done);
    expect([response.status, response.headers.get("x-cache")]).toEqual([302, cache]);
    open();
    await waitOnExecutionContext(execution);
  });

  it("a slug that is not in KV is 503, with or without a link", async () => {
    const { slug } = await ws.link();
    for (const unread of [slug, unknownSlug()]) {
      const response = await visit(`/${unread}`, {}, withoutD1());
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    }
  });
});
