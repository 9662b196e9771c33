import { env } from "cloudflare:test";
import { getTableColumns, getTableName } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reportVisits } from "../../../src/analytics/report";
import { createDatabase } from "../../../src/db/client";
import { schema } from "../../../src/db/schema/all";
import { keptFrom, toRange } from "../../../src/lib/range";
import { recountWorkspaces } from "../../../src/operations/consistency/doctor";
import { removeExpired } from "../../../src/operations/retention/remove-expired";
import { DELETED_WITH_LINK, MUST_BE_EMPTY } from "../../../src/operations/retention/retention-repository";
import { listAudit } from "../../../src/resources/audit/audit-service";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { previewRevert } from "../../../src/resources/links/revert/revert-link";
import { addVisits, click, scan } from "../../console/clicks";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { brokenInvariants } from "../../invariants";
import { metered } from "../../metered";
import { overriding } from "../../overriding";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The doctor's findings for a workspace. */
const repairedIn = async (ws: TestWorkspace) =>
  (await recountWorkspaces(ws.ctx)).repaired.filter(({ workspace }) => workspace === ws.slug);

/** Runs the removal and returns its cost. */
async function remove(now = Date.now()) {
  let mostRemoved = 0;
  const { db, rows } = metered(env.DB);
  const watched = overriding(db, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.batch(statements);
      mostRemoved = Math.max(mostRemoved, ...results.map(({ meta }) => meta.changes));
      return results;
    },
  });
  await removeExpired({ db: createDatabase(watched), now: () => now });
  return { queries: rows.statements, rowsRead: rows.read, mostRemoved };
}

/** Deletes all expired data of other tests, so that a test counts only its own. */
async function removeAll(): Promise<void> {
  for (let rounds = 0; rounds < 50; rounds++) if ((await remove()).mostRemoved === 0) return;
}

async function count(table: string, where: string, ...values: (string | number)[]): Promise<number> {
  const row = await env.DB.prepare(`select count(*) as n from ${table} where ${where}`)
    .bind(...values)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

const rowIdOf = async (link: string): Promise<number> =>
  (await env.DB.prepare("select id from links where public_id = ?").bind(link).first<number>("id")) ?? 0;

const deletedAt = (link: string, at: number) =>
  env.DB.prepare("update links set deleted_at = ? where public_id = ?").bind(at, link).run();

beforeEach(removeAll);
afterEach(() => {
  vi.useRealTimers();
});

describe("the removal of expired data", () => {
  it("takes fourteen queries of one to three rows each if nothing has expired", async () => {
    await makeWorkspace();
    const { queries, rowsRead } = await remove();
    expect(queries).toBe(14);
    expect(rowsRead).toBeLessThanOrEqual(31);
  });

  it("keeps up with eight API keys that create 3,000 idempotency keys a minute, in chunks of 5,000 rows", async () => {
    const ws = await makeWorkspace();
    const insert = (from: number, startedAt: number) =>
      env.DB.prepare(
        `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 11999)
        insert into idempotency_keys (api_key_id, key, fingerprint, operation_id, started_at, status, body)
          select id, 'k' || (n + ${from}), 'f', 'o', ${startedAt}, 201, '{}' from numbers join api_keys on public_id = ?`,
      )
        .bind(ws.keyId)
        .run();
    const own = "api_key_id = (select id from api_keys where public_id = ?)";
    await insert(0, Date.now() - DAY_MS - 1_000);
    await insert(12_000, Date.now() - DAY_MS - 1_000);
    await insert(24_000, Date.now() - DAY_MS + 60_000);
    const { queries, mostRemoved } = await remove();
    expect(await count("idempotency_keys", own, ws.keyId)).toBe(12_000);
    expect(mostRemoved).toBe(5_000);
    expect(queries).toBeLessThanOrEqual(24);
    await env.DB.prepare(`delete from idempotency_keys where ${own}`).bind(ws.keyId).run();
  });

  it("forgets a day later which batches were added up", async () => {
    const runs = [1, Date.now() - 2 * DAY_MS + 60_000];
    await env.DB.prepare("insert into visit_runs (run, batches) values (?, ''), (?, '')")
      .bind(...runs)
      .run();
    await remove();
    const left = [];
    for (const run of runs) left.push(await count("visit_runs", "run = ?", run));
    expect(left).toEqual([0, 1]);
  });

  it("deletes hours and days before the last 25 months, in chunks; totals and later ones stay", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const kept = keptFrom(Date.now());
    await addVisits(ws, link.id, kept - HOUR_MS, { clicks: 3 });
    await addVisits(ws, link.id, kept, { clicks: 2 });
    const row = await rowIdOf(link.id);
    const OWNERS = "owner_kind = 'later' and owner_id > ?";
    // Of other owners, some of which have no hours.
    await env.DB.batch(
      [
        "insert into visit_days (workspace_id, owner_kind, owner_id, day, visits, origins) select ?1, 'later', n, ?2, 1, '{}'",
        "insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end) select ?1, 'later', n / 2, ?2 + n % 2 * 3600000, 1, 0, 0, 0",
      ].map((insert) =>
        env.DB.prepare(
          `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 6000) ${insert} from numbers`,
        ).bind(ws.ctx.workspace.rowId, kept - DAY_MS),
      ),
    );
    const own = "owner_kind = 'link' and owner_id = ?";
    const left: number[][] = [];
    for (let round = 0; round < 3; round++) {
      const { mostRemoved } = await remove();
      expect(mostRemoved).toBeLessThanOrEqual(5_000);
      left.push([await count("visit_hours", own, row), await count("visit_days", own, row)]);
    }
    expect(left.at(-1)).toEqual([1, 1]);
    expect([await count("visit_hours", OWNERS, 0), await count("visit_days", OWNERS, 0)]).toEqual([0, 0]);
    const now = Date.now();
    const all = toRange({ last: "all" }, "UTC", now, 0);
    const { totals, earlier } = await reportVisits(ws.ctx, { link: link.id }, all, { compare: false });
    expect([totals.clicks, earlier]).toEqual([2, { clicks: 3, scans: 0 }]);
    const month = toRange({ last: "30" }, "UTC", now, 0);
    expect((await reportVisits(ws.ctx, { link: link.id }, month, { compare: false })).earlier.clicks).toBe(0);
  });

  it("deletes the totals of unused channels", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ channel: "first" });
    for (let number = 0; number < 30; number++)
      await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { channel: `channel ${number}` } });
    const totals = () => count("link_totals", "workspace_id = ?", ws.ctx.workspace.rowId);
    expect(await totals()).toBe(31);
    await remove();
    expect(await totals()).toBe(1);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("deletes the rows of an import before the import", async () => {
    const ws = await makeWorkspace();
    await env.DB.prepare(
      `insert into imports (public_id, workspace_id, name, row_count, digest, about, created_at)
        values (?, ?, 'links.csv', 9000, 'd', '{}', ?)`,
    )
      .bind(`I-${ws.slug}`, ws.ctx.workspace.rowId, Date.now() - 8 * DAY_MS)
      .run();
    await env.DB.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 9000)
      insert into import_rows (workspace_id, import_id, number) select workspace_id, id, n
        from numbers join imports on public_id = ?`,
    )
      .bind(`I-${ws.slug}`)
      .run();
    const left = async () => [
      await count("import_rows", "workspace_id = ?", ws.ctx.workspace.rowId),
      await count("imports", "workspace_id = ?", ws.ctx.workspace.rowId),
    ];
    const { mostRemoved } = await remove();
    expect(mostRemoved).toBe(5_000);
    await remove();
    expect(await left()).toEqual([0, 0]);
  });
});

describe("a deleted link", () => {
  async function makeUsedLink(ws: TestWorkspace) {
    const group = await ws.group();
    const link = await ws.link({ activity_group_id: group.id, channel: "mail" });
    await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: "Changed" } });
    const asset = await createAsset(ws.ctx, {
      link: link.id,
      name: "Poster",
      kind: "poster",
      status: "live",
    });
    await click(ws, link.id, "2026-05-01", { clicks: 3 });
    await scan(ws, asset.id, "2026-05-01", { scans: 2 });
    await updateAsset(ws.ctx, asset.id, { status: "retired" });
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    return { ...link, row: await rowIdOf(link.id), asset };
  }

  it("is deleted permanently after 90 days with its dependent rows; slug, audit trail and totals stay", async () => {
    const ws = await makeWorkspace();
    const link = await makeUsedLink(ws);
    const younger = await makeUsedLink(ws);
    await deletedAt(link.id, Date.now() - 90 * DAY_MS - 1_000);
    await deletedAt(younger.id, Date.now() - 90 * DAY_MS + 60_000);
    const trail = await count("audit_log", "subject = ?", link.id);
    await remove();

    for (const table of ["activity_group_items", "offline_assets"]) {
      expect(await count(table, "link_id = ?", link.row), table).toBe(0);
      expect(await count(table, "link_id = ?", younger.row), table).toBeGreaterThan(0);
    }
    for (const table of ["visit_hours", "visit_days"]) {
      expect(await count(table, "owner_kind = 'link' and owner_id = ?", link.row), table).toBe(0);
      expect(await count(table, "owner_kind = 'link' and owner_id = ?", younger.row), table).toBeGreaterThan(
        0,
      );
    }
    const scans = "owner_kind = 'asset' and owner_id in (select id from offline_assets where public_id = ?)";
    expect(await count("visit_hours", scans, younger.asset.id)).toBe(1);
    expect(await count("links", "id = ?", link.row)).toBe(0);
    expect(await count("links", "id = ?", younger.row)).toBe(1);
    expect(await count("slugs", "key = ? and link_id is null", link.slug)).toBe(1);
    expect(await count("slugs", "asset = ? and link_id is null", link.asset.id)).toBe(1);
    expect(await count("audit_log", "subject = ?", link.id)).toBe(trail);
    expect(await brokenInvariants()).toEqual([]);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("stays in the audit trail, but its changes cannot be reverted", async () => {
    const ws = await makeWorkspace();
    const link = await makeUsedLink(ws);
    await deletedAt(link.id, Date.now() - 91 * DAY_MS);
    await remove();
    const { entries } = await listAudit(ws.ctx, { subject: link.id }, true);
    expect(entries.map(({ action }) => action)).toContain("link.delete");
    expect(entries[0]?.subject).toMatchObject({ id: link.id, name: null, isThere: false });
    const change = entries.find(({ action }) => action === "link.update");
    await expect(previewRevert(ws.ctx, change?.operation ?? "")).rejects.toMatchObject({ status: 404 });
    expect((await ws.call("GET", `/api/v1/links/${link.id}`)).status).toBe(404);
  });

  it("with many clicks and scans takes several runs, its scans before its assets", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const asset = await createAsset(ws.ctx, { name: "Poster", link: link.id });
    const other = await createAsset(ws.ctx, { name: "Sign", link: link.id });
    await env.DB.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 12000)
      insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
        select workspace_id, 'asset', id, ${Date.now()} - n * 3600000, 0, 1, 0, 0 from numbers join offline_assets on public_id = ?
          where n <= 7000
        union all select workspace_id, 'link', id, ${Date.now()} - n * 3600000, 1, 0, 0, 0 from numbers join links on public_id = ?`,
    )
      .bind(asset.id, link.id)
      .run();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    await deletedAt(link.id, Date.now() - 91 * DAY_MS);
    const row = await rowIdOf(link.id);
    const left: number[][] = [];
    for (let round = 0; round < 4; round++) {
      const { queries, mostRemoved } = await remove();
      expect(mostRemoved).toBeLessThanOrEqual(5_000);
      expect(queries).toBeLessThanOrEqual(24);
      left.push([
        await count("visit_hours", "owner_kind = 'link' and owner_id = ?", row),
        await count("offline_assets", "link_id = ?", row),
        await count("links", "id = ?", row),
        await count("slugs", "asset in (?, ?)", asset.id, other.id),
      ]);
    }
    expect(left).toEqual([
      [7_000, 1, 1, 2],
      [2_000, 1, 1, 2],
      [0, 1, 1, 2],
      [0, 0, 0, 2],
    ]);
  });

  it("is deleted with the rows of every table that has its row id", () => {
    const tables = Object.values(schema).filter((table) => table instanceof SQLiteTable);
    const referring = tables.filter((table) => "link_id" in getTableColumns(table));
    const names = (list: readonly SQLiteTable[]) => list.map(getTableName).sort();
    expect(names([...DELETED_WITH_LINK, ...MUST_BE_EMPTY])).toEqual(names(referring));
  });
});
