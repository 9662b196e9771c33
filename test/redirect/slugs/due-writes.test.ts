import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { createDatabase } from "../../../src/db/client";
import { newMeter } from "../../../src/db/meter";
import { cacheStatus } from "../../../src/redirect/slugs/cache-status";
import { writeDueSlugs } from "../../../src/redirect/slugs/kv-writer";
import { MAX_RANK } from "../../../src/redirect/slugs/statements/marks";
import { updateWritten } from "../../../src/redirect/slugs/statements/outbox";
import { openWide } from "../../../src/redirect/slugs/statements/wide";
import { kvFails, withBatch, withKv } from "../../faulty";
import { makeWorkspace, serviceContext } from "../../harness";
import { runSql, selectValue } from "../../sql";
import { countClaims } from "./fill";

// The cost of a run of the job in statements, rows and writes.

beforeEach(async () => {
  await env.DB.prepare("update slugs set push_at = null, doubt_until = null").run();
});

const OPEN = 1e14;

/** A workspace with `count` slugs due with the rank of a change in bulk. */
async function workspaceWithDue(count: number, pushAt = 3) {
  const ws = await makeWorkspace();
  await env.DB.prepare(
    `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?)
     insert into slugs (key, workspace_id, rev, push_at, doubt_until, created_at)
     select ? || printf('-%06d', i), ?, 2, ?, ?, 0 from n`,
  )
    .bind(count, ws.slug, ws.ctx.workspace.rowId, pushAt, OPEN + 1)
    .run();
  await countClaims();
  return ws;
}

/** Runs the job, and records its statements, rows read and names written per chunk. */
function watchedSweep(put: (name: string) => Promise<void> = async () => undefined) {
  const meter = newMeter();
  const seen = { statements: 0, deletes: 0, chunks: [] as string[][] };
  const { DB } = withBatch((send) => (statements) => {
    seen.statements += statements.length;
    seen.chunks.push([]);
    return send(statements);
  });
  const { KV } = withKv({
    put: (name: string) => {
      seen.chunks.at(-1)?.push(name);
      return put(name);
    },
    delete: () => {
      seen.deletes++;
      return put("");
    },
  });
  const run = () => writeDueSlugs({ ...serviceContext(), db: createDatabase(DB, meter), kv: KV });
  const chunks = () => seen.chunks.filter((names) => names.length > 0);
  return { run, meter, seen, chunks };
}

describe("a run of the job", () => {
  it("takes at most 30 statements and 800 writes, and reads no more rows to find them if more are due", async () => {
    const rowsRead: number[] = [];
    for (const due of [2_000, 10_000]) {
      await workspaceWithDue(due);
      const { run, meter, seen, chunks } = watchedSweep();
      expect(await run()).toEqual({ pushed: 800, failed: 0 });
      expect(seen.statements).toBeLessThanOrEqual(30);
      expect(chunks()[0]).toHaveLength(100);
      rowsRead.push(meter.rowsRead);
    }
    const [few = 0, many = 0] = rowsRead;
    expect(few).toBeLessThan(800 * 20);
    expect(many).toBeLessThan(few * 1.3);
  });

  it("writes a single edit before another's 5,000", async () => {
    const big = await workspaceWithDue(5_000);
    const small = await workspaceWithDue(1, 1);
    const { run, chunks } = watchedSweep();
    await run();
    const [first] = chunks();
    expect(first?.[0]).toBe(`1:${small.slug}-000000`);
    expect(first?.filter((name) => name.startsWith(`1:${big.slug}`))).toHaveLength(99);
  });

  it("writes a single edit of another while it marks a domain with 20,000 slugs, on the free plan", async () => {
    const small = await workspaceWithDue(1, 1);
    const big = await makeWorkspace();
    const host = `go.${big.slug}.example`;
    await runSql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into slugs (key, workspace_id, created_at) select ${host} || '/' || i, ${big}, 0 from n`;
    const meter = newMeter();
    const db = { ...createDatabase(env.DB, meter), statementsLeft: () => 50 - meter.statements };
    await db.writeGuarded([openWide("domain", host, Date.now())]);
    await writeDueSlugs({ ...serviceContext(), db });
    expect(await selectValue`select push_at from slugs where workspace_id = ${small}`).toBeGreaterThan(
      MAX_RANK,
    );
    await runSql`delete from slugs where domain = ${host}`;
    await runSql`delete from doubts`;
  });

  it("ends where KV refuses a whole chunk, so that a day of refusals costs little", async () => {
    await workspaceWithDue(500);
    const { run, meter, seen, chunks } = watchedSweep(kvFails);
    expect(await run()).toEqual({ pushed: 0, failed: 100 });
    expect([chunks().flat().length, seen.deletes]).toEqual([100, 100]);
    expect(meter.rowsRead).toBeLessThan(4_000);
  });
});

const READ_AT = 100_000;
const SECOND_AT = 145_000;
const DOUBT_UNTIL = 220_000;

it.each([
  ["queues a second write after the first one of a change", [2, 0, OPEN], [SECOND_AT, OPEN]],
  ["whatever its rank", [2, 3, OPEN], [SECOND_AT, OPEN]],
  ["ends the doubt two minutes after the second write", [2, 90_000, OPEN], [null, DOUBT_UNTIL]],
  ["keeps a second write that was not due at the read", [2, 100_001, OPEN], [100_001, OPEN]],
  ["ignores a row that has changed since its read", [3, 1, OPEN], [1, OPEN]],
  ["ignores a row that is written twice already", [2, null, 110_000], [null, 110_000]],
] as const)("the record of writes %s", async (_, [rev, pushAt, doubtUntil], [newPushAt, newDoubtUntil]) => {
  const ws = await makeWorkspace();
  const keys = ["a", "b", "c", "other"].map((name) => `${ws.slug}-${name}`);
  await env.DB.batch(
    keys.map((key) =>
      env.DB.prepare(
        "insert into slugs (key, workspace_id, rev, push_at, doubt_until, created_at) values (?, ?, ?, ?, ?, 0)",
      ).bind(...[key, ws.ctx.workspace.rowId, rev, pushAt, doubtUntil]),
    ),
  );
  await countClaims();
  await serviceContext().db.writeGuarded([
    updateWritten(
      keys.slice(0, 3).map((key) => [key, 2] as const),
      { readAt: READ_AT, secondAt: SECOND_AT, doubtUntil: DOUBT_UNTIL },
    ),
  ]);
  const { results } = await env.DB.prepare(
    "select rev, push_at, doubt_until from slugs where workspace_id = ? order by key",
  )
    .bind(ws.ctx.workspace.rowId)
    .all();
  const after = { rev, push_at: newPushAt, doubt_until: newDoubtUntil };
  expect(results).toEqual([after, after, after, { rev, push_at: pushAt, doubt_until: doubtUntil }]);
});

it("the cache status counts up to 1,000, and reads no more rows if more are due", async () => {
  await workspaceWithDue(5_000);
  const meter = newMeter();
  const status = await cacheStatus({ db: createDatabase(env.DB, meter), now: Date.now });
  expect(status).toMatchObject({ due: 1_000, at_least: true, oldest_due_at: new Date(1).toISOString() });
  expect(meter.rowsRead).toBeLessThan(2_100);
});
