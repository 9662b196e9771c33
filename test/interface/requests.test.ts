import { describe, expect, it } from "vitest";
import { API, makeWorkspace, send } from "../harness";
import { document } from "./document";
import { bytesOf, furnished, operations, pathOf, perform, UNKNOWN } from "./operations";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();
const withoutKey = { headers: { authorization: null } };

describe("methods and paths", () => {
  it.each([
    "/api/",
    "/api/v1",
    "/api/v2/links",
    "/api/v1/nothing",
    "/api/v1/Links",
    "/api/v1//links",
    "/api/v1/links/{id}/clicks",
    "/api/v1/activity-groups/{id}",
    "/api/v1/links%2F{id}",
  ])("%s is 404 in JSON, with and without a key, for any method", async (path) => {
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      for (const authorization of [`Bearer ${ws.key}`, null]) {
        const headers = { accept: "text/html", authorization };
        const answer = await ws.call(method, pathOf(path, UNKNOWN), { headers });
        expect([answer.status, answer.text], method).toEqual([404, '{"message":"Not found."}']);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=3000;w=60');
      }
    }
  });

  it("the OpenAPI document needs no key, and HEAD of it answers like GET without a body", async () => {
    const path = "/api/v1/openapi.json";
    const get = await send(new Request(API + path));
    expect([get.status, get.headers.get("content-type")]).toEqual([200, "application/json"]);
    const { headers } = bytesOf({ status: 200, text: "", headers: get.headers });
    for (const request of [{}, withoutKey]) {
      expect(bytesOf(await ws.call("HEAD", path, request))).toEqual({ status: 200, text: "", headers });
    }
  });
});

describe("methods of the documented paths", () => {
  const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const paths = [
    ...Object.entries(document.paths).map(([path, methods]) => ({
      path,
      allowed: Object.keys(methods).flatMap((method) =>
        method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()],
      ),
    })),
    { path: "/api/v1/openapi.json", allowed: ["GET", "HEAD"] },
  ];

  it.each(paths)(
    "that $path does not have are 405 with Allow, even without a key",
    async ({ path, allowed }) => {
      for (const method of METHODS.filter((candidate) => !allowed.includes(candidate))) {
        for (const authorization of [null, "Bearer x", `Bearer ${ws.key}`]) {
          const answer = await ws.call(method, pathOf(path, UNKNOWN), { headers: { authorization } });
          expect(answer.status, method).toBe(405);
          expect((answer.headers.get("allow") ?? "").split(", ").sort(), method).toEqual([...allowed].sort());
          expect(answer.headers.get("content-type")).toBe("application/json");
          expect(answer.headers.get("www-authenticate")).toBeNull();
          expect(answer.headers.get("cache-control")).toBe("no-store");
          expect(answer.text).toBe(method === "HEAD" ? "" : '{"message":"Method not allowed."}');
        }
      }
    },
  );

  it.each(paths)(
    "$path with a trailing slash is an unknown path for any method",
    async ({ path, allowed }) => {
      for (const method of [...allowed, "PUT"]) {
        const answer = await ws.call(method, `${pathOf(path, UNKNOWN)}/`, {
          headers: { authorization: null },
        });
        expect([answer.status, answer.text], method).toEqual([
          404,
          method === "HEAD" ? "" : '{"message":"Not found."}',
        ]);
      }
    },
  );
});

it.each<Record<string, string | null>>([
  { origin: "https://evil.example" },
  { origin: "null" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", forwarded: "host=evil.example" },
  { "x-original-url": "/admin", "x-rewrite-url": "/admin" },
  { accept: "text/html" },
  { accept: null },
  { range: "bytes=0-3" },
])("the headers %j change no answer", async (headers) => {
  const { ws, ids } = await furnished();
  const path = `/api/v1/links/${ids.link}`;
  expect(bytesOf(await ws.call("GET", path, { headers }))).toEqual(bytesOf(await ws.call("GET", path)));
});

const ofResource = operations.filter(({ path }) => path.includes("{"));

it.each(ofResource)(
  "public ids are accepted in any case by $operationId, and returned in upper case",
  async (operation) => {
    const { ws, ids } = await furnished();
    for (const id of Object.values(ids)) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    const lower = { link: ids.link.toLowerCase(), tag: ids.tag.toLowerCase(), group: ids.group };
    const { status, body } = await perform(ws, operation, lower);
    expect(status).toBe(operation.method === "DELETE" ? 204 : 200);
    const shown = body?.link?.id ?? body?.tag?.id ?? body?.id;
    if (shown !== undefined) expect([ids.link, ids.tag]).toContain(shown);
  },
);
