import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/context";
import { writeDueSlugs } from "../../src/redirect/slugs/kv-writer";
import { slugMemoryOf } from "../../src/redirect/slugs/slug-memory";
import { MAX_RANK, MAX_WRITES_OF_REQUEST } from "../../src/redirect/slugs/statements/marks";
import worker from "../../src/worker";
import { elapse, start, stopClock } from "../clock";
import { kvFails, withBatch, withKv, withLostAnswer } from "../faulty";
import {
  API,
  counted,
  kvName,
  makeWorkspace,
  serviceContext,
  type TestWorkspace,
  testEnv,
  kvValue as valueInKv,
  visit,
} from "../harness";
import { runSql, selectRows } from "../sql";
import { countClaims } from "./slugs/fill";

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
  const value = await valueInKv(slug);
  return value === null
    ? null
    : Object.fromEntries(Object.entries(value).filter(([name]) => name !== "workspace"));
}
const slugRow = (slug: string) =>
  env.DB.prepare("select rev, push_at, doubt_until from slugs where key = ?")
    .bind(slug.toLowerCase())
    .first();
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

/** What a change leaves in the outbox: the second write, or its first one with the rank of an edit. */
const doubtUntil = () => 1e14 + start;
const written = () => ({ push_at: start + 45_000, doubt_until: doubtUntil() });
const QUIET = { push_at: null, doubt_until: null };

describe("a change of a slug that may be in KV is pushed before the response", () => {
  it("for an edit, once for every slug of the link", async () => {
    const { ws, id, path, previous, slug } = await knownLink();
    const counter = counted();
    const { settled } = await change(ws, "PATCH", path, { destination_url: NEW }, counter.env);
    for (const each of [previous, slug]) {
      expect(await kvValue(each)).toEqual({ rev: 2, target: NEW, link: id, read_at: start });
    }
    await settled();
    expect(counter.trips.kvWrites).toBe(2);
    expect([await location(previous), await location(slug)]).toEqual([NEW, NEW]);
  });

  it("for an edit of a link with many slugs and long rules, with the whole of those alone that are written", async () => {
    const ws = await makeWorkspace();
    const rules = Array.from({ length: 10 }, (_, n) => ({
      destination_url: `https://www.example.com/${n}`.padEnd(1_900, "x"),
      devices: ["ios"],
    }));
    const { id, slug } = await ws.link({ destination_url: OLD, rules });
    await runSql`with recursive n(i) as (select 11 union all select i + 1 from n where i < 99)
      insert into slugs (key, workspace_id, link_id, created_at)
      select ${slug} || '-' || i, ${ws}, (select id from links where public_id = ${id}), 0 from n`;
    await countClaims();
    let longest = 0;
    const own = withBatch((send) => async (statements) => {
      const results = await send(statements);
      longest = Math.max(longest, ...results.map((result) => JSON.stringify(result.results).length));
      return results;
    });
    const { settled } = await change(ws, "PATCH", `/api/v1/links/${id}`, { destination_url: NEW }, own);
    await settled();
    expect(longest).toBeLessThan(500_000);
    const due = await selectRows<{
      key: string;
    }>`select key from slugs where workspace_id = ${ws} and push_at > ${MAX_RANK}`;
    expect(due).toHaveLength(MAX_WRITES_OF_REQUEST);
    for (const { key } of due)
      expect(await kvValue(key)).toMatchObject({ target: NEW, link: id, rules: { length: 10 } });
    expect([...slugMemoryOf(own.KV).doubts.keys()]).toContain(`workspace::${ws.ctx.workspace.rowId}`);
  });

  it("for a deletion, as a tombstone for every slug", async () => {
    const { ws, path, previous, slug } = await knownLink();
    const counter = counted();
    const { response, settled } = await change(ws, "DELETE", path, undefined, counter.env);
    expect(response.status).toBe(204);
    for (const each of [previous, slug]) {
      expect(await kvValue(each)).toEqual({ rev: 2, target: null, link: null, read_at: start });
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
    expect(await slugRow(slug)).toEqual({ rev: 1, ...QUIET });
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
      expect(await slugRow(each)).toEqual({ rev: 1, ...QUIET });
      expect(await location(each)).toBe(OLD);
    }
    expect(await kvValue(slug)).toEqual(before);
  });
});

describe("after a write", () => {
  it("a second one is due 45 s later, to overwrite late writes of others, and the doubt stays open", async () => {
    const { ws, path, previous, slug } = await knownLink();
    for (const [rev, body] of [
      [2, { destination_url: NEW }],
      [3, { utm_source: "s" }],
    ] as const) {
      const { settled } = await change(ws, "PATCH", path, body);
      await settled();
      for (const each of [previous, slug]) {
        expect(await slugRow(each)).toEqual({ rev, ...written() });
      }
    }
    const { settled } = await change(ws, "DELETE", path);
    await settled();
    expect(await slugRow(slug)).toEqual({ rev: 4, ...written() });
  });

  it("a KV error fails no request, and leaves the slug due", async () => {
    const { ws, path, previous, slug } = await knownLink();
    let puts = 0;
    const put = (key: string, value: string) => {
      puts++;
      return key === kvName(previous) ? env.KV.put(key, value) : kvFails();
    };
    const broken = withKv({ put, delete: kvFails });
    const { response, settled } = await change(ws, "PATCH", path, { destination_url: NEW }, broken);
    expect([response.status, puts]).toEqual([200, 2]);
    await settled();
    expect(await slugRow(previous)).toEqual({ rev: 2, ...written() });
    expect(await slugRow(slug)).toEqual({ rev: 2, push_at: 1, doubt_until: doubtUntil() });
    expect(await kvValue(slug)).toMatchObject({ rev: 1, target: OLD });
  });
});

describe("the job", () => {
  /** The row of a slug after a run of the job. */
  const swept = async (slug: string, environment = testEnv) => {
    await writeDueSlugs(serviceContext(environment));
    return slugRow(slug);
  };

  it("writes a second time after 45 s, and ends the doubt two minutes later", async () => {
    const { ws, path, slug } = await knownLink();
    const { settled } = await change(ws, "PATCH", path, { destination_url: NEW });
    await settled();
    elapse(44_999);
    expect(await swept(slug)).toEqual({ rev: 2, ...written() });
    await env.KV.put(kvName(slug), "late");
    elapse(45_000);
    expect(await swept(slug)).toEqual({ rev: 2, push_at: null, doubt_until: start + 165_000 });
    expect(await kvValue(slug)).toMatchObject({ rev: 2, target: NEW });
    elapse(164_999);
    expect(await swept(slug)).toMatchObject({ doubt_until: start + 165_000 });
    elapse(165_000);
    expect(await swept(slug)).toEqual({ rev: 2, ...QUIET });
  });

  it("removes what KV does not replace, which counts as a write", async () => {
    const { ws, path, slug } = await knownLink();
    const full = withKv({ put: kvFails });
    const { settled } = await change(ws, "PATCH", path, { destination_url: NEW }, full);
    expect(await kvValue(slug)).toBeNull();
    await settled();
    expect(await slugRow(slug)).toEqual({ rev: 2, ...written() });
    expect(await location(slug)).toBe(NEW);
    elapse(45_000);
    expect(await swept(slug, full)).toMatchObject({ push_at: null });
    expect(await kvValue(slug)).toBeNull();
  });

  it("writes takedowns and deletions first, then edits, second writes, and what is changed in bulk", async () => {
    const ws = await makeWorkspace();
    const broken = withKv({ put: kvFails, delete: kvFails });
    const links = await Promise.all(
      ["second", "bulk", "edit", "deletion"].map((title) => ws.link({ title })),
    );
    const [second, bulk, edit, deletion] = links.map(({ id, slug }) => ({
      path: `/api/v1/links/${id}`,
      slug,
    }));
    if (!second || !bulk || !edit || !deletion) throw new Error("no links");
    const patch = async (path: string, environment: Env) =>
      (await change(ws, "PATCH", path, { destination_url: NEW }, environment)).settled();
    await patch(second.path, testEnv);
    for (const { path } of [bulk, edit]) await patch(path, broken);
    await (await change(ws, "DELETE", deletion.path, undefined, broken)).settled();
    await env.DB.prepare("update slugs set push_at = 3 where key = ?").bind(bulk.slug).run();
    elapse(45_000);
    const puts: string[] = [];
    const put = (...args: Parameters<KVNamespace["put"]>) => {
      puts.push(args[0]);
      return env.KV.put(...args);
    };
    await writeDueSlugs(serviceContext(withKv({ put })));
    const own = [deletion, edit, second, bulk].map(({ slug }) => kvName(slug));
    expect(puts.filter((name) => own.includes(name))).toEqual(own);
  });
});
