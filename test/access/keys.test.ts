import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApiKey, listApiKeys } from "../../src/access/keys";
import { withoutUpdates } from "../console/failing";
import { withBatch } from "../faulty";
import { counted, makeWorkspace, type TestWorkspace } from "../harness";
import { runSql } from "../sql";

const TABLES = ["api_keys", "audit_log", "workspaces", "idempotency_keys"];

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const viewOf = async (ws: TestWorkspace, id: string) =>
  (await listApiKeys(ws.ctx)).find((key) => key.id === id);
const hashOf = async (key: string) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

afterEach(() => vi.useRealTimers());

describe("an API key", () => {
  it("is shown once on creation and stored only as its SHA-256", async () => {
    const ws = await makeWorkspace();
    const issued = await createApiKey(ws.ctx, { name: "Deploy" });
    const { key, ...view } = issued;
    expect(key).toMatch(/^lnk_[0-9A-Za-z]{38}$/);
    expect(view).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      workspace: ws.slug,
      name: "Deploy",
      access: "full",
      last4: key.slice(-4),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await viewOf(ws, issued.id)).toEqual(view);
    await ws.call("POST", "/api/v1/tags", {
      body: { name: "A" },
      headers: { ...bearer(key).headers, "idempotency-key": "a" },
    });
    for (const table of TABLES) {
      const { results } = await env.DB.prepare(`select * from ${table}`).all();
      expect(JSON.stringify(results), table).not.toContain(key.slice(4, -6));
    }
    const row = await env.DB.prepare("select hash from api_keys where public_id = ?").bind(issued.id).first();
    expect(row).toEqual({ hash: await hashOf(key) });
  });

  it("with a typo is refused without a query, an unknown one with one query", async () => {
    const ws = await makeWorkspace();
    const typo = ws.key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const counter = counted();
    await ws.call("GET", "/api/v1/tags", { ...bearer(typo), env: counter.env });
    await ws.call("POST", "/api/v1/tags", { headers: { authorization: null }, env: counter.env });
    expect(counter.trips).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
    await runSql`delete from api_keys where public_id = ${ws.keyId}`;
    const answer = await ws.call("GET", "/api/v1/tags", { env: counter.env });
    expect([answer.status, counter.trips.d1]).toEqual([401, 1]);
  });
});

describe("the last use of a key", () => {
  const lastUse = async (ws: TestWorkspace) => (await viewOf(ws, ws.keyId))?.last_used_at ?? null;

  it("is written by one of many concurrent requests", async () => {
    const ws = await makeWorkspace();
    let writes = 0;
    const watched = withBatch((send) => async (statements) => {
      const results = await send(statements);
      const [first] = statements as (D1PreparedStatement & { statement: string })[];
      if (first?.statement.startsWith('update "api_keys"')) writes += results[0]?.meta.changes ?? 0;
      return results;
    });
    await Promise.all(Array.from({ length: 5 }, () => ws.call("GET", "/api/v1/tags", { env: watched })));
    expect(writes).toBe(1);
  });

  it("does not include refused requests", async () => {
    const ws = await makeWorkspace();
    await ws.call("GET", "/api/v1/tags", bearer(`${ws.key}x`));
    await ws.call("GET", "/api/v1/nothing");
    expect(await lastUse(ws)).toBeNull();
    await ws.call("GET", "/api/v1/links/nothing");
    expect(await lastUse(ws)).not.toBeNull();
  });

  it("does not fail a request if it cannot be written", async () => {
    const ws = await makeWorkspace();
    const broken = withoutUpdates('update "api_keys"');
    expect((await ws.call("GET", "/api/v1/tags", { env: broken })).status).toBe(200);
    expect(await lastUse(ws)).toBeNull();
  });
});
