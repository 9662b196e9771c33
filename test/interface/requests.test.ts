import { describe, expect, it } from "vitest";
import { API, makeWorkspace, send } from "../harness";

const OPERATIONS = [
  ["GET", "/api/v1/activity-groups"],
  ["GET", "/api/v1/links"],
  ["POST", "/api/v1/links"],
  ["GET", "/api/v1/links/{id}"],
  ["PATCH", "/api/v1/links/{id}"],
  ["DELETE", "/api/v1/links/{id}"],
  ["GET", "/api/v1/links/{id}/qr"],
  ["POST", "/api/v1/links/{id}/tags"],
  ["DELETE", "/api/v1/links/{id}/tags/{tagId}"],
  ["GET", "/api/v1/tags"],
  ["POST", "/api/v1/tags"],
  ["PATCH", "/api/v1/tags/{id}"],
  ["DELETE", "/api/v1/tags/{id}"],
] as const;

/** Creates a workspace with a tagged link, and a function that fills in a documented path. */
async function tagged() {
  const ws = await makeWorkspace();
  const tag = await ws.tag();
  const link = await ws.link({ tag_ids: [tag.id] });
  const at = (path: string) =>
    path.replace("{tagId}", tag.id).replace("tags/{id}", `tags/${tag.id}`).replace("{id}", link.id);
  return { ws, tag, link, at };
}
const withoutKey = { headers: { authorization: null } };
const withoutId = (headers: Headers) => {
  const { "x-request-id": _, "server-timing": _time, ...rest } = Object.fromEntries(headers);
  return rest;
};

describe("every response", () => {
  it.each(OPERATIONS)("of %s %s is uncacheable and has the rate-limit policy", async (method, path) => {
    const { ws, at } = await tagged();
    for (const request of [{ body: {} }, { ...withoutKey, body: {} }]) {
      const answer = await ws.call(
        method,
        at(path),
        method === "GET" ? { ...request, body: undefined } : request,
      );
      expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=3000;w=60');
      expect(answer.headers.get("cache-control")).toBe(
        path.endsWith("/qr") && answer.status === 200 ? "private, no-cache" : "no-store",
      );
      expect(answer.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("methods and paths", () => {
  it.each([
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v2/links",
    "/api/v1/nothing",
    "/api/v1/Links",
    "/api/v1//links",
    "/api/v1/links/",
    "/api/v1/tags/",
    "/api/v1/activity-groups/",
    "/api/v1/links/{id}/",
    "/api/v1/links/{id}/qr/",
    "/api/v1/links/{id}/tags/",
    "/api/v1/links/{id}/tags/{tagId}/",
    "/api/v1/links/{id}/clicks",
    "/api/v1/activity-groups/{id}",
    "/api/v1/openapi.json/",
    "/api/v1/links%2F{id}",
  ])("%s is 404 in JSON, with and without a key, for any method", async (path) => {
    const { ws, at } = await tagged();
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      for (const authorization of [`Bearer ${ws.key}`, null]) {
        const headers = { accept: "text/html", authorization };
        const answer = await ws.call(method, at(path), { headers });
        expect([answer.status, answer.text], method).toEqual([404, '{"message":"Not found."}']);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=3000;w=60');
      }
    }
  });

  it("HEAD of the OpenAPI document answers like GET, without a body and without a key", async () => {
    const { ws } = await tagged();
    const path = "/api/v1/openapi.json";
    const get = await ws.call("GET", path);
    for (const request of [{}, withoutKey]) {
      const head = await ws.call("HEAD", path, request);
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(withoutId(head.headers)).toEqual(withoutId(get.headers));
    }
  });

  it("HEAD honours If-None-Match like GET", async () => {
    const { ws, link } = await tagged();
    const path = `/api/v1/links/${link.id}`;
    const etag = (await ws.call("GET", path)).headers.get("etag");
    const headers = { "if-none-match": etag };
    for (const method of ["GET", "HEAD"]) {
      expect((await ws.call(method, path, { headers })).status, method).toBe(304);
    }
  });

  it("the OpenAPI document needs no key, and has exactly the operations at their paths", async () => {
    const response = await send(new Request(`${API}/api/v1/openapi.json`));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const document = await response.json<{
      openapi: string;
      servers: object;
      paths: Record<string, object>;
    }>();
    expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: API }] });
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(OPERATIONS.map(([method, path]) => `${method} ${path}`).sort());
  });
});

describe("public ids", () => {
  it.each([
    ["GET", "/api/v1/links/{id}"],
    ["GET", "/api/v1/links/{id}/qr"],
    ["PATCH", "/api/v1/links/{id}"],
    ["POST", "/api/v1/links/{id}/tags"],
    ["DELETE", "/api/v1/links/{id}/tags/{tagId}"],
    ["PATCH", "/api/v1/tags/{id}"],
    ["DELETE", "/api/v1/tags/{id}"],
    ["DELETE", "/api/v1/links/{id}"],
  ])("are accepted in any case by %s %s, and returned in upper case", async (method, path) => {
    const { ws, tag, link, at } = await tagged();
    expect(link.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    const lower = at(path).replaceAll(/[0-9A-Z]{26}/g, (id) => id.toLowerCase());
    const body = method === "POST" ? { tag_ids: [tag.id.toLowerCase()] } : {};
    const answer = await ws.call(method, lower, method === "GET" ? {} : { body });
    expect(answer.status).toBe(method === "DELETE" ? 204 : 200);
    const shown = answer.body?.link?.id ?? answer.body?.tag?.id ?? answer.body?.id;
    if (shown !== undefined) expect([link.id, tag.id]).toContain(shown);
  });

  it("are accepted in any case in bodies and queries", async () => {
    const { ws, tag, link } = await tagged();
    const group = await ws.group();
    const lower = { tag: tag.id.toLowerCase(), group: group.id.toLowerCase() };
    const made = await ws.link({ tag_ids: [lower.tag], activity_group_id: lower.group });
    expect([made.tags[0]?.id, made.activity_group?.id]).toEqual([tag.id, group.id]);
    const path = `/api/v1/links?tag=${lower.tag}&activity_group_id=${lower.group}`;
    const found = await ws.call<{ links: { id: string }[] }>("GET", path);
    expect(found.body.links.map(({ id }) => id)).toEqual([made.id]);
    expect(found.body.links).not.toContainEqual(link);
    const groups = await ws.call("GET", `/api/v1/activity-groups?id=${lower.group}`);
    expect(groups.body.activity_groups).toEqual([group]);
  });

  const FOREIGN = [
    "1",
    "nothing",
    "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "01J0000000000000000000000U",
    "%00",
    "%ff",
    "a%2Fb",
    "01J00000000000000000000000",
    "..%2f..",
    "' OR 1=1 --",
  ];
  it.each([
    ["GET", "/api/v1/links/{id}", "Link not found."],
    ["GET", "/api/v1/links/{id}/qr", "Link not found."],
    ["PATCH", "/api/v1/links/{id}", "Link not found."],
    ["DELETE", "/api/v1/links/{id}", "Link not found."],
    ["POST", "/api/v1/links/{id}/tags", "Link not found."],
    ["DELETE", "/api/v1/links/{id}/tags/01J00000000000000000000000", "Link not found."],
    ["PATCH", "/api/v1/tags/{id}", "Tag not found."],
    ["DELETE", "/api/v1/tags/{id}", "Tag not found."],
  ])("that are unknown or not ULIDs are not found by %s %s", async (method, path, message) => {
    const { ws } = await tagged();
    for (const id of FOREIGN) {
      const answer = await ws.call(method, path.replace("{id}", id), method === "GET" ? {} : { body: {} });
      expect([answer.status, answer.body], id).toEqual([404, { message }]);
    }
  });

  it("that are not ULIDs match no tag of a link", async () => {
    const { ws, link } = await tagged();
    for (const id of FOREIGN) {
      const answer = await ws.call("DELETE", `/api/v1/links/${link.id}/tags/${id}`);
      expect([answer.status, answer.body], id).toEqual([404, { message: "Tag not found." }]);
    }
  });
});
