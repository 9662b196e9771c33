import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../src/access/keys";
import type { Env } from "../../src/context";
import configuration from "../../wrangler.toml?raw";
import { type Answer, API, makeWorkspace, send, testEnv } from "../harness";
import { limiter } from "../limiter";

const FROM = { "cf-connecting-ip": "192.0.2.1" };

const refusing = () => limiter(0);
const passing = () => limiter(Number.POSITIVE_INFINITY);
const failing: RateLimit = { limit: () => Promise.reject(new Error("no counter")) };

const expectTooMany = (answer: Answer<unknown>) => {
  expect([answer.status, answer.text]).toEqual([429, '{"message":"Too Many Attempts."}']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "retry-after": "60",
    "ratelimit-policy": '"key";q=3000;w=60',
    "cache-control": "no-store",
    "content-type": "application/json",
  });
};

describe("the limit of a key", () => {
  it("counts every request of a key, whatever its response, and each key separately", async () => {
    const [one, other] = [await makeWorkspace(), await makeWorkspace()];
    const second = await createApiKey(one.ctx, { name: "second" });
    const { asked, binding } = passing();
    const environment: Env = { ...testEnv, KEY_RATE: binding };
    await one.call("GET", "/api/v1/tags", { env: environment });
    await one.call("POST", "/api/v1/links", { env: environment, body: {} });
    await one.call("GET", "/api/v1/links/nothing", { env: environment });
    await one.call("GET", "/api/v1/tags", {
      env: environment,
      headers: { authorization: `Bearer ${second.key}` },
    });
    await other.call("GET", "/api/v1/tags", { env: environment });
    expect(asked).toHaveLength(5);
    expect(new Set(asked.slice(0, 3)).size).toBe(1);
    expect(new Set(asked.slice(2)).size).toBe(3);
    for (const name of asked) expect(name).toMatch(/^waymark:[0-9a-f]{64}$/);
  });

  it("is the limit in wrangler.toml, and the binding of another limit there refuses some of twice as many", async () => {
    expect(configuration).toContain(
      'name = "KEY_RATE"\nnamespace_id = "1001"\nsimple = { limit = 3000, period = 60 }',
    );
    // Local counters take milliseconds a call, so the smaller limit stands for both.
    const outcomes = await Promise.all(
      Array.from({ length: 601 }, () => env.UNKNOWN_SLUG_RATE?.limit({ key: "one" })),
    );
    const passed = outcomes.filter((outcome) => outcome?.success).length;
    expect([300, 600]).toContain(passed);
    expect(await env.UNKNOWN_SLUG_RATE?.limit({ key: "another" })).toEqual({ success: true });
  });

  it.each([
    ["fails", failing],
    ["is missing", undefined],
  ])("lets everyone through while its counter %s", async (_, binding) => {
    const ws = await makeWorkspace();
    const environment: Env = binding === undefined ? testEnv : { ...testEnv, KEY_RATE: binding };
    expect((await ws.call("GET", "/api/v1/tags", { env: environment })).status).toBe(200);
  });

  it("does not apply to requests that need no key", async () => {
    const limited: Env = { ...testEnv, KEY_RATE: refusing().binding, AUTH_FAILURE_RATE: refusing().binding };
    for (const [path, status] of [
      ["/api/v1/openapi.json", 200],
      ["/api/v1/nothing", 404],
    ] as const) {
      expect((await send(new Request(API + path, { headers: FROM }), limited)).status).toBe(status);
    }
  });
});

describe("the limit of failed authentications", () => {
  it("gives 429 instead of the 401, by address", async () => {
    const ws = await makeWorkspace();
    const expired = await createApiKey(ws.ctx, { name: "expired", expires_at: 1 });
    for (const authorization of [null, "Basic dTpw", "Bearer lnk_nothing", `Bearer ${expired.key}`]) {
      const { asked, binding } = refusing();
      const request = {
        env: { ...testEnv, AUTH_FAILURE_RATE: binding },
        headers: { authorization, ...FROM },
      };
      expectTooMany(await ws.call("GET", "/api/v1/tags", request));
      expect(asked).toEqual(["waymark:192.0.2.1"]);
    }
  });

  it("never counts or refuses a valid key, whatever its response", async () => {
    const ws = await makeWorkspace();
    const { asked, binding } = refusing();
    const request = { env: { ...testEnv, AUTH_FAILURE_RATE: binding }, headers: FROM };
    expect((await ws.call("GET", "/api/v1/tags", request)).status).toBe(200);
    expect((await ws.call("GET", "/api/v1/links/nothing", request)).status).toBe(404);
    expect((await ws.call("POST", "/api/v1/tags", { ...request, body: {} })).status).toBe(422);
    expect(asked).toEqual([]);
  });
});
