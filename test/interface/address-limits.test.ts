import { describe, expect, it } from "vitest";
import { makeApiKey } from "../../src/access/api-key";
import { createApiKey, revokeApiKeyAnywhere } from "../../src/access/keys";
import { addMember } from "../../src/access/members";
import { createSignInLink } from "../../src/access/sessions";
import type { Env } from "../../src/context";
import { countOne, isRefused } from "../../src/http/rate-limits";
import { pass, stopClock } from "../clock";
import { makeMember, openBrowser } from "../console/browser";
import { kvFails, withKv } from "../faulty";
import { counted, kvValue, makeWorkspace, serviceContext, testEnv, visit } from "../harness";
import { limiter } from "../limiter";

// Counts the calls of bindings for an address that is over a limit.

stopClock();

const unknownSlug = () => `/nobody-${crypto.randomUUID().slice(0, 13)}`;
const wrongKey = () => makeApiKey(serviceContext().random);
const unknownToken = (kind: string) => `${kind}_${crypto.randomUUID().replaceAll("-", "").repeat(2)}`;

let addresses = 0;
/** A client address that no other test uses. */
const newAddress = () => `198.51.${++addresses >> 8}.${addresses & 255}`;
const from = (address: string) => ({ headers: { "cf-connecting-ip": address } });

/** An instance whose counter allows `limit` requests per address, with its calls of D1 and the counter. */
function instance(name: "AUTH_FAILURE_RATE" | "UNKNOWN_SLUG_RATE", limit: number) {
  const { binding, asked, clear } = limiter(limit);
  const { env, trips } = counted({ ...testEnv, [name]: binding });
  return { env, trips, asked, clear };
}

/** The set of statuses of `times` requests, and their calls of D1. */
async function cost(trips: { d1: number }, times: number, request: () => Promise<{ status: number }>) {
  const before = trips.d1;
  const statuses = new Set<number>();
  for (let time = 0; time < times; time++) statuses.add((await request()).status);
  return { statuses: [...statuses], d1: trips.d1 - before };
}

describe("an address over the limit of unknown slugs", () => {
  it("gets 429 for 60 s, for one look-up a second and no call of the counter, and later requests do not extend that", async () => {
    const { env, trips, asked } = instance("UNKNOWN_SLUG_RATE", 3);
    const address = newAddress();
    const guess = () => visit(unknownSlug(), from(address), env);
    // Behind its first answer the instance asks for the list of doubts, and once more after a minute.
    expect(await cost(trips, 3, guess)).toEqual({ statuses: [404], d1: 4 });
    expect(await cost(trips, 1, guess)).toEqual({ statuses: [429], d1: 1 });
    expect(await cost(trips, 20, guess)).toEqual({ statuses: [429], d1: 1 });
    pass(59);
    expect(await cost(trips, 20, guess)).toEqual({ statuses: [429], d1: 1 });
    expect(asked).toEqual(Array(4).fill(`waymark:${address}`));
    pass(1);
    expect(await cost(trips, 1, guess)).toEqual({ statuses: [429], d1: 2 });
    expect(asked).toHaveLength(5);
  });

  it("still follows links in memory or KV at once, and others within seconds", async () => {
    const ws = await makeWorkspace();
    const [inKv, cold] = [await ws.link(), await ws.link()];
    await visit(`/${inKv.slug}`);
    const { env, trips } = instance("UNKNOWN_SLUG_RATE", 0);
    const address = newAddress();
    const statusOf = async (path: string) => (await visit(path, from(address), env)).status;
    expect(await statusOf(unknownSlug())).toBe(429);
    for (const _ of ["KV", "memory"]) expect(await statusOf(`/${inKv.slug}`)).toBe(302);
    expect(await statusOf(unknownSlug())).toBe(429);
    expect(await cost(trips, 1, () => visit(`/${cold.slug}`, from(address), env))).toEqual({
      statuses: [429],
      d1: 0,
    });
    pass(1);
    expect(await statusOf(`/${cold.slug}`)).toBe(302);
    expect(await statusOf(`/${cold.slug}`)).toBe(302);
  });

  it("costs one look-up a second, which other addresses do not use up", async () => {
    const ws = await makeWorkspace();
    const [first, second] = [await ws.link(), await ws.link()];
    const { env, trips } = instance("UNKNOWN_SLUG_RATE", 0);
    const [scanned, other] = [newAddress(), newAddress()];
    const visitFrom = (address: string, slug: string) => visit(`/${slug}`, from(address), env);
    for (const address of [scanned, other])
      expect((await visit(unknownSlug(), from(address), env)).status).toBe(429);
    const scan = () => visit(unknownSlug(), from(scanned), env);
    for (let second = 0; second < 5; second++) {
      expect(await cost(trips, 10, scan)).toEqual({ statuses: [429], d1: 1 });
      pass(1);
    }
    expect((await visitFrom(other, first.slug)).headers.get("x-cache")).toBe("miss");
    expect((await visitFrom(scanned, second.slug)).status).toBe(302);
    expect((await visitFrom(scanned, `${second.slug}+`)).status).toBe(200);
  });

  it("still follows a link that is in KV, or that this instance has just changed", async () => {
    const ws = await makeWorkspace();
    const [old, changed] = [await ws.link(), await ws.link()];
    await visit(`/${old.slug}`);
    pass(301);
    const env = { ...instance("UNKNOWN_SLUG_RATE", 0).env, KV: withKv({ put: kvFails }).KV };
    const address = newAddress();
    expect((await visit(unknownSlug(), from(address), env)).status).toBe(429);
    expect((await visit(`/${old.slug}`, from(address), env)).status).toBe(302);
    await visit(`/${changed.slug}`, from(newAddress()), env);
    await ws.call("PATCH", `/api/v1/links/${changed.id}`, {
      body: { destination_url: "https://www.example.com/2" },
      env,
    });
    expect(await kvValue(changed.slug)).toBeNull();
    expect((await visit(`/${changed.slug}`, from(address), env)).headers.get("location")).toBe(
      "https://www.example.com/2",
    );
  });

  it("still follows every link while KV does not answer", async () => {
    const { slug } = await (await makeWorkspace()).link();
    const env = { ...instance("UNKNOWN_SLUG_RATE", 0).env, KV: withKv({ get: kvFails }).KV };
    const address = newAddress();
    expect((await visit(unknownSlug(), from(address), env)).status).toBe(429);
    expect((await visit(`/${slug}`, from(address), env)).status).toBe(302);
  });

  it("is one of at most a thousand in memory, and the oldest is evicted", async () => {
    const { env, asked } = instance("UNKNOWN_SLUG_RATE", 0);
    const addressOf = (number: number) => `2001:db8:ffff:${number.toString(16)}::/64`;
    const isRemembered = (number: number) => isRefused(env, "UNKNOWN_SLUG_RATE", addressOf(number));
    for (let number = 0; number < 1_001; number++)
      expect(await countOne(env, "UNKNOWN_SLUG_RATE", addressOf(number))).toBe(false);
    expect(asked).toHaveLength(1_001);
    expect([isRemembered(0), isRemembered(1), isRemembered(1_000)]).toEqual([false, true, true]);
  });

  it("is counted for this installation only, and with every address of its /64", async () => {
    const { env, asked } = instance("UNKNOWN_SLUG_RATE", 1);
    await visit(unknownSlug(), from("2001:db8:1:2::1"), { ...env, INSTALLATION: "links-eu" });
    await visit(unknownSlug(), from("2001:db8:1:2::9"), { ...env, INSTALLATION: " " });
    expect(asked).toEqual(["links-eu:2001:db8:1:2::/64", "waymark:2001:db8:1:2::/64"]);
  });
});

describe("an address over the limit of failed authentications", () => {
  const call = async (env: Env, address: string, key: string) => {
    const { call: request } = await makeWorkspaceOnce();
    return request("GET", "/api/v1/tags", {
      env,
      headers: { authorization: `Bearer ${key}`, ...from(address).headers },
    });
  };
  let workspace: ReturnType<typeof makeWorkspace> | undefined;
  const makeWorkspaceOnce = () => {
    workspace ??= makeWorkspace();
    return workspace;
  };

  it("gets 429 for a wrong key for 60 s, without a call of D1 or the counter", async () => {
    const { env, trips, asked } = instance("AUTH_FAILURE_RATE", 3);
    const address = newAddress();
    const guess = () => call(env, address, wrongKey());
    expect(await cost(trips, 3, guess)).toEqual({ statuses: [401], d1: 3 });
    expect(await cost(trips, 1, guess)).toEqual({ statuses: [429], d1: 1 });
    expect(await cost(trips, 20, guess)).toEqual({ statuses: [429], d1: 0 });
    expect(await cost(trips, 5, () => call(env, address, "none"))).toEqual({ statuses: [429], d1: 0 });
    expect(asked).toHaveLength(4);
    pass(60);
    expect(await cost(trips, 1, guess)).toEqual({ statuses: [429], d1: 1 });
    expect(await cost(trips, 1, () => call(env, newAddress(), wrongKey()))).toEqual({
      statuses: [401],
      d1: 1,
    });
  });

  it("is not refused for a key that this instance has seen, until that key is revoked", async () => {
    const ws = await makeWorkspace();
    const { env, trips } = instance("AUTH_FAILURE_RATE", 0);
    const [seen, unseen] = [
      await createApiKey(ws.ctx, { name: "seen" }),
      await createApiKey(ws.ctx, { name: "unseen" }),
    ];
    const address = newAddress();
    expect((await call(env, newAddress(), seen.key)).status).toBe(200);
    expect((await call(env, address, wrongKey())).status).toBe(429);
    expect((await call(env, address, seen.key)).status).toBe(200);
    expect(await cost(trips, 1, () => call(env, address, unseen.key))).toEqual({ statuses: [429], d1: 0 });

    await revokeApiKeyAnywhere(serviceContext(), seen.id);
    // The 401 of the revoked key is counted.
    expect(await cost(trips, 1, () => call(env, newAddress(), seen.key))).toEqual({ statuses: [429], d1: 1 });
    expect(await cost(trips, 5, () => call(env, address, seen.key))).toEqual({ statuses: [429], d1: 0 });
  });

  it("gets 429 for an unknown session or sign-in link without D1, and a session in use still works", async () => {
    const { browser, workspace } = await makeMember();
    const { env, trips } = instance("AUTH_FAILURE_RATE", 3);
    const path = `/app/${workspace.slug}/links`;
    const address = newAddress();
    const request = from(address);
    const guess = () => {
      const stranger = openBrowser(env);
      stranger.cookies.set("__Host-session", unknownToken("ses"));
      return stranger.get(path, request);
    };
    expect((await browser.get(path, from(newAddress()), env)).status).toBe(200);
    expect(await cost(trips, 3, guess)).toEqual({ statuses: [303], d1: 3 });
    expect(await cost(trips, 1, guess)).toEqual({ statuses: [429], d1: 1 });
    expect(await cost(trips, 5, guess)).toEqual({ statuses: [429], d1: 0 });
    const link = () => openBrowser(env).get(`/app/sign-in?token=${unknownToken("sgn")}`, request);
    const post = () => openBrowser(env).post("/app/sign-in", { token: unknownToken("sgn") }, request);
    expect(await cost(trips, 5, post)).toEqual({ statuses: [429], d1: 0 });
    expect((await cost(trips, 5, link)).d1).toBe(0);
    const signOut = () => {
      const stranger = openBrowser(env);
      stranger.cookies.set("__Host-session", unknownToken("ses"));
      return stranger.post("/app/sign-out", {}, request);
    };
    expect(await cost(trips, 5, signOut)).toEqual({ statuses: [429], d1: 0 });
    expect((await browser.get(path, request, env)).status).toBe(200);
    const fresh = await makeMember();
    expect((await fresh.browser.get("/app", request, env)).status).toBe(429);
  });

  it("has opened sign-in links, good ones too, each of which reads D1", async () => {
    const { workspace } = await makeMember();
    await addMember(workspace.ctx, { email: "linked@people.example", role: "viewer" });
    const { token } = await createSignInLink(workspace.ctx, "linked@people.example");
    const { env, trips } = instance("AUTH_FAILURE_RATE", 3);
    const request = from(newAddress());
    const open = () => openBrowser(env).get(`/app/sign-in?token=${token}`, request);
    expect(await cost(trips, 3, open)).toEqual({ statuses: [200], d1: 3 });
    expect(await cost(trips, 5, open)).toEqual({ statuses: [429], d1: 0 });
  });
});
