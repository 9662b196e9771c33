import { describe, expect, it, vi } from "vitest";
import { markChanged, slugMemoryOf } from "../../src/redirect/slugs/memory";
import { stopClock } from "../clock";
import { gate, kvFails, withBatch, withKv } from "../faulty";
import { counted, makeWorkspace, otherInstance, SHORT, send, visit } from "../harness";

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";

stopClock();

const seen = async (slug: string, environment: ReturnType<typeof otherInstance>) =>
  (await visit(`/${slug}`, {}, environment)).headers.get("location");

describe("the memory of an instance", () => {
  it("is at most five seconds old, counted from the read and not from the last hit", async () => {
    const { slug } = await (await makeWorkspace()).link();
    const { env, trips } = counted(otherInstance());
    const start = Date.now();
    await visit(`/${slug}`, {}, env);
    for (const [ms, reads] of [
      [2_000, 1],
      [4_999, 1],
      [5_001, 2],
      [9_999, 2],
      [10_002, 3],
    ] as const) {
      vi.setSystemTime(start + ms);
      await visit(`/${slug}`, {}, env);
      expect(trips.kvReads, `after ${ms} ms`).toBe(reads);
    }
  });

  it("does not store a read that was pending during the change", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ destination_url: OLD });
    await visit(`/${link.slug}`);
    const { passed, open } = gate();
    let gets = 0;
    const plain = otherInstance();
    const instance = withKv({
      get: async (key: string, options: KVNamespaceGetOptions<"text">) => {
        const value = await plain.KV.get(key, options);
        if (++gets === 1) await passed;
        return value;
      },
    });
    const early = visit(`/${link.slug}`, {}, instance);
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { destination_url: NEW }, env: instance });
    open();
    expect((await early).headers.get("location")).toBe(OLD);
    expect(await seen(link.slug, instance)).toBe(NEW);
  });

  it("does not fall back on an old KV entry if the change could not be pushed", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ destination_url: OLD });
    await visit(`/${link.slug}`);
    const instance = withKv({ put: kvFails });
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { destination_url: NEW }, env: instance });
    for (const seconds of [0, 6, 60, 250]) {
      vi.setSystemTime(Date.now() + seconds * 1000);
      expect(await seen(link.slug, instance), `${seconds} s later`).toBe(NEW);
    }
  });
});

it("concurrent visitors of an uncached slug share one call of D1", async () => {
  const { slug } = await (await makeWorkspace()).link({ destination_url: OLD });
  let calls = 0;
  const instance = withBatch((sendBatch) => (statements) => {
    calls++;
    return sendBatch(statements);
  });
  const own = { ...otherInstance(instance) };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send(new Request(`${SHORT}/${slug}`, { redirect: "manual" }), own)),
  );
  expect(answers.map((answer) => answer.headers.get("location"))).toEqual(Array(20).fill(OLD));
  expect(calls).toBe(1);
});

const MAX_OUTDATED = 2_000;

/** An instance on which a workspace has changed more slugs than it keeps. */
function instanceInDoubtOf(workspaceId: number) {
  const instance = otherInstance();
  const memory = slugMemoryOf(instance.KV);
  for (let number = 0; number <= MAX_OUTDATED; number++)
    markChanged(memory, { key: `changed-${number}`, workspace_id: workspaceId }, Date.now());
  return instance;
}

const outage = () => withBatch(() => () => Promise.reject(new Error("D1_ERROR: D1 DB is overloaded."))).DB;

it("a workspace in doubt reads D1, and others still read KV", async () => {
  const [changing, other] = [await makeWorkspace(), await makeWorkspace()];
  const [doubtful, known] = [await changing.link(), await other.link()];
  for (const { slug } of [doubtful, known]) await visit(`/${slug}`);
  const instance = instanceInDoubtOf(changing.ctx.workspace.rowId);
  const cacheOf = async (slug: string) => (await visit(`/${slug}`, {}, instance)).headers.get("x-cache");
  expect([await cacheOf(doubtful.slug), await cacheOf(known.slug)]).toEqual(["miss", "hit"]);
});

it("in an outage a workspace in doubt is served from KV, but no slug that is known to have changed", async () => {
  const ws = await makeWorkspace();
  const [doubtful, changed] = [await ws.link(), await ws.link()];
  for (const { slug } of [doubtful, changed]) await visit(`/${slug}`);
  const { rowId } = ws.ctx.workspace;
  const instance = { ...instanceInDoubtOf(rowId), DB: outage() };
  markChanged(
    slugMemoryOf(instance.KV),
    { key: changed.slug.toLowerCase(), workspace_id: rowId },
    Date.now(),
  );
  const answerOf = async (slug: string) => {
    const { status, headers } = await visit(`/${slug}`, {}, instance);
    return [status, headers.get("x-cache")];
  };
  expect(await answerOf(doubtful.slug)).toEqual([302, "stale"]);
  expect((await answerOf(changed.slug))[0]).toBe(503);
});
