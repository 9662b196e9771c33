import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { cacheStatus } from "../../src/redirect/slugs/cache-status";
import { writeDueSlugs } from "../../src/redirect/slugs/kv-writer";
import { addDomain } from "../../src/resources/domains/domain-service";
import { suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import worker from "../../src/worker";
import { elapse, start, stopClock } from "../clock";
import { gate, heldBack, kvFails, withBatch, withKv, withoutD1 } from "../faulty";
import {
  counted,
  hurry,
  kvName,
  kvValue,
  makeWorkspace,
  otherInstance,
  SHORT,
  send,
  serviceContext,
  visit,
} from "../harness";
import { failuresOf } from "../log";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const unknownSlug = () => `nobody-${crypto.randomUUID().slice(0, 8)}`;
const xCache = async (slug: string, environment = otherInstance()) => {
  const response = await visit(`/${slug}`, {}, environment);
  return [response.status, response.headers.get("x-cache"), response.headers.get("location")];
};

/** Changes a link's destination without a word to the outbox, which must never happen. */
const changeSecretly = (id: string, destination: string) =>
  env.DB.prepare("update links set destination_url = ? where public_id = ?").bind(destination, id).run();

/** The outbox's row of a slug. */
const slugRow = (slug: string) =>
  env.DB.prepare("select rev, push_at, doubt_until from slugs where key = ?").bind(slug).first();

const nextMidnight = (at: number): number => new Date(at).setUTCHours(24, 0, 0, 0);

const outage = () => otherInstance(withoutD1());

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";

/** A link that was written to KV at `start`. */
async function knownLink() {
  const link = await ws.link({ destination_url: OLD });
  expect(await xCache(link.slug)).toEqual([302, "miss", OLD]);
  return link;
}

stopClock();

describe("a KV entry", () => {
  it("has the target with UTM parameters and the link, under the epoch and the slug's key, for 35 days", async () => {
    const slug = `Case-${crypto.randomUUID().slice(0, 8)}`;
    const link = await ws.link({ slug, destination_url: OLD, utm_source: "print" });
    const written: unknown[] = [];
    const put = (...args: Parameters<KVNamespace["put"]>) => {
      written.push([args[0], args[2]]);
      return env.KV.put(...args);
    };
    await visit(`/${slug}`, {}, withKv({ put }));
    expect(written).toEqual([[`1:${slug.toLowerCase()}`, { expirationTtl: 35 * 86_400 }]]);
    expect(await kvValue(slug)).toEqual({
      rev: 1,
      read_at: start,
      workspace: expect.any(Number),
      target: `${OLD}?utm_source=print`,
      link: link.id,
    });
  });

  it("is of a time before the read of D1, however long that took", async () => {
    const { slug } = await ws.link();
    const slow = withBatch((send) => (statements) => {
      elapse(9_000);
      return send(statements);
    });
    await visit(`/${slug}`, {}, slow);
    expect(await kvValue(slug)).toMatchObject({ read_at: start });
  });

  it("is not written once the read of D1 is older than ten seconds", async () => {
    const { slug } = await ws.link();
    const slow = withBatch((send) => (statements) => {
      elapse(10_001);
      return send(statements);
    });
    await visit(`/${slug}`, {}, slow);
    expect(await kvValue(slug)).toBeNull();
  });

  it("is written once a minute by an instance whose KV goes on having nothing", async () => {
    const { slug } = await ws.link();
    const { env: instance, trips } = counted(withKv({ get: async () => null }));
    for (const time of [0, 6_000, 54_000, MINUTE]) {
      elapse(time);
      await visit(`/${slug}`, {}, instance);
    }
    expect(trips.kvWrites).toBe(2);
  });

  it("never exists for a slug that was never claimed", async () => {
    const slug = unknownSlug();
    const { env: instance, trips } = counted();
    for (const time of [0, MINUTE - 1]) {
      elapse(time);
      expect(await xCache(slug, instance)).toEqual([404, "miss", null]);
    }
    // The list of doubts, and each look-up.
    expect(trips).toEqual({ d1: 3, kvReads: 2, kvWrites: 0 });
    expect(await kvValue(slug)).toBeNull();
  });

  it("is a tombstone for a freed slug, so that visits do not read D1 each time", async () => {
    const link = await ws.link();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    await env.KV.delete(kvName(link.slug));
    expect(await xCache(link.slug)).toEqual([404, "miss", null]);
    expect(await kvValue(link.slug)).toEqual({
      rev: 2,
      read_at: start,
      workspace: expect.any(Number),
      target: null,
      link: null,
    });
    expect(await xCache(link.slug, outage())).toEqual([404, "hit", null]);
  });

  it.each([5 * MINUTE, DAY, 34 * DAY])(
    "is served %i ms after its read, without D1 before the answer",
    async (time) => {
      const { slug } = await knownLink();
      elapse(time);
      expect(await xCache(slug, outage())).toEqual([302, "hit", OLD]);
    },
  );

  it("of another epoch is never read", async () => {
    const { slug } = await knownLink();
    expect(await xCache(slug, { ...otherInstance(), CACHE_EPOCH: "2" })).toEqual([302, "miss", OLD]);
    expect(await env.KV.get(`2:${slug}`)).toEqual(await env.KV.get(kvName(slug)));
  });
});

describe("a value that is older than an hour", () => {
  it("is compared with D1 behind the answer, once an hour an instance", async () => {
    const { slug } = await knownLink();
    const { env: instance, trips } = counted();
    const calls: number[] = [];
    for (const time of [HOUR - 1, HOUR + 5_000, HOUR + 50_000, 2 * HOUR + 5_000]) {
      elapse(time);
      const before = trips.d1;
      expect(await xCache(slug, instance)).toEqual([302, "hit", OLD]);
      calls.push(trips.d1 - before);
    }
    // The list of doubts once a minute, and the check.
    expect(calls).toEqual([1, 1, 0, 2]);
    expect(trips.kvWrites).toBe(0);
    expect(await slugRow(slug)).toEqual({ rev: 1, push_at: null, doubt_until: null });
  });

  it("is one of an instance in ten seconds", async () => {
    const [one, other] = [await knownLink(), await knownLink()];
    const { env: instance, trips } = counted();
    elapse(HOUR);
    await visit("/nobody", {}, instance);
    const calls: number[] = [];
    for (const [time, slug] of [
      [HOUR, one.slug],
      [HOUR + 9_999, other.slug],
      [HOUR + 15_000, other.slug],
    ] as const) {
      elapse(time);
      const before = trips.d1;
      await visit(`/${slug}`, {}, instance);
      calls.push(trips.d1 - before);
    }
    expect(calls).toEqual([1, 0, 1]);
  });

  it("goes into the outbox if it is outdated, which is logged and counted", async () => {
    const link = await knownLink();
    await changeSecretly(link.id, NEW);
    const counted = async () => (await cacheStatus(serviceContext())).kv_outdated;
    const before = await counted();
    elapse(HOUR);
    const failures = await failuresOf(() => visit(`/${link.slug}`));
    expect(failures).toEqual([{ level: "error", error: "kv_outdated", kv_rev: 1, d1_rev: 1 }]);
    expect(await slugRow(link.slug)).toEqual({ rev: 1, push_at: 0, doubt_until: 1e14 + start + HOUR });
    expect(await counted()).toBe(before + 1);
    await writeDueSlugs(serviceContext());
    expect(await kvValue(link.slug)).toMatchObject({ target: NEW });
  });

  it("is left to the job while a change of many slugs is not marked", async () => {
    const own = await makeWorkspace();
    const link = await own.link();
    await visit(`/${link.slug}`);
    elapse(HOUR);
    const stopped = { ...own.ctx, db: { ...own.ctx.db, statementsLeft: () => 0 } };
    await suspendWorkspace(stopped, own.slug);
    expect(await failuresOf(() => visit(`/${link.slug}`, {}, otherInstance()))).toEqual([]);
    expect(await slugRow(link.slug)).toEqual({ rev: 1, push_at: null, doubt_until: null });
    await writeDueSlugs(serviceContext());
    expect(await kvValue(link.slug)).toMatchObject({ target: null });
  });

  it("is left to the outbox while the slug is in doubt", async () => {
    const link = await knownLink();
    const broken = withKv({ put: kvFails, delete: kvFails });
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { destination_url: NEW }, env: broken });
    elapse(HOUR);
    expect(await xCache(link.slug)).toEqual([302, "hit", OLD]);
    expect(await slugRow(link.slug)).toEqual({ rev: 2, push_at: 1, doubt_until: 1e14 + start });
  });

  it("is written again after 25 days", async () => {
    const { slug } = await knownLink();
    for (const [time, readAt] of [
      [25 * DAY, start],
      [25 * DAY + 1, start + 25 * DAY + 1],
    ] as const) {
      elapse(time);
      await visit(`/${slug}`);
      expect(await kvValue(slug)).toMatchObject({ read_at: readAt });
    }
  });

  it("of a slug that D1 does not know is removed", async () => {
    const slug = unknownSlug();
    const { slug: known } = await knownLink();
    await env.KV.put(kvName(slug), (await env.KV.get(kvName(known))) ?? "");
    elapse(HOUR);
    expect(await failuresOf(() => visit(`/${slug}`))).toHaveLength(1);
    expect(await kvValue(slug)).toBeNull();
    expect(await xCache(slug)).toEqual([404, "miss", null]);
    expect(await slugRow(slug)).toBeNull();
  });
});

it.each(["https://evil.example/", '{"rev":1', '{"rev":1,"target":"https://evil.example/"}'])(
  "an invalid KV value is a cache miss and is overwritten: %s",
  async (junk) => {
    const link = await ws.link({ destination_url: NEW });
    await env.KV.put(kvName(link.slug), junk);
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
    const { slug } = await knownLink();
    const response = await visit(`/${slug}`, {}, { ...withKv({ get: kvFails }), DB: withoutD1().DB });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});

describe("while D1 is unavailable", () => {
  it.each([
    ["D1", 5_000, 503, (passed: Promise<void>) => withBatch((send) => heldBack(passed, send))],
    ["KV", 3_000, 302, (passed: Promise<void>) => withKv({ get: () => passed })],
  ])("a hanging call of %s counts as failed after %i ms", async (_, ms, status, hold) => {
    const { slug } = await ws.link({ destination_url: OLD });
    const { passed, open } = gate();
    const { done } = hurry(ms);
    const execution = createExecutionContext();
    const request = new Request(`${SHORT}/${slug}`, { redirect: "manual" });
    const hung = otherInstance(hold(passed));
    const visiting = Promise.resolve(
      worker.fetch(request as Parameters<typeof worker.fetch>[0], hung, execution),
    );
    const response = await visiting.finally(done);
    expect(response.status).toBe(status);
    open();
    await waitOnExecutionContext(execution);
  });

  it("a slug that is not in KV is 503, with or without a link", async () => {
    const { slug } = await ws.link();
    for (const unread of [slug, unknownSlug()]) {
      const response = await visit(`/${unread}`, {}, withoutD1());
      expect(response.status).toBe(503);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "retry-after": "5",
        "cache-control": "private, no-store",
        "content-type": "text/html; charset=utf-8",
      });
      expect(response.headers.has("location")).toBe(false);
      const json = await visit(`/${unread}`, { headers: { accept: "application/json" } }, withoutD1());
      expect(await json.json()).toEqual({ message: "Service temporarily unavailable." });
    }
  });

  it("on its limit of a day, a visitor is told to come back after midnight UTC", async () => {
    const limited = withoutD1("D1_ERROR: Your account has exceeded D1's free tier daily row read limit.");
    const before = Date.now();
    const response = await visit(`/${unknownSlug()}`, {}, limited);
    const midnight = before + Number(response.headers.get("retry-after")) * 1_000;
    expect([response.status, Math.abs(midnight - nextMidnight(before)) < 60_000]).toEqual([503, true]);
  });

  it("the files of a domain whose settings are not in KV are 503 too, and 404 elsewhere once it answers", async () => {
    const { host } = await addDomain(ws.ctx, `go.${ws.slug}.example`, true);
    for (const path of ["/", "/robots.txt"]) {
      await env.KV.delete(`1:${host}/`);
      const answers = [
        await send(new Request(`https://${host}${path}`), outage()),
        await send(new Request(`https://${host}${path}`), otherInstance()),
        await send(new Request(`https://no.${host}${path}`), otherInstance()),
      ];
      expect(answers.map(({ status }) => status)).toEqual([503, 200, 404]);
      expect(answers[0]?.headers.get("retry-after")).toBe("5");
    }
  });
});
