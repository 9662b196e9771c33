import { describe, expect, it } from "vitest";
import paths from "../corpora/paths.json";
import { API, counted, makeWorkspace, SHORT, send, testEnv, visit } from "../harness";
import { limiter } from "../limiter";
import { PAGE_HEADERS } from "./page-headers";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const JSON_ONLY = { headers: { accept: "application/json" } };
const unknownSlug = () => `nobody-${crypto.randomUUID().slice(0, 8)}`;

/** All headers except the request id, which is checked here. */
function headersOf(response: Response): Record<string, string> {
  const { "x-request-id": id, ...rest } = Object.fromEntries(response.headers);
  expect(id).toMatch(UUID);
  return rest;
}

/** A counter that lets no unknown slug pass, with the counted addresses. */
function refuses() {
  const { asked, binding } = limiter(0);
  return { asked, env: { ...testEnv, UNKNOWN_SLUG_RATE: binding } };
}
const from = (address: string) => ({ headers: { "cf-connecting-ip": address } });

describe("following a short link", () => {
  it("is an uncacheable 302 that search engines do not index, without other headers", async () => {
    const { slug } = await ws.link({ destination_url: "https://www.example.com/a", utm_source: "news" });
    const response = await visit(`/${slug}`);
    expect(response.status).toBe(302);
    expect(await response.text()).toBe("");
    expect(headersOf(response)).toEqual({
      location: "https://www.example.com/a?utm_source=news",
      "cache-control": "private, no-store",
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-robots-tag": "noindex",
      "x-cache": "miss",
    });
  });

  it("answers HEAD like GET", async () => {
    const { slug } = await ws.link();
    await visit(`/${slug}`);
    const [get, head] = [await visit(`/${slug}`), await visit(`/${slug}`, { method: "HEAD" })];
    expect(head.status).toBe(302);
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(head.body).toBeNull();
  });

  it("works on the first visit, even if the slug was visited before its creation", async () => {
    const slug = unknownSlug();
    expect((await visit(`/${slug}`)).status).toBe(404);
    await ws.link({ slug, destination_url: "https://www.example.com/new" });
    expect((await visit(`/${slug}`)).headers.get("location")).toBe("https://www.example.com/new");
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("refuses %s without a redirect", async (method) => {
    const { slug } = await ws.link();
    const free = counted();
    for (const path of [slug, unknownSlug()]) {
      const response = await visit(`/${path}`, { method }, free.env);
      expect(response.status).toBe(405);
      expect(headersOf(response)).toEqual({
        ...PAGE_HEADERS,
        allow: "GET, HEAD",
        "content-type": "text/html; charset=utf-8",
      });
    }
    expect(await (await visit(`/${slug}`, { method, ...JSON_ONLY })).json()).toEqual({
      message: "Method not allowed.",
    });
    expect(free.trips).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });
});

describe("the redirect target", () => {
  it.each([
    ["HTTPS://EXAMPLE.COM/a%20b?flag&q=%E9", "HTTPS://EXAMPLE.COM/a%20b?flag&q=%E9"],
    ["https://bücher.example/é", "https://xn--bcher-kva.example/%C3%A9"],
  ])("%s leaves as %s, from the database and from the cache", async (destination_url, location) => {
    const link = await ws.link({ destination_url });
    for (const cache of ["miss", "hit"]) {
      const { headers } = await visit(`/${link.slug}`);
      expect([headers.get("x-cache"), headers.get("location")]).toEqual([cache, location]);
    }
  });

  it("joins the destination, the link's UTM parameters and a visitor's query", async () => {
    const { slug } = await ws.link({
      destination_url: "https://www.example.com/p?utm_campaign=old&b=1&utm_campaign=older#top",
      utm_source: "s&t",
      utm_medium: "m",
      utm_campaign: "c d",
    });
    const { headers } = await visit(`/${slug}?b=2&B=3&utm_source=evil&utm_term=t&q=%E9+a%20b&&%zz`);
    expect(headers.get("location")).toBe(
      "https://www.example.com/p?utm_campaign=c%20d&b=1&utm_source=s%26t&utm_medium=m&B=3&utm_term=t&q=%E9+a%20b&%zz#top",
    );
  });

  it("keeps the bytes of a visitor's query, even if a browser would have encoded them", async () => {
    const { slug } = await ws.link({ destination_url: "https://www.example.com/" });
    // workerd keeps the URL as the client sent it, while the constructor of Request serialises it.
    const request = new Proxy(new Request(`${SHORT}/${slug}`), {
      get(target, name) {
        const value: unknown = name === "url" ? `${SHORT}/${slug}?q=it's` : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    expect((await send(request)).headers.get("location")).toBe("https://www.example.com/?q=it's");
  });
});

describe("a path without a link", () => {
  it("is 404 with the same page for an unknown and for a deleted slug", async () => {
    const link = await ws.link();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    const [unknown, deleted] = [await visit(`/${unknownSlug()}`), await visit(`/${link.slug}`)];
    const html = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" };
    expect([unknown.status, deleted.status]).toEqual([404, 404]);
    expect(headersOf(unknown)).toEqual({ ...html, "x-cache": "miss" });
    expect(headersOf(deleted)).toEqual({ ...html, "x-cache": "hit" });
    const page = await unknown.text();
    expect(page).toContain("<h1>This link leads nowhere</h1>");
    expect(await deleted.text()).toBe(page);
  });

  it.each([
    ["application/json", true],
    ["application/problem+json, application/json", true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
    ["application/json, */*", false],
    ["application/json, */*;q=0", true],
    ["application/json;q=0", false],
    ["application/json;q=0, */*", false],
    ["text/html;q=0, application/json", true],
    ["Text/HTML; q=0.000, */*", true],
    ["text/html;q=0", true],
    ["text/html;q=0.1, application/json", false],
    ["*/*", false],
  ])("uses JSON for Accept %j: %s", async (accept, isJson) => {
    for (const path of [`/${unknownSlug()}`, "/not/a/slug"]) {
      const response = await visit(path, { headers: { accept } });
      expect(response.status).toBe(404);
      const body = await response.text();
      if (isJson) expect(body).toBe('{"message":"Not found."}');
      else expect(body).toMatch(/^<!doctype html>/);
      expect(response.headers.get("content-type")).toBe(
        isJson ? "application/json" : "text/html; charset=utf-8",
      );
    }
  });

  it("has no body for HEAD", async () => {
    const response = await visit(`/${unknownSlug()}`, { method: "HEAD" });
    expect(response.status).toBe(404);
    expect(response.body).toBeNull();
    expect(headersOf(response)).toEqual({
      ...PAGE_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "x-cache": "miss",
    });
  });

  it("is 404 before any lookup, and without X-Cache, if it cannot be a slug", async () => {
    const { slug } = await ws.link();
    const free = counted();
    for (const path of [`/${slug}/x`, `/${slug}.php`, "/-a", "/_a", "/Docs", "/"]) {
      const response = await visit(path, {}, free.env);
      expect(response.status, path).toBe(path === "/" ? 200 : 404);
      expect(response.headers.has("x-cache"), path).toBe(false);
    }
    expect(free.trips).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it.each(paths.cases.map((given, index) => [index, given] as const))(
    "matches case %i of the corpus of paths",
    async (_, { path, method = "GET", expect: expected }) => {
      const link = await ws.link({ destination_url: "https://www.example.com/own?a=1" });
      const target = path.replace(/^\/foo/, `/${link.slug}`);
      const free = counted();
      const isApi = path.startsWith("/api/");
      const response = await send(
        new Request(`${isApi ? API : SHORT}${target}`, { method, redirect: "manual" }),
        free.env,
      );
      const wanted = expected.match(/\d{3}/g)?.map(Number) ?? [];
      expect(wanted).toContain(response.status);
      if (response.status === 302) {
        const search = target.slice(target.indexOf("?") + 1);
        expect(response.headers.get("location")).toBe(`https://www.example.com/own?a=1&${search}`);
      } else {
        expect(response.headers.has("location")).toBe(false);
        expect(free.trips).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
      }
    },
  );
});

describe("the limit on unknown slugs", () => {
  it("gives 429 instead of 404, by address, above the limit", async () => {
    const { asked, env } = refuses();
    const response = await visit(`/${unknownSlug()}`, from("192.0.2.7"), env);
    expect(response.status).toBe(429);
    expect(headersOf(response)).toEqual({
      ...PAGE_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "retry-after": "60",
      "x-cache": "miss",
    });
    const json = { headers: { ...from("192.0.2.7").headers, ...JSON_ONLY.headers } };
    expect(await (await visit(`/${unknownSlug()}`, json, env)).json()).toEqual({
      message: "Too Many Attempts.",
    });
    // The second is refused from memory.
    expect(asked).toEqual(["waymark:192.0.2.7"]);
  });

  it("counts deleted slugs as unknown ones", async () => {
    const link = await ws.link();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    expect((await visit(`/${link.slug}`, from("192.0.2.7"), refuses().env)).status).toBe(429);
  });

  it("never counts or refuses a known link, nor a path that cannot be a slug", async () => {
    const { slug } = await ws.link();
    const { asked, env } = refuses();
    for (const cache of ["miss", "hit"]) {
      const response = await visit(`/${slug}`, from("192.0.2.7"), env);
      expect([response.status, response.headers.get("x-cache")]).toEqual([302, cache]);
    }
    expect((await visit("/no/slug", from("192.0.2.7"), env)).status).toBe(404);
    expect(asked).toEqual([]);
  });

  it("reads the address only from cf-connecting-ip", async () => {
    const { asked, env } = refuses();
    const headers = { "x-forwarded-for": "192.0.2.8", "x-real-ip": "192.0.2.8" };
    expect((await visit(`/${unknownSlug()}`, { headers }, env)).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
