import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../src/access/keys";
import { suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import worker from "../../src/worker";
import { pass, stopClock } from "../clock";
import { makeMember, openBrowser } from "../console/browser";
import { CONNECTION_LOST, gate, heldBack, withBatch, withoutD1 } from "../faulty";
import {
  API,
  hurry,
  makeWorkspace,
  otherInstance,
  SHORT,
  send,
  type TestWorkspace,
  testEnv,
  visit,
} from "../harness";
import { linesOf, logged } from "../log";

const token = (kind: string) => `${kind}_${"0".repeat(64)}`;

const path = "/api/v1/tags";

// One whose code is that of its status, those that have their own, and those that no service throws.
it.each<[string, number, (ws: TestWorkspace) => Promise<unknown>]>([
  [
    "read_only",
    403,
    async (ws) => {
      const reader = await createApiKey(ws.ctx, { name: "reader", access: "read" });
      const headers = { authorization: `Bearer ${reader.key}` };
      return ws.call("POST", path, { headers, body: { name: "A" } });
    },
  ],
  [
    "suspended",
    404,
    async (ws) => {
      await suspendWorkspace(ws.ctx, ws.slug);
      return ws.call("GET", path);
    },
  ],
  ["method_not_allowed", 405, (ws) => ws.call("PUT", path)],
  [
    "link_changed",
    412,
    async (ws) => {
      const { id } = await ws.link();
      const headers = { "if-match": '"another"' };
      return ws.call("PATCH", `/api/v1/links/${id}`, { headers, body: { title: "A" } });
    },
  ],
  ["invalid", 422, (ws) => ws.call("POST", path, { body: {} })],
  [
    "creations_off",
    503,
    (ws) => ws.call("POST", path, { body: { name: "A" }, env: { ...testEnv, CREATIONS: "off" } }),
  ],
  [
    "database_full",
    503,
    (ws) => ws.call("GET", path, { env: withoutD1("database or disk is full: SQLITE_FULL") }),
  ],
  ["internal", 500, (ws) => ws.call("GET", path, { env: withoutD1("no such table: secret") })],
])("the log distinguishes refusals of the API: %s: %i", async (error, status, work) => {
  const ws = await makeWorkspace();
  const lines = await linesOf(() => work(ws));
  expect(lines.findLast((line) => "route" in line && line.background !== true)).toMatchObject({
    status,
    error,
  });
});

describe("the log distinguishes refusals of the web application", () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      "role",
      async () => {
        const { browser, workspace } = await makeMember("viewer");
        return browser.post(`/app/${workspace.slug}/tags`, { name: "A" });
      },
    ],
    [
      "form_origin",
      async () => {
        const { browser, workspace } = await makeMember();
        const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
        const body = new URLSearchParams({ name: "A" });
        return browser.post(`/app/${workspace.slug}/tags`, {}, { headers, body });
      },
    ],
    ["sign_in_link", () => openBrowser().post("/app/sign-in", { token: token("sgn") })],
    [
      "access",
      () => openBrowser({ ...testEnv, ACCESS_TEAM_DOMAIN: "acme", ACCESS_AUD: "aud" }).get("/app/sign-in"),
    ],
  ])("%s: 403", async (error, work) => {
    const lines = await linesOf(work);
    expect(lines.at(-1)).toMatchObject({ status: 403, error });
  });

  it("signed_out: 401 for a form, no code for a page that redirects to the sign-in page", async () => {
    const stranger = openBrowser();
    stranger.cookies.set("__Host-session", token("ses"));
    const [form] = await linesOf(() => stranger.post("/app/acme/tags", { name: "A" }));
    expect(form).toMatchObject({ status: 401, error: "signed_out" });
    const [page] = await linesOf(() => stranger.get("/app/acme/tags"));
    expect(page).toMatchObject({ status: 303, error: null });
  });

  it("not_found: 404, without any of the request's content", async () => {
    const { browser } = await makeMember();
    const [line] = await linesOf(() => browser.get("/app/secret/links"));
    expect(line).toMatchObject({ status: 404, error: "not_found" });
    expect(JSON.stringify(line)).not.toContain("secret");
  });
});

describe("a D1 read after the response", () => {
  stopClock();

  /** A link whose value in KV is due for a refresh. */
  async function agedLink() {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await visit(`/${link.slug}`);
    pass(61);
    return link;
  }

  it("has no line if it asks what is in doubt or compares a value, which each instance does all the time", async () => {
    const { slug } = await agedLink();
    const lines = await linesOf(async () => {
      expect((await visit(`/${slug}`, {}, otherInstance())).headers.get("x-cache")).toBe("hit");
    });
    expect(lines).toEqual([]);
  });

  it("has a line with the request's own id, if it fails", async () => {
    const { slug } = await agedLink();
    const broken = otherInstance(
      withBatch(() => () => Promise.reject(new Error(`${CONNECTION_LOST} secret`))),
    );
    const from = logged.length;
    const response = await visit(`/${slug}`, {}, broken);
    expect(response.headers.get("x-cache")).toBe("hit");
    const lines = logged.slice(from).map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { level: "error", error: "unavailable", d1_calls: 3, background: true, status: null },
    ]);
    expect(lines[0].request_id).toBe(response.headers.get("x-request-id"));
    expect(JSON.stringify(lines)).not.toMatch(/secret/);
  });

  it("has a line for the rows of a lookup that finishes after the response", async () => {
    const ws = await makeWorkspace();
    const { slug } = await ws.link();
    const { passed, open } = gate();
    const slow = otherInstance({ ...testEnv, DB: withBatch((send) => heldBack(passed, send)).DB });
    const { done } = hurry(5_000);
    const execution = createExecutionContext();
    const request = new Request(`${SHORT}/${slug}`) as Parameters<typeof worker.fetch>[0];
    const lines = await linesOf(async () => {
      // `visit` would wait for the lookup.
      expect((await worker.fetch(request, slow, execution)).status).toBe(503);
      done();
      open();
      await waitOnExecutionContext(execution);
    });
    expect(lines).toMatchObject([
      { status: 503, d1_calls: 1, rows_read: 0 },
      { status: null, d1_calls: 0, rows_read: expect.any(Number), background: true, error: null },
    ]);
    expect(lines[1].rows_read).toBeGreaterThan(0);
  });

  it("is in the lines of a change, for settling its push and recording the key's use", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const meter = { calls: 0, rowsRead: 0 };
    const env = withBatch((send) => async (statements) => {
      meter.calls++;
      const results = await send(statements);
      for (const result of results) meter.rowsRead += result.meta.rows_read;
      return results;
    });
    for (const work of [
      () => ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { utm_source: "a" }, env }),
      () => {
        pass(700);
        return ws.call("GET", "/api/v1/tags", { env });
      },
    ]) {
      Object.assign(meter, { calls: 0, rowsRead: 0 });
      const lines = await linesOf(work);
      const sum = (name: string) => lines.reduce((total, line) => total + line[name], 0);
      expect([sum("d1_calls"), sum("rows_read")]).toEqual([meter.calls, meter.rowsRead]);
    }
  });
});

describe("the log", () => {
  it("has one line of fixed fields for every API request", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const [line, ...others] = await linesOf(() => ws.call("GET", `/api/v1/links/${link.id}?q=private`));
    expect(others).toEqual([]);
    const fields = {
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
    };
    expect(Object.entries(line)).toEqual(Object.entries(fields));
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
