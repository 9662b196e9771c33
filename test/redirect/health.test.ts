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
  it("calls D1 and KV at most once in five seconds", async () => {
    const { env: instance, trips } = counted(otherInstance());
    for (let time = 0; time < 10; time++) expect((await ask(instance)).status).toBe(200);
    expect(trips).toEqual({ d1: 2, kvReads: 1, kvWrites: 0 });
    pass(4_999);
    await ask(instance);
    expect(trips.d1).toBe(2);
    pass(1);
    await ask(instance);
    expect(trips.d1).toBe(4);
  });

  it.each([
    ["D1", () => withoutD1(), { d1: false, kv: true, schema_version: null, pushes: null }],
    ["KV", () => withKv({ get: kvFails }), { d1: true, kv: false, schema_version: expect.any(String) }],
  ])("is 503 without %s, and remembers it for as long", async (_, broken, found) => {
    const { env: instance, trips } = counted(otherInstance(broken()));
    for (let time = 0; time < 5; time++) {
      const response = await ask(instance);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await response.json()).toMatchObject({ status: "unavailable", ...found });
    }
    expect(trips.kvReads).toBe(1);
  });

  it("notices after five seconds that D1 is back", async () => {
    const { env: instance } = countingCalls((call, run) =>
      call <= 2 ? Promise.reject(new Error(OVERLOADED)) : run(),
    );
    const statuses: number[] = [];
    for (const ms of [0, 4_999, 1]) {
      pass(ms);
      statuses.push((await ask(instance)).status);
    }
    expect(statuses).toEqual([503, 503, 200]);
  });

  it("starts a new check if the request of the first was cancelled, and only one for all waiting requests", async () => {
    const { calls, env: instance } = countingCalls((call, run) =>
      call <= 2 ? new Promise(() => undefined) : run(),
    );
    // The first request is not awaited: its calls never end, like those of a cancelled request.
    vi.stubGlobal("setTimeout", () => 0);
    void handleHealth(instance);
    vi.unstubAllGlobals();
    const { done } = hurry(1_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(instance)));
    done();
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(calls.d1).toBe(4);
  });

  it("has few pending checks while D1 hangs, and every request gets 503", async () => {
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
    expect(calls).toBeLessThanOrEqual(6);
  });
});
