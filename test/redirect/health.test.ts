import { env } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/context";
import { handleHealth } from "../../src/operations/health-endpoint";
import { stopClock } from "../clock";
import { gate, heldBack, kvFails, OVERLOADED, withBatch, withKv, withoutD1 } from "../faulty";
import { API, counted, hurry, otherInstance, send } from "../harness";

// /health needs no key and has no rate limit, so its cost must not grow with the number of requests.

stopClock();

const ask = (environment: Env) => send(new Request(`${API}/health`), environment);
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** An environment whose D1 calls are counted and handled by `batch`. */
function countingCalls(batch: (call: number, run: () => Promise<D1Result[]>) => Promise<D1Result[]>) {
  const calls = { d1: 0 };
  const environment = withBatch((send) => (statements) => {
    calls.d1++;
    return batch(calls.d1, () => send(statements));
  });
  return { calls, env: otherInstance(environment) };
}

describe("/health", () => {
  it("calls D1 and KV once in ten seconds, however often a stranger asks", async () => {
    const { env: instance, trips } = counted(otherInstance());
    const ATTEMPTS = 1_000;
    const answers = await Promise.all(Array.from({ length: ATTEMPTS }, () => ask(instance)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(ATTEMPTS);
    for (let second = 0; second < 9; second++) {
      pass(1_000);
      for (let time = 0; time < 10; time++) await ask(instance);
    }
    expect(trips).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
    pass(1_000);
    await ask(instance);
    expect(trips).toEqual({ d1: 2, kvReads: 2, kvWrites: 0 });
  });

  it.each([
    ["D1", () => withoutD1(), { d1: false, kv: true, schema_version: null }],
    ["KV", () => withKv({ get: kvFails }), { d1: true, kv: false, schema_version: expect.any(String) }],
  ])("is 503 without %s, and remembers it for as long", async (_, broken, found) => {
    const { env: instance, trips } = counted(otherInstance(broken()));
    for (let time = 0; time < 5; time++) {
      const response = await ask(instance);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "10"]);
      expect(await response.json()).toMatchObject({ status: "unavailable", ...found });
    }
    expect([trips.d1, trips.kvReads]).toEqual([1, 1]);
  });

  it("is 503 if the database lacks the last migration, and not if it has a later one", async () => {
    const own = await env.DB.prepare("select id, name from d1_migrations order by id desc").first<{
      id: number;
      name: string;
    }>();
    const rename = (name: string) =>
      env.DB.prepare("update d1_migrations set name = ? where id = ?").bind(name, own?.id).run();
    await rename("0000_before.sql");
    const behind = await ask(otherInstance());
    await rename(own?.name ?? "");
    expect(behind.status).toBe(503);
    expect(await behind.json()).toMatchObject({
      status: "schema_behind",
      schema_version: "0000_before.sql",
      schema_expected: own?.name,
      d1: true,
    });
    await env.DB.prepare("insert into d1_migrations (name) values ('9999_later.sql')").run();
    const ahead = await ask(otherInstance());
    await env.DB.prepare("delete from d1_migrations where name = '9999_later.sql'").run();
    expect(await ahead.json()).toMatchObject({ status: "ok", schema_version: "9999_later.sql" });
  });

  it("notices after ten seconds that D1 is back", async () => {
    const { env: instance } = countingCalls((call, run) =>
      call <= 1 ? Promise.reject(new Error(OVERLOADED)) : run(),
    );
    const statuses: number[] = [];
    for (const ms of [0, 9_999, 1]) {
      pass(ms);
      statuses.push((await ask(instance)).status);
    }
    expect(statuses).toEqual([503, 503, 200]);
  });

  it("goes on with its check after its request", async () => {
    const works: Promise<unknown>[] = [];
    const { passed, open } = gate();
    const held = otherInstance(withBatch((send) => heldBack(passed, send)));
    void handleHealth(held, false, (work) => works.push(work));
    open();
    expect(await Promise.all(works)).toMatchObject([{ status: "ok" }]);
  });

  it("starts a new check if the first one never ends, and only one for all waiting requests", async () => {
    const { calls, env: instance } = countingCalls((call, run) =>
      call <= 1 ? new Promise(() => undefined) : run(),
    );
    // The first request is not awaited: its calls never end, like those of one that the platform has cancelled.
    vi.stubGlobal("setTimeout", () => 0);
    void handleHealth(instance, false, () => undefined);
    vi.unstubAllGlobals();
    const { done } = hurry(1_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(instance)));
    done();
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(calls.d1).toBe(2);
  });

  it("asks D1 once while that hangs, and every request gets 503", async () => {
    const { passed, open } = gate();
    let calls = 0;
    const hung = otherInstance(
      withBatch((send) => {
        const held = heldBack(passed, send);
        return (statements) => {
          calls++;
          return held(statements);
        };
      }),
    );
    const { done } = hurry(1_000);
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(hung)));
    done();
    open();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(calls).toBe(1);
  });
});
