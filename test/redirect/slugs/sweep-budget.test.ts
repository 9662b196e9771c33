import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { createDatabase } from "../../../src/db/client";
import { newMeter } from "../../../src/db/meter";
import { updatePushedSlugs } from "../../../src/redirect/slugs/push-queue";
import { cacheStatus } from "../../../src/redirect/slugs/status";
import { sweep } from "../../../src/redirect/slugs/sync";
import { withBatch, withKv } from "../../faulty";
import { makeWorkspace, serviceContext } from "../../harness";
import { countClaims } from "./fill";

// The cost of a sweep in statements, rows and writes, and its order.

beforeEach(async () => {
  await env.DB.prepare("update slugs set push_at = null where push_at is not null").run();
});

/** A workspace with `count` slugs due at the same time. */
async function workspaceWithDue(count: number, pushAt = 1) {
  const ws = await makeWorkspace();
  await env.DB.prepare(
    `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?)
     insert into slugs (key, workspace_id, rev, pushed_rev, push_at, created_at)
     select ? || printf('-%06d', i), ?, 2, 1, ?, 0 from n`,
  )
    .bind(count, ws.slug, ws.ctx.workspace.rowId, pushAt)
    .run();
  await countClaims();
  return ws;
}

/** 950 workspaces with one queued slug each, at an SQL expression's time. */
async function queueManyWorkspaces(pushAt: string) {
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 950)
     insert or ignore into workspaces (public_id, name, slug, created_at, updated_at)
     select 'many' || i, 'Many', 'many-' || i, 0, 0 from n`,
  ).run();
  await env.DB.prepare(
    `insert or replace into slugs (key, workspace_id, rev, pushed_rev, push_at, created_at)
     select slug, id, 2, 1, ${pushAt}, 0 from workspaces where slug like 'many-%'`,
  ).run();
  await countClaims();
}

/** Runs a sweep, and records its statements, rows read and keys written per round. */
function watchedSweep(put: (key: string) => Promise<void> = async () => undefined) {
  const meter = newMeter();
  const seen = { statements: 0, chunks: [] as string[][] };
  const { DB } = withBatch((send) => (statements) => {
    seen.statements += statements.length;
    seen.chunks.push([]);
    return send(statements);
  });
  const { KV } = withKv({
    put: (key: string) => {
      seen.chunks.at(-1)?.push(key);
      return put(key);
    },
  });
  const run = () => sweep({ db: createDatabase(DB, meter), kv: KV, now: Date.now });
  const chunks = () => seen.chunks.filter((keys) => keys.length > 0);
  return { run, meter, seen, chunks };
}

describe("a sweep", () => {
  it("takes at most 30 statements and 900 pushes, and reads no more rows if more are due", async () => {
    const rowsRead: number[] = [];
    for (const due of [2_000, 10_000]) {
      await workspaceWithDue(due);
      const { run, meter, seen, chunks } = watchedSweep();
      expect(await run()).toEqual({ pushed: 900, failed: 0 });
      expect(seen.statements).toBeLessThanOrEqual(30);
      expect(chunks()[0]).toHaveLength(100);
      rowsRead.push(meter.rowsRead);
    }
    const [few = 0, many = 0] = rowsRead;
    expect(few).toBeLessThan(900 * 12);
    expect(many).toBeLessThan(few * 1.05);
  });

  it("pushes a workspace's only slug in the first round, despite another's 5,000", async () => {
    const big = await workspaceWithDue(5_000);
    const small = await workspaceWithDue(1, 2);
    const { run, chunks } = watchedSweep();
    await run();
    const [first] = chunks();
    expect(first).toContain(`${small.slug}-000000`);
    expect(first?.filter((key) => key.startsWith(big.slug))).toHaveLength(99);
  });

  it("has places for the slugs of every workspace, despite another's 5,000 older ones", async () => {
    await workspaceWithDue(5_000);
    const small = await workspaceWithDue(500, 2);
    const { run, chunks } = watchedSweep();
    expect(await run()).toEqual({ pushed: 900, failed: 0 });
    expect(
      chunks()
        .flat()
        .filter((key) => key.startsWith(small.slug)),
    ).toHaveLength(225);
  });

  it("shares its places between the workspaces with due slugs, although hundreds wait for their second push", async () => {
    await queueManyWorkspaces(String(Date.now() + 3_600_000));
    await workspaceWithDue(3_000);
    const small = await workspaceWithDue(100, 2);
    const { run, chunks } = watchedSweep();
    await run();
    const pushed = chunks().flat();
    expect(pushed.filter((key) => key.startsWith(small.slug))).toHaveLength(100);
  });

  it("pushes the oldest slug of all, although hundreds of workspaces have due ones", async () => {
    await queueManyWorkspaces("1000 - id % 1000");
    const last = await workspaceWithDue(1, 0);
    const { run, chunks } = watchedSweep();
    expect(await run()).toEqual({ pushed: 900, failed: 0 });
    expect(chunks().flat()).toContain(`${last.slug}-000000`);
  });
});

const READ_AT = 1_000;
const SECOND_AT = 36_000;

it.each([
  ["queues a second push after the first one of a revision", [2, 1, 5], 2, [2, 2, SECOND_AT]],
  ["ends with the second push", [2, 2, 900], 2, [2, 2, null]],
  ["keeps a second push that was not due at the read", [2, 2, 1_001], 2, [2, 2, 1_001]],
  ["ignores a row that has changed since its read", [3, 1, 5], 2, [3, 1, 5]],
  ["ignores a row whose change was pushed meanwhile", [3, 3, 900], 2, [3, 3, 900]],
])(
  "recording the pushes of a round %s",
  async (_, [rev, pushedRev, pushAt], pushed, [newRev, newPushedRev, newPushAt]) => {
    const ws = await makeWorkspace();
    const keys = ["a", "b", "c", "other"].map((name) => `${ws.slug}-${name}`);
    await env.DB.batch(
      keys.map((key) =>
        env.DB.prepare(
          "insert into slugs (key, workspace_id, rev, pushed_rev, push_at, created_at) values (?, ?, ?, ?, ?, 0)",
        ).bind(...[key, ws.ctx.workspace.rowId, rev, pushedRev, pushAt]),
      ),
    );
    await countClaims();
    await serviceContext().db.writeOnce(
      updatePushedSlugs(
        keys.slice(0, 3).map((key) => [key, pushed]),
        READ_AT,
        SECOND_AT,
      ),
    );
    const { results } = await env.DB.prepare(
      "select rev, pushed_rev, push_at from slugs where workspace_id = ? order by key",
    )
      .bind(ws.ctx.workspace.rowId)
      .all();
    const after = { rev: newRev, pushed_rev: newPushedRev, push_at: newPushAt };
    expect(results).toEqual([after, after, after, { rev, pushed_rev: pushedRev, push_at: pushAt }]);
  },
);

it("the cache status counts up to 1,000, and reads no more rows if more are due", async () => {
  await workspaceWithDue(5_000);
  const meter = newMeter();
  const status = await cacheStatus({ db: createDatabase(env.DB, meter), now: Date.now });
  expect(status).toEqual({ due: 1_000, at_least: true, oldest_due_at: new Date(1).toISOString() });
  expect(meter.rowsRead).toBeLessThan(2_100);
});
