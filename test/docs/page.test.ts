import { describe, expect, it } from "vitest";
import type { Env } from "../../src/context";
import { API, SHORT, send, testEnv, visit } from "../harness";

const ONE = "https://one.example";
const get = (path: string, init: RequestInit = {}, env: Env = testEnv, host = API) =>
  send(new Request(host + path, { redirect: "manual", ...init }), env);

const headersOf = (response: Response) => {
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return headers;
};

/** The addresses that the page loads. */
async function loaded(): Promise<string[]> {
  const html = await (await get("/docs/api")).text();
  return Array.from(html.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]*)"/g), ([, url = ""]) => url);
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

describe("the API reference at /docs/api", () => {
  it("is HTML whose policy allows only its own files", async () => {
    const response = await get("/docs/api");
    expect(response.status).toBe(200);
    expect(headersOf(response)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      etag: expect.stringMatching(/^".+"$/),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy.split("; ").sort()).toEqual([...POLICY].sort());
  });

  it("names no other host, and has no inline script or style", async () => {
    const html = await (await get("/docs/api")).text();
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).not.toMatch(/\/\/|<style|style=|<script(?![^>]* src=)|\son\w+=/i);
  });

  it("loads the renderer's versioned files, cached for a year, and its own files, which are revalidated", async () => {
    const files = await loaded();
    expect(files).toEqual([
      "/favicon.ico",
      expect.stringMatching(/^\/docs\/swagger-ui-\d+\.\d+\.\d+\/swagger-ui\.css$/),
      "/docs/style.css",
      expect.stringMatching(/^\/docs\/swagger-ui-\d+\.\d+\.\d+\/swagger-ui-bundle\.js$/),
      "/docs/init.js",
    ]);
    for (const file of files.slice(1)) {
      const response = await get(file);
      expect(response.status, file).toBe(200);
      expect(headersOf(response), file).toMatchObject({
        "content-type": file.endsWith(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8",
        "cache-control": file.includes("swagger-ui-") ? "public, max-age=31536000, immutable" : "no-cache",
        etag: expect.stringMatching(/^".+"$/),
        "x-content-type-options": "nosniff",
      });
      expect((await response.text()).length, file).toBeGreaterThan(100);
    }
  });

  it("makes the renderer read the API description without an external validator", async () => {
    const script = await (await get("/docs/init.js")).text();
    expect(script).toContain('url: "/api/v1/openapi.json"');
    expect(script).toContain("validatorUrl: null");
    expect(script).not.toMatch(/https?:/);
  });

  it("is 304 for the client's current version, and 200 otherwise", async () => {
    for (const path of ["/docs", "/docs/api", "/docs/init.js"]) {
      const { headers } = await get(path);
      const etag = headers.get("etag") ?? "";
      const same = await get(path, { headers: { "if-none-match": etag } });
      expect([same.status, same.body, same.headers.get("etag")], path).toEqual([304, null, etag]);
      expect((await get(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });
});

describe("paths of /docs", () => {
  it.each(["/docs", "/docs/api", "/docs/init.js"])(
    "%s answers HEAD like GET, and other methods with 405",
    async (path) => {
      const [whole, head] = [await get(path), await get(path, { method: "HEAD" })];
      expect([head.status, head.body, headersOf(head)]).toEqual([200, null, headersOf(whole)]);
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        const refused = await get(path, { method });
        expect([refused.status, refused.headers.get("allow")], method).toEqual([405, "GET, HEAD"]);
      }
    },
  );

  it.each([
    "/docs/",
    "/docs/nothing.js",
    "/docs/swagger-ui/swagger-ui.css",
    "/docs/guide.html",
    "/docs.html",
    "/docs/%2e%2e/docs.html",
    "/wrangler.toml",
  ])("%s is 404 like every unknown path, for any method", async (path) => {
    const unknown = await get("/no/slug");
    const response = await get(path);
    expect([response.status, headersOf(response)]).toEqual([404, headersOf(unknown)]);
    expect(await response.text()).toBe(await unknown.text());
    const json = await get(path, { headers: { accept: "application/json" } });
    expect([json.status, await json.json()]).toEqual([404, { message: "Not found." }]);
    expect((await get(path, { method: "POST" })).status).toBe(404);
  });

  it("are not served by a separate short host, but are if there is one host for everything", async () => {
    for (const path of ["/docs", "/docs/api", "/docs/guide", ...(await loaded()).slice(1)]) {
      const response = await visit(path);
      expect([response.status, response.headers.get("etag")], path).toEqual([404, null]);
      expect(await response.text()).toContain("This link leads nowhere");
      const one = await get(path, {}, { ...testEnv, BASE_URL: ONE, SHORT_BASE_URL: ONE }, ONE);
      expect(one.status, path).toBe(200);
    }
    expect((await visit("/docs", { method: "POST" })).headers.get("allow")).toBeNull();
  });

  it("are the only paths that fetch static files", async () => {
    const asked: string[] = [];
    const { ASSETS } = testEnv;
    if (ASSETS === undefined) throw new Error("There is no binding for static files.");
    const fetch: Fetcher["fetch"] = (input, init) => {
      asked.push(String(input));
      return ASSETS.fetch(input, init);
    };
    const env = { ...testEnv, ASSETS: { ...ASSETS, fetch } as Fetcher };
    for (const path of ["/", "/docs.html", "/health", "/summer", "/wp-login.php", "/api/v1/openapi.json"]) {
      await get(path, {}, env);
      await get(path, {}, env, SHORT);
    }
    await get("/docs/init.js", {}, env, SHORT);
    expect(asked).toEqual([]);
    await get("/docs?x=1", {}, env);
    expect(asked).toEqual([`${API}/docs.html`]);
  });

  it("are 404 if the Worker has no static files", async () => {
    const { ASSETS: _, ...env } = testEnv;
    for (const path of ["/docs", "/docs/api", "/docs/init.js"])
      expect((await get(path, {}, env)).status).toBe(404);
  });
});
