import { describe, expect, it } from "vitest";
import { API, makeWorkspace, send, visit } from "../harness";
import { linesOf } from "../log";

const FIELDS = [
  "level",
  "request_id",
  "method",
  "route",
  "status",
  "ms",
  "workspace",
  "key",
  "error",
  "d1_calls",
  "rows_read",
  "d1_ms",
];

describe("the log", () => {
  it("the log has one line of fixed fields for every API request", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const [line, ...others] = await linesOf(() => ws.call("GET", `/api/v1/links/${link.id}?q=private`));
    expect(others).toEqual([]);
    expect(Object.keys(line)).toEqual(FIELDS);
    expect(line).toEqual({
      level: "info",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: "GET",
      route: "/api/v1/links/{id}",
      status: 200,
      ms: expect.any(Number),
      workspace: ws.ctx.workspace.id,
      key: `key:${ws.keyId}`,
      error: null,
      d1_calls: 1,
      rows_read: expect.any(Number),
      d1_ms: expect.any(Number),
    });
    expect(line.rows_read).toBeGreaterThan(0);
  });

  it("names the route, and has none of the request's content", async () => {
    const ws = await makeWorkspace();
    for (const [method, path, request, route] of [
      ["GET", "/api/v1/links/nowhere?q=secret", {}, "/api/v1/links/{id}"],
      ["POST", "/api/v1/links", { body: { title: "secret" } }, "/api/v1/links"],
      ["GET", "/api/v1/some/secret/path", {}, null],
    ] as const) {
      const [line] = await linesOf(() => ws.call(method, path, request));
      expect(line.route).toBe(route);
      expect(JSON.stringify(line)).not.toMatch(/secret|lnk_|nowhere/);
    }
  });

  it("the log has a line without the slug for a visit that read D1, and none for a visit from memory", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const [line, ...others] = await linesOf(() => visit(`/${link.slug}`));
    expect(others).toEqual([]);
    expect(line).toMatchObject({ route: "/{slug}", status: 302, d1_calls: 1, workspace: null, error: null });
    expect(JSON.stringify(line)).not.toContain(link.slug);
    await send(new Request(`https://s.example/${link.slug}`, { redirect: "manual" }));
    expect(
      await linesOf(() => send(new Request(`https://s.example/${link.slug}`, { redirect: "manual" }))),
    ).toEqual([]);
  });
});

it("API answers have the time and the number of calls of D1 in Server-Timing", async () => {
  const ws = await makeWorkspace();
  const timing = async (method: string, path: string, body?: object) =>
    (await ws.call(method, path, { body })).headers.get("server-timing");
  const saying = (calls: number) =>
    expect.stringMatching(new RegExp(`^d1;dur=\\d+;desc="${calls} calls", total;dur=\\d+$`));
  // After the first response the key's use is recorded. After a change its push is settled.
  expect(await timing("GET", "/api/v1/links")).toEqual(saying(2));
  expect(await timing("GET", "/api/v1/links")).toEqual(saying(1));
  const link = await ws.link();
  const change = { destination_url: "https://www.example.com/2" };
  expect(await timing("PATCH", `/api/v1/links/${link.id}`, change)).toEqual(saying(2));
  const refused = await send(new Request(`${API}/api/v1/links`));
  expect(refused.headers.get("server-timing")).toBeNull();
});
