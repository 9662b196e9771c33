import { describe, expect, it } from "vitest";
import { addMember } from "../../src/access/members";
import { createSignInLink } from "../../src/access/sessions";
import { makeWorkspace, send, testEnv, visit } from "../harness";
import { limiter } from "../limiter";
import { linesOf } from "../log";

const PLAIN = "http://api.example";
const SECURITY = "strict-transport-security";
const SENT = { message: "Use https. This API key was sent unencrypted: rotate it." };

const ask = (url: string, init: RequestInit = {}, env = testEnv) =>
  send(new Request(url, { redirect: "manual", ...init }), env);

async function world() {
  const ws = await makeWorkspace();
  const { slug } = await ws.link({ slug: `plain-${ws.slug}` });
  const headers = { authorization: `Bearer ${ws.key}` };
  return { ws, slug, headers };
}

describe("a request of the API over http", () => {
  it("that sends a key is refused, and does nothing", async () => {
    const { ws, headers } = await world();
    const { binding, asked } = limiter(0);
    const env = { ...testEnv, KEY_RATE: binding, AUTH_FAILURE_RATE: binding };
    const body = JSON.stringify({ destination_url: "https://www.example.com/", slug: `not-${ws.slug}` });
    const created = await ask(`${PLAIN}/api/v1/links`, { method: "POST", headers, body }, env);
    expect([created.status, await created.json()]).toEqual([403, SENT]);
    expect(asked).toEqual([]);
    expect((await visit(`/not-${ws.slug}`)).status).toBe(404);
    const wrong = await ask(`${PLAIN}/api/v1/tags`, { headers: { authorization: "Bearer nothing" } }, env);
    expect([wrong.status, await wrong.json()]).toEqual([403, SENT]);
  });

  it("without a key is 401, after 404 and 405 of the path", async () => {
    const { headers } = await world();
    const statuses = async (init: RequestInit) =>
      Promise.all(
        ["/api/v1/links", "/api/v1/nothing"].map(async (path) => (await ask(PLAIN + path, init)).status),
      );
    expect(await statuses({})).toEqual([401, 404]);
    expect(await statuses({ headers })).toEqual([403, 404]);
    expect(await statuses({ headers, method: "PUT" })).toEqual([405, 404]);
  });

  it("is answered where the address of the service is http, or none is set", async () => {
    const { headers } = await world();
    for (const BASE_URL of ["http://api.example", ""]) {
      const response = await ask(`${PLAIN}/api/v1/tags`, { headers }, { ...testEnv, BASE_URL });
      expect([response.status, response.headers.has(SECURITY)], BASE_URL).toEqual([200, false]);
    }
  });

  it("is named in the log", async () => {
    const { headers } = await world();
    const lines = await linesOf(() => ask(`${PLAIN}/api/v1/tags`, { headers }));
    expect(lines).toMatchObject([{ status: 403, error: "unencrypted", key: null }]);
  });
});

describe("a page over http", () => {
  it.each([
    "/app",
    "/app/acme/links?q=a%20b",
    "/app/console.css",
    "/docs",
    "/docs/faq",
    "/reports/x",
    "/reports/stop/x",
  ])("%s is redirected to https, with its query, and no cache keeps it", async (path) => {
    const response = await ask(PLAIN + path);
    expect([response.status, response.headers.get("location")]).toEqual([301, `https://api.example${path}`]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("reads no token of a form, which then works over https", async () => {
    const { ws } = await world();
    await addMember(ws.ctx, { email: "ada@people.example", role: "owner" });
    const { token } = await createSignInLink(ws.ctx, "ada@people.example");
    const signIn = (base: string) =>
      ask(`${base}/app/sign-in`, {
        method: "POST",
        headers: { origin: base },
        body: new URLSearchParams({ token }),
      });
    const plain = await signIn(PLAIN);
    expect([plain.status, plain.headers.has("set-cookie")]).toEqual([301, false]);
    expect((await signIn("https://api.example")).status).toBe(303);
  });
});

describe("short links", () => {
  it("answer over http and https alike", async () => {
    const { slug } = await world();
    for (const url of [`http://s.example/${slug}`, `https://s.example/${slug}`, `${PLAIN}/${slug}`]) {
      expect((await ask(url)).status, url).toBe(302);
    }
  });
});

describe("Strict-Transport-Security", () => {
  it("is on every answer of the main host over https, from memory too", async () => {
    const { slug } = await world();
    for (const path of [
      "/app",
      "/api/v1/links",
      "/docs",
      "/health",
      "/",
      "/nothing",
      `/${slug}`,
      `/${slug}`,
    ]) {
      const response = await ask(`https://api.example${path}`);
      expect(response.headers.get(SECURITY), path).toBe("max-age=31536000");
    }
  });

  it("is on no answer of another host, or over http", async () => {
    const { slug } = await world();
    const env = { ...testEnv, FORMER_HOSTS: "old.example" };
    for (const origin of ["https://s.example", "https://old.example", "https://go.acme.example", PLAIN]) {
      for (const path of ["/", "/robots.txt", `/${slug}`, `/${slug}`]) {
        const response = await ask(origin + path, {}, env);
        expect(response.headers.has(SECURITY), origin + path).toBe(false);
      }
    }
  });
});
