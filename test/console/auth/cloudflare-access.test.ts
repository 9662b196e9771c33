import { sign } from "hono/jwt";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addMember } from "../../../src/access/members";
import { createSignInLink } from "../../../src/access/sessions";
import { makeWorkspace, type TestWorkspace, testEnv } from "../../harness";
import { openBrowser, signInAs, useSignInLink } from "../browser";
import { later } from "../clock";

const AUD = "0123456789abcdef";
const MINUTE = 60_000;

interface Pair {
  kid: string;
  privateKey: JsonWebKey & { kid: string; alg: string };
  publicKey: JsonWebKey & { kid: string; alg: string };
}

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

async function makePair(kid: string): Promise<Pair> {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  const pair = (await crypto.subtle.generateKey({ ...RSA, ...size }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const named = async (key: CryptoKey) => ({
    ...((await crypto.subtle.exportKey("jwk", key)) as JsonWebKey),
    kid,
    alg: "RS256",
  });
  return { kid, privateKey: await named(pair.privateKey), publicKey: await named(pair.publicKey) };
}

let teams = 0;
let team = "";
let asked: { url: string; signal: unknown; redirect: string | undefined }[] = [];
let keys: Pair[] = [];
let first: Pair;
let second: Pair;
let workspace: TestWorkspace;
const MEMBER = "ada@team.example";

/** The certificates URL returns `keys`, or the given response. */
const certs = (
  answer = async (): Promise<Response> => Response.json({ keys: keys.map((pair) => pair.publicKey) }),
) =>
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    asked.push({ url: String(url), signal: init?.signal, redirect: init?.redirect });
    return answer();
  });

beforeAll(async () => {
  [first, second] = [await makePair("first"), await makePair("second")];
  workspace = await makeWorkspace();
  await addMember(workspace.ctx, { email: MEMBER, role: "owner" });
});

beforeEach(() => {
  // An instance caches the keys of every team that it has seen.
  team = `team-${++teams}`;
  asked = [];
  keys = [first];
  certs();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const environment = () => ({ ...testEnv, ACCESS_TEAM_DOMAIN: team, ACCESS_AUD: AUD });
const seconds = (offset = 0): number => Math.floor(Date.now() / 1000) + offset;
const claims = (other: object = {}) => ({
  iss: `https://${team}.cloudflareaccess.com`,
  aud: [AUD],
  email: MEMBER,
  iat: seconds(-10),
  nbf: seconds(-10),
  exp: seconds(600),
  ...other,
});
const tokenOf = (other: object = {}, pair = first): Promise<string> =>
  sign(claims(other), pair.privateKey, "RS256");

const base64 = (value: unknown): string =>
  btoa(typeof value === "string" ? value : JSON.stringify(value))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const ask = (token: string | null, path = `/app/${workspace.slug}/members`) =>
  openBrowser(environment()).get(path, {
    headers: token === null ? {} : { "Cf-Access-Jwt-Assertion": token },
  });

/** Access is refused with a redirect to the page that says so. */
async function expectRefused(token: string | null, why?: string): Promise<void> {
  const page = await ask(token);
  expect([page.status, page.location], why).toEqual([303, "/app/sign-in"]);
}

describe("a token of Cloudflare Access", () => {
  it("signs a member in by their address in any case, and the keys are fetched once", async () => {
    expect((await ask(await tokenOf())).status).toBe(200);
    expect((await ask(await tokenOf({ email: "ADA@Team.Example" }))).status).toBe(200);
    expect((await ask(await tokenOf({ aud: AUD }))).status).toBe(200);
    expect(asked).toEqual([
      {
        url: `https://${team}.cloudflareaccess.com/cdn-cgi/access/certs`,
        signal: expect.any(AbortSignal),
        redirect: "manual",
      },
    ]);
  });

  it.each<[string, () => object]>([
    ["for another application", () => ({ aud: ["another"] })],
    ["for no application", () => ({ aud: undefined })],
    ["for a part of the application's tag", () => ({ aud: AUD.slice(0, -1) })],
    ["of another team", () => ({ iss: "https://evil.cloudflareaccess.com" })],
    ["of no team", () => ({ iss: undefined })],
    ["that has expired", () => ({ exp: seconds(-1) })],
    ["that never expires", () => ({ exp: undefined })],
    ["that is not valid yet", () => ({ nbf: seconds(60) })],
    ["without an address", () => ({ email: undefined })],
    ["with an invalid address", () => ({ email: "ada" })],
    ["with a list of addresses", () => ({ email: [MEMBER] })],
  ])("is refused %s", async (_, other) => {
    await expectRefused(await tokenOf(other()));
  });

  it("is refused if another key signed it under the known id, or if it was changed", async () => {
    await expectRefused(await sign(claims(), { ...second.privateKey, kid: "first" }, "RS256"));
    const [header = "", , signature = ""] = (await tokenOf()).split(".");
    await expectRefused(`${header}.${base64(claims({ email: "evil@team.example" }))}.${signature}`);
  });

  it("is refused with another algorithm: none, HS256 with the public key, another RSA", async () => {
    const none = `${base64({ alg: "none", typ: "JWT", kid: "first" })}.${base64(claims())}.`;
    await expectRefused(none);
    await expectRefused(`${none}${base64("x")}`);
    for (const secret of [JSON.stringify(first.publicKey), first.publicKey.n ?? "", await pemOf(first)]) {
      const [, payload = ""] = (await tokenOf()).split(".");
      const head = `${base64({ alg: "HS256", typ: "JWT", kid: "first" })}.${payload}`;
      const key = await crypto.subtle.importKey(
        "raw",
        new TextEncoder().encode(secret),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      );
      const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(head)));
      await expectRefused(`${head}.${base64(String.fromCharCode(...mac))}`);
    }
    const { alg: _, ...anyAlg } = first.privateKey;
    await expectRefused(await sign(claims(), { ...anyAlg, alg: "RS512" }, "RS512"));
    // None of these tokens fetched the keys.
    expect(asked).toEqual([]);
  });

  it.each([
    ["nothing", null],
    ["no token", "abc"],
    ["a header that is no object", `${base64("null")}.${base64({})}.`],
    ["a header without an id", `${base64({ alg: "RS256", typ: "JWT" })}.${base64({})}.AA`],
    ["an id that is no text", `${base64({ alg: "RS256", typ: "JWT", kid: {} })}.${base64({})}.AA`],
  ])("is missing in %s, and the request is refused", async (_, token) => {
    await expectRefused(token);
    expect(asked).toEqual([]);
  });

  it("of a person who is not a member opens no workspace", async () => {
    const token = await tokenOf({ email: "stranger@team.example" });
    expect((await ask(token)).status).toBe(404);
    const home = await ask(token, "/app");
    expect([home.status, home.text.includes("Nobody has added stranger@team.example")]).toEqual([200, true]);
  });
});

const pemOf = async ({ publicKey }: Pair): Promise<string> => {
  const key = await crypto.subtle.importKey("jwk", publicKey, RSA, true, ["verify"]);
  const spki = new Uint8Array((await crypto.subtle.exportKey("spki", key)) as ArrayBuffer);
  return `-----BEGIN PUBLIC KEY-----\n${btoa(String.fromCharCode(...spki))}\n-----END PUBLIC KEY-----\n`;
};

describe("the team's keys", () => {
  it("are fetched again for an unknown id, at most once a minute", async () => {
    await ask(await tokenOf());
    const unknown = await sign(claims(), second.privateKey, "RS256");
    await expectRefused(unknown);
    await expectRefused(unknown);
    expect(asked).toHaveLength(1);

    later(MINUTE + 1);
    await expectRefused(unknown);
    await expectRefused(unknown);
    expect(asked).toHaveLength(2);
  });

  it("may change: the new key is accepted within a minute, and the old one is dropped", async () => {
    await ask(await tokenOf());
    keys = [second];
    later(MINUTE + 1);
    expect((await ask(await tokenOf({}, second))).status).toBe(200);
    await expectRefused(await tokenOf());
    expect(asked).toHaveLength(2);
  });

  it("are forgotten after an hour if the team has withdrawn them", async () => {
    await ask(await tokenOf());
    keys = [second];
    later(61 * MINUTE);
    await expectRefused(await tokenOf());
  });

  it.each<[string, () => Promise<Response>]>([
    ["fails", async () => Promise.reject(new Error("connection lost"))],
    ["takes longer than three seconds", async () => Promise.reject(new DOMException("", "TimeoutError"))],
    ["answers 500", async () => Response.json({ keys: [] }, { status: 500 })],
    ["says no JSON", async () => new Response("<html>")],
    ["has no list", async () => Response.json({})],
    ["lists no key", async () => Response.json({ keys: [] })],
    ["lists keys of another kind", async () => Response.json({ keys: [{ kid: "first", kty: "EC" }] })],
    ["redirects", async () => Response.redirect("http://keys.example/", 302)],
    [
      "answers two megabytes",
      async () => new Response(" ".repeat(2e6) + JSON.stringify({ keys: [first.publicKey] })),
    ],
  ])("give 503, not a refusal, if the team's address %s", async (_, answer) => {
    certs(answer);
    const page = await ask(await tokenOf());
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    certs();
    later(MINUTE / 12);
    expect((await ask(await tokenOf())).status).toBe(200);
  });

  it("stay if the team's address lists none, which would sign everybody out", async () => {
    await ask(await tokenOf());
    certs(async () => Response.json({ keys: [] }));
    later(MINUTE + 1);
    expect((await ask(await tokenOf({}, second))).status).toBe(503);
    expect((await ask(await tokenOf())).status).toBe(200);
  });

  it("that are cached work during an outage within the hour, and an unknown id gives 503", async () => {
    await ask(await tokenOf());
    certs(async () => Promise.reject(new Error("connection lost")));
    later(59 * MINUTE);
    expect((await ask(await tokenOf())).status).toBe(200);
    expect((await ask(await tokenOf({}, second))).status).toBe(503);
    expect(asked).toHaveLength(2);
  });

  it("sign nobody in after an hour in which the team does not answer, since it may have withdrawn them", async () => {
    await ask(await tokenOf());
    certs(async () => Promise.reject(new Error("connection lost")));
    later(61 * MINUTE);
    for (let time = 0; time < 2; time++) expect((await ask(await tokenOf())).status).toBe(503);
    expect(asked).toHaveLength(2);
    certs();
    later(2 * MINUTE);
    expect((await ask(await tokenOf())).status).toBe(200);
  });

  it("are fetched once after an idle hour, and others wait for them", async () => {
    await ask(await tokenOf());
    const answered = Promise.withResolvers<void>();
    certs(async () => {
      await answered.promise;
      return Response.json({ keys: keys.map((pair) => pair.publicKey) });
    });
    later(61 * MINUTE);
    const token = await tokenOf();
    const asking = [1, 2, 3].map(() => ask(token));
    setTimeout(answered.resolve, 50);
    const pages = await Promise.all(asking);
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked).toHaveLength(2);
  });

  it("that do not come after an idle hour are waited for by nobody for longer than three seconds", async () => {
    await ask(await tokenOf());
    certs(() => new Promise(() => undefined));
    later(61 * MINUTE);
    void ask(await tokenOf());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await ask(await tokenOf())).status).toBe(503);
  });

  it("that cannot be fetched from the start are asked for at most once in five seconds", async () => {
    certs(async () => Promise.reject(new Error("connection lost")));
    for (let time = 0; time < 3; time++) expect((await ask(await tokenOf())).status).toBe(503);
    expect(asked).toHaveLength(1);
    later(MINUTE / 12);
    expect((await ask(await tokenOf())).status).toBe(503);
    certs();
    later(MINUTE / 6);
    expect((await ask(await tokenOf())).status).toBe(200);
  });

  it("time out after three seconds", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    await ask(await tokenOf());
    expect(timeout.mock.calls).toEqual([[3_000]]);
  });
});

describe("Cloudflare Access with one variable missing", () => {
  it.each([
    ["ACCESS_AUD", { ACCESS_TEAM_DOMAIN: "team" }],
    ["ACCESS_AUD", { ACCESS_TEAM_DOMAIN: "team", ACCESS_AUD: "  " }],
    ["ACCESS_TEAM_DOMAIN", { ACCESS_AUD: AUD }],
    ["ACCESS_TEAM_DOMAIN", { ACCESS_AUD: AUD, ACCESS_TEAM_DOMAIN: "https://keys.example" }],
    ["ACCESS_TEAM_DOMAIN", { ACCESS_AUD: AUD, ACCESS_TEAM_DOMAIN: "http://team.cloudflareaccess.com" }],
    ["ACCESS_TEAM_DOMAIN", { ACCESS_AUD: AUD, ACCESS_TEAM_DOMAIN: "keys.example/.cloudflareaccess.com" }],
    ["ACCESS_TEAM_DOMAIN", { ACCESS_AUD: AUD, ACCESS_TEAM_DOMAIN: "team; script-src *" }],
    ["ACCESS_TEAM_DOMAIN", { ACCESS_TEAM_DOMAIN: "keys.example" }],
  ])("closes the web application, and the log says that %s is missing: %j", async (missing, variables) => {
    const half = { ...testEnv, ...variables };
    const browser = await signInAs(workspace);
    const { token } = await createSignInLink(workspace.ctx, MEMBER);
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const headers = { "Cf-Access-Jwt-Assertion": await tokenOf() };
    const elsewhere = { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } };
    const pages = [
      await browser.get("/app", {}, half),
      await browser.get(`/app/${workspace.slug}/members`, { headers }, half),
      await openBrowser(half).get("/app/sign-in"),
      await openBrowser(half).get(`/app/sign-in?token=${token}`),
      await openBrowser(half).post("/app/sign-in", { token }),
      await browser.post("/app/sign-out", {}, {}, half),
      await browser.post(`/app/${workspace.slug}/tags`, { name: "Typed" }, {}, half),
      await browser.post(`/app/${workspace.slug}/tags`, { name: "Typed" }, elsewhere, half),
    ];
    for (const page of pages) {
      expect([page.status, page.headers.get("retry-after"), page.headers.get("set-cookie")]).toEqual([
        503,
        "5",
        null,
      ]);
      expect(page.text).not.toContain("Typed");
    }
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toEqual(
      pages.map(() => ({ level: "error", request_id: expect.any(String), error: "misconfigured", missing })),
    );
    // The link is still unused, and the session has not ended.
    expect((await useSignInLink(openBrowser(), token)).status).toBe(303);
    expect((await browser.get(`/app/${workspace.slug}/members`)).status).toBe(200);
  });

  it("is off with two empty variables", async () => {
    const neither = { ...testEnv, ACCESS_TEAM_DOMAIN: " ", ACCESS_AUD: "" };
    const browser = await signInAs(workspace);
    expect((await browser.get(`/app/${workspace.slug}/members`, {}, neither)).status).toBe(200);
  });
});

describe("with Cloudflare Access in front", () => {
  it("sign-in links and sessions give no access", async () => {
    const { token } = await createSignInLink(workspace.ctx, MEMBER);
    const signedIn = openBrowser();
    const spare = await createSignInLink(workspace.ctx, MEMBER);
    expect((await useSignInLink(signedIn, spare.token)).status).toBe(303);
    expect((await signedIn.get(`/app/${workspace.slug}/members`)).status).toBe(200);
    const page = await signedIn.get(`/app/${workspace.slug}/members`, {}, environment());
    expect([page.status, page.location]).toEqual([303, "/app/sign-in"]);
    const post = await signedIn.post(`/app/${workspace.slug}/workspace`, { name: "Mine" }, {}, environment());
    expect(post.status).toBe(401);

    const refused = await openBrowser(environment()).get(`/app/sign-in?token=${token}`);
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([403, null]);
    // The link is still unused.
    expect((await useSignInLink(openBrowser(), token)).status).toBe(303);
  });

  it("a new member is asked to sign in through it, and signing out ends its session", async () => {
    const headers = { "Cf-Access-Jwt-Assertion": await tokenOf() };
    const browser = openBrowser(environment());
    const path = `/app/${workspace.slug}/members`;
    expect(
      (await browser.post(path, { email: "new@team.example", role: "viewer" }, { headers })).status,
    ).toBe(303);
    const page = await browser.get(path, { headers });
    expect(page.text).toContain("They sign in through Cloudflare Access with this e-mail address");
    expect(page.text).toContain('data-copy="https://api.example/app"');
    expect(page.text).not.toMatch(/sign-in link|sgn_/);
    const out = await browser.post("/app/sign-out", {}, { headers });
    expect([out.status, out.location]).toEqual([303, "/cdn-cgi/access/logout"]);
  });

  it("there are no sessions to list or end, and it is recorded when a person was seen", async () => {
    const headers = { "Cf-Access-Jwt-Assertion": await tokenOf() };
    const browser = openBrowser(environment());
    const page = await browser.get("/app/account/sessions", { headers });
    expect(page.status).toBe(200);
    expect(page.text).toContain("You sign in through Cloudflare Access");
    expect(page.text).not.toContain("<table");
    for (const path of ["end-others", "01JZ8Q4V6T3K9M2N5P7R8S0W1X/end"]) {
      const answer = await browser.post(`/app/account/sessions/${path}`, {}, { headers });
      expect([answer.status, answer.location]).toEqual([303, "/app/account/sessions"]);
    }
    const people = `/app/${workspace.slug}/members`;
    await browser.get(people, { headers });
    expect((await browser.get(people, { headers })).text).toMatch(/Seen <time[^>]*>less than an hour ago/);
    const link = await browser.post(`${people}/${encodeURIComponent(MEMBER)}/link`, {}, { headers });
    expect([link.status, link.headers.getAll("set-cookie")]).toEqual([303, []]);
  });

  it("a form must still come from a page of the service", async () => {
    const headers = {
      "Cf-Access-Jwt-Assertion": await tokenOf(),
      origin: "https://evil.example",
      "sec-fetch-site": "cross-site",
    };
    const path = `/app/${workspace.slug}/workspace`;
    const answer = await openBrowser(environment()).post(path, { name: "Mine" }, { headers });
    expect(answer.status).toBe(403);
  });
});
