import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { version } from "../../package.json";
import type { Env } from "../../src/context";
import { gate, heldBack, withBatch, withKv } from "../faulty";
import { API, hurry, makeWorkspace, SHORT, send, testEnv, visit } from "../harness";

const ONE = "https://one.example";
const oneHost: Env = { ...testEnv, BASE_URL: ONE, SHORT_BASE_URL: ONE };
const get = (url: string, environment: Env = testEnv, init: RequestInit = {}) =>
  send(new Request(url, { redirect: "manual", ...init }), environment);

afterEach(() => vi.useRealTimers());

describe("the root", () => {
  it.each([SHORT, API])("is a short page that explains what %s is", async (host) => {
    const response = await get(`${host}/`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const page = await response.text();
    expect(page).toContain("This address hosts short links.");
    expect(page).not.toMatch(/<script|<img|<link|src=|url\(/i);
    expect(page.length).toBeLessThan(2000);
  });

  it.each(["https://www.example.com/", " https://www.example.com/a?b=c#d "])(
    "redirects to ROOT_REDIRECT_URL %j if it is set",
    async (url) => {
      const response = await visit("/", {}, { ...testEnv, ROOT_REDIRECT_URL: url });
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe(url.trim());
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    },
  );
});

describe("the files of the host", () => {
  it("robots.txt excludes crawlers from the service's own paths", async () => {
    const response = await visit("/robots.txt");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toBe("User-agent: *\nDisallow: /api/\nDisallow: /app\n");
  });

  it("favicon.ico is an image", async () => {
    const response = await visit("/favicon.ico");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(await response.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
  });

  it.each([
    ["abuse@s.example", "mailto:abuse@s.example"],
    ["mailto:abuse@s.example", "mailto:abuse@s.example"],
    ["https://s.example/abuse", "https://s.example/abuse"],
  ])("security.txt has ABUSE_CONTACT %s as a URI, and an expiry in the future", async (contact, uri) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T00:00:00Z") });
    const response = await visit("/.well-known/security.txt", {}, { ...testEnv, ABUSE_CONTACT: contact });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toBe(
      `Contact: ${uri}\nExpires: 2026-05-30T00:00:00.000Z\nPreferred-Languages: en\n`,
    );
  });

  it.each(["", "  "])("security.txt is 404 while ABUSE_CONTACT is %j", async (contact) => {
    const response = await visit("/.well-known/security.txt", {}, { ...testEnv, ABUSE_CONTACT: contact });
    expect(response.status).toBe(404);
  });

  it.each([
    ...["/", "/robots.txt", "/favicon.ico", "/.well-known/security.txt"].map((path) => SHORT + path),
    ...["/llms.txt", "/health"].map((path) => API + path),
  ])("%s answers HEAD like GET without the body, and refuses other methods", async (url) => {
    const [whole, head] = [await get(url), await get(url, testEnv, { method: "HEAD" })];
    const { "x-request-id": _a, ...headers } = Object.fromEntries(whole.headers);
    const { "x-request-id": _b, ...headHeaders } = Object.fromEntries(head.headers);
    expect([head.status, headHeaders]).toEqual([200, headers]);
    expect(head.body).toBeNull();
    for (const method of ["POST", "DELETE"]) {
      const refused = await get(url, testEnv, { method });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

it("/llms.txt tells an agent the rules, and links only to existing documents of the main host", async () => {
  const response = await get(`${API}/llms.txt`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toMatch(/^# Waymark\n\n> /);
  for (const word of ["handling=strict", "Idempotency-Key", "external_id", "Never put one into a page"]) {
    expect(text).toContain(word);
  }
  const links = Array.from(text.matchAll(/\]\((\S+)\)/g), ([, url = ""]) => url);
  expect(links).toHaveLength(4);
  for (const link of links) {
    expect(link).toMatch(`${API}/`);
    expect((await get(link)).status, link).toBe(200);
  }
});

describe("/health", () => {
  const lastMigration = async () =>
    (await env.DB.prepare("select name from d1_migrations order by id desc").first<{ name: string }>())?.name;

  it("reports the version, the schemas, and that D1 and KV are available", async () => {
    const response = await get(`${API}/health`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      status: "ok",
      schema_version: await lastMigration(),
      version,
      schema_expected: await lastMigration(),
      d1: true,
      kv: true,
    });
  });

  it("is 503 if D1 or KV takes five seconds", async () => {
    const { passed, open } = gate();
    const hung = { ...withBatch((send) => heldBack(passed, send)), KV: withKv({ get: () => passed }).KV };
    const { done } = hurry(5_000);
    const response = await get(`${API}/health`, hung);
    done();
    open();
    expect(await response.json()).toMatchObject({ status: "unavailable", d1: false, kv: false });
  });
});

describe("hosts", () => {
  it.each([
    "/api/v1/links",
    "/api/v1/openapi.json",
    "/api/v1/nothing",
    "/api",
    "/health",
    "/llms.txt",
    "/app",
    "/docs",
    "/assets/x.js",
    "/.well-known/other",
  ])("a separate short host does not serve %s", async (path) => {
    const ws = await makeWorkspace();
    const response = await visit(path, { headers: { authorization: `Bearer ${ws.key}` } });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("This link leads nowhere");
  });

  it("one host serves everything", async () => {
    const ws = await makeWorkspace();
    const headers = { authorization: `Bearer ${ws.key}`, "content-type": "application/json" };
    const created = await get(`${ONE}/api/v1/links`, oneHost, {
      method: "POST",
      headers,
      body: JSON.stringify({ destination_url: "https://www.example.com/" }),
    });
    expect(created.status).toBe(201);
    const { link } = await created.json<{ link: { slug: string; short_url: string } }>();
    expect(link.short_url).toBe(`${ONE}/${link.slug}`);
    expect((await get(link.short_url, oneHost)).headers.get("location")).toBe("https://www.example.com/");
    for (const path of ["/", "/robots.txt", "/favicon.ico", "/health", "/llms.txt", "/api/v1/openapi.json"]) {
      expect((await get(ONE + path, oneHost)).status, path).toBe(200);
    }
  });

  it.each([
    [{ BASE_URL: "", SHORT_BASE_URL: "" }, "https://any.example:8443", "https://any.example:8443"],
    [{ BASE_URL: "", SHORT_BASE_URL: `${SHORT}/` }, "https://any.example", SHORT],
    [{ BASE_URL: API, SHORT_BASE_URL: "" }, API, API],
  ])(
    "an unset address is taken from the request, or is the same as the other: %j",
    async (vars, origin, expected) => {
      const ws = await makeWorkspace();
      const { id, slug } = await ws.link();
      const headers = { authorization: `Bearer ${ws.key}` };
      const response = await get(`${origin}/api/v1/links/${id}`, { ...testEnv, ...vars }, { headers });
      expect(await response.json()).toMatchObject({ short_url: `${expected}/${slug}` });
    },
  );
});

it.each([
  `${SHORT}/`,
  `${SHORT}/.well-known/security.txt`,
  `${SHORT}/never-made`,
  `${API}/health`,
  `${API}/api/v1/links`,
])("X-Request-Id is unique on every response of %s", async (url) => {
  const ids: (string | null)[] = [];
  for (const method of ["GET", "GET", "HEAD", "PUT"]) {
    const response = await get(url, testEnv, { method, headers: { "x-request-id": "mine" } });
    ids.push(response.headers.get("x-request-id"));
  }
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(4);
});
