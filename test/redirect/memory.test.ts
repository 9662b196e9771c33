import { describe, expect, it, vi } from "vitest";
import { listChange, listWideChange } from "../../src/redirect/slugs/doubts";
import { slugMemoryOf } from "../../src/redirect/slugs/slug-memory";
import { stopClock } from "../clock";
import { gate, kvFails, type Sent, withBatch, withKv } from "../faulty";
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

  it("has no part in a read of KV that was pending during the change: D1 answers", async () => {
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
    expect((await early).headers.get("location")).toBe(NEW);
    expect(await seen(link.slug, instance)).toBe(NEW);
  });

  it("does not fall back on an old KV entry if the change could not be written", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ destination_url: OLD });
    await visit(`/${link.slug}`);
    const instance = withKv({ put: kvFails, delete: kvFails });
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
    // Once it also asks for the list of doubts.
    if ((statements as Sent[]).some(({ statement }) => statement.includes("json_each"))) calls++;
    return sendBatch(statements);
  });
  const own = { ...otherInstance(instance) };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send(new Request(`${SHORT}/${slug}`, { redirect: "manual" }), own)),
  );
  expect(answers.map((answer) => answer.headers.get("location"))).toEqual(Array(20).fill(OLD));
  expect(calls).toBe(1);
});

const outage = () => withBatch(() => () => Promise.reject(new Error("D1_ERROR: D1 DB is overloaded."))).DB;

it("a workspace in doubt as a whole reads D1, and others still read KV", async () => {
  const [changing, other] = [await makeWorkspace(), await makeWorkspace()];
  const [doubtful, known] = [await changing.link(), await other.link()];
  for (const { slug } of [doubtful, known]) await visit(`/${slug}`);
  const instance = otherInstance();
  listWideChange(slugMemoryOf(instance.KV), "workspace", changing.ctx.workspace.rowId, null);
  const cacheOf = async (slug: string) => (await visit(`/${slug}`, {}, instance)).headers.get("x-cache");
  expect([await cacheOf(doubtful.slug), await cacheOf(known.slug)]).toEqual(["miss", "hit"]);
});

it("in an outage what is in doubt as a whole is served from KV, but no slug that is known to have changed", async () => {
  const ws = await makeWorkspace();
  const links = [await ws.link(), await ws.link(), await ws.link(), await ws.link()];
  for (const { slug } of links) await visit(`/${slug}`);
  const instance = { ...otherInstance(), DB: outage() };
  const memory = slugMemoryOf(instance.KV);
  const [doubtful, changed, takenDown, deleted] = links.map(({ slug }) => slug);
  listWideChange(memory, "workspace", ws.ctx.workspace.rowId, null);
  listChange(memory, { key: String(changed), workspace_id: 0 }, null);
  listChange(memory, { key: String(takenDown), workspace_id: 0 }, "taken_down");
  listChange(memory, { key: String(deleted), workspace_id: 0 }, "gone");
  const answerOf = async (slug = "") => {
    const { status, headers } = await visit(`/${slug}`, {}, instance);
    return [status, headers.get("x-cache")];
  };
  expect(await answerOf(doubtful)).toEqual([302, "hit"]);
  expect(await answerOf(changed)).toEqual([503, null]);
  expect(await answerOf(takenDown)).toEqual([404, "hit"]);
  expect(await answerOf(deleted)).toEqual([404, "hit"]);
});
