import { env as bindings } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "../../src/access/keys";
import type { Env } from "../../src/context";
import { buildSearchIndex, dropSearchIndex } from "../../src/resources/links/build-search-index";
import {
  resumeWorkspace,
  suspendWorkspace,
  updateWorkspace,
} from "../../src/resources/workspaces/workspace-service";
import { withBatch } from "../faulty";
import { makeWorkspace, otherInstance, type TestWorkspace } from "../harness";
import { limiter } from "../limiter";
import { furnished, operations, perform } from "./operations";

// An instance that has seen a key checks it in the first batch of the request. The check runs on every request, before
// the rest of that batch.

const NOBODY = "01J00000000000000000000000";

/** A workspace with a second key that this instance has seen. */
async function knownKey(access: "full" | "read" = "full") {
  const { ws, ids } = await furnished();
  const key = await createApiKey(ws.ctx, { name: "known", access });
  const headers = { authorization: `Bearer ${key.key}` };
  const env = otherInstance();
  expect((await ws.call("GET", "/api/v1/tags", { headers, env })).status).toBe(200);
  return { ws, ids, key, headers, env };
}

const reservations = async (ws: TestWorkspace) =>
  bindings.DB.prepare(
    "select count(*) as n from idempotency_keys where api_key_id in (select id from api_keys where workspace_id = ?)",
  )
    .bind(ws.ctx.workspace.rowId)
    .first<number>("n");

const changes = async (ws: TestWorkspace) =>
  bindings.DB.prepare("select count(*) as n from audit_log where workspace_id = ? and actor like 'key:%'")
    .bind(ws.ctx.workspace.rowId)
    .first<number>("n");

it.each(operations)(
  "$operationId is refused over the limit of a cached key, in a suspended workspace and after a revocation, and changes nothing",
  async (operation) => {
    const { ws, ids, key, headers, env } = await knownKey();
    const state = async () => [await changes(ws), await reservations(ws)];
    const ask = async (idempotencyKey: string, environment: Env = env) => {
      const keyed = { ...headers, "idempotency-key": idempotencyKey };
      const { status, text } = await perform(ws, operation, ids, { headers: keyed, env: environment });
      return { status, text };
    };
    const before = await state();
    const overLimit = await ask("k", { ...env, KEY_RATE: limiter(0).binding });
    expect(overLimit).toEqual({ status: 429, text: '{"message":"Too Many Attempts."}' });
    await suspendWorkspace(ws.ctx, ws.slug);
    expect(await ask("k")).toEqual({ status: 404, text: '{"message":"Workspace not found."}' });
    expect(await state()).toEqual([before[0], 0]);
    await resumeWorkspace(ws.ctx, ws.slug);
    expect((await ask("k")).status).toBeLessThan(300);

    const after = await state();
    await revokeApiKey(ws.ctx, key.id);
    expect(await ask("other")).toEqual({ status: 401, text: '{"message":"Unauthenticated."}' });
    expect(await state()).toEqual(after);
  },
);

describe("a key that this instance has cached", () => {
  it.each([
    ["GET", `/api/v1/links/${NOBODY}`, {}],
    ["GET", "/api/v1/links?after=x", {}],
    ["POST", "/api/v1/links", { raw: JSON.stringify({ x: "x".repeat(65_536) }) }],
    ["POST", "/api/v1/tags", { headers: { "idempotency-key": "not visible" }, body: {} }],
    ["PATCH", `/api/v1/links/${NOBODY}`, { headers: { "if-match": '"0"' }, body: {} }],
  ])("gets 401 before any other error once it is revoked, by %s %s", async (method, path, request) => {
    const { ws, key, headers, env } = await knownKey();
    await revokeApiKey(ws.ctx, key.id);
    const answer = await ws.call(method, path, {
      ...request,
      headers: { ...("headers" in request ? request.headers : {}), ...headers },
      env,
    });
    expect(answer.status).toBe(401);
  });

  it("is refused from its expiry on", async () => {
    const ws = await makeWorkspace();
    const { key, id } = await createApiKey(ws.ctx, { name: "ends" });
    const request = { headers: { authorization: `Bearer ${key}` }, env: otherInstance() };
    expect((await ws.call("GET", "/api/v1/tags", request)).status).toBe(200);
    await bindings.DB.prepare("update api_keys set expires_at = ? where public_id = ?")
      .bind(Date.now() - 1, id)
      .run();
    expect((await ws.call("GET", "/api/v1/tags", request)).status).toBe(401);
    expect((await ws.call("POST", "/api/v1/tags", { ...request, body: { name: "A" } })).status).toBe(401);
  });

  it("reserves no Idempotency-Key if it is read-only", async () => {
    const { ws, headers, env } = await knownKey("read");
    const keyed = { ...headers, "idempotency-key": "k" };
    const answer = await ws.call("POST", "/api/v1/tags", { body: { name: "A" }, headers: keyed, env });
    expect([answer.status, await reservations(ws)]).toEqual([403, 0]);
  });

  it("uses the workspace's current name", async () => {
    const { ws, headers, env } = await knownKey();
    await updateWorkspace(ws.ctx, { name: "Renamed" });
    const { body } = await ws.call("GET", "/api/v1/activity-groups", { headers, env });
    expect(body.workspace).toEqual({ name: "Renamed", slug: ws.slug });
  });

  it("is looked up again if a restored database has other row ids for it, and changes nothing", async () => {
    const { ws, key, headers, env } = await knownKey();
    const move = (delta: number) =>
      bindings.DB.prepare("update api_keys set id = id + ? where public_id = ?").bind(delta, key.id).run();
    await move(1_000_000);
    const keyed = { headers: { ...headers, "idempotency-key": "k" }, body: { name: "A" }, env };
    expect((await ws.call("POST", "/api/v1/tags", keyed)).status).toBe(503);
    expect(await reservations(ws)).toBe(0);
    expect((await ws.call("POST", "/api/v1/tags", keyed)).status).toBe(201);
    await bindings.DB.prepare("delete from idempotency_keys where key = 'k'").run();
    await move(-1_000_000);
  });

  it("is checked once while the database is unavailable, and not again for the error response", async () => {
    const { ws, headers, env } = await knownKey();
    let calls = 0;
    const overloaded = withBatch(() => async () => {
      calls++;
      throw new Error("D1_ERROR: D1 DB is overloaded.");
    });
    const request = { headers, env: { ...env, DB: overloaded.DB } };
    expect((await ws.call("GET", "/api/v1/tags", request)).status).toBe(503);
    expect(calls).toBe(1);
  });
});

it("a search goes on without the search index, although the call that checked the key has failed", async () => {
  const { ws, headers, env } = await knownKey();
  const link = await ws.link({ title: "Findable" });
  await dropSearchIndex(ws.ctx);
  try {
    const { status, body } = await ws.call("GET", "/api/v1/links?q=findable", { headers, env });
    expect([status, body.links]).toEqual([200, [link]]);
  } finally {
    await buildSearchIndex(ws.ctx);
  }
});
