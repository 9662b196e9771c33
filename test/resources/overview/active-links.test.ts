import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDatabase } from "../../../src/db/client";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { runSchedule } from "../../../src/operations/schedule";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { recordActiveLinks } from "../../../src/resources/overview/active-links";
import { makeWorkspace, type TestWorkspace, testEnv } from "../../harness";
import { runSql, selectRows, selectValue } from "../../sql";

const CHUNK = 5_000;
/** Noon. */
const NOW = Date.UTC(2026, 4, 10, 12);
const TODAY = NOW - 12 * HOUR_MS;

/** Runs the job and returns its number of statements, of which it may send some. */
async function record({ now = NOW, most = Number.POSITIVE_INFINITY } = {}): Promise<number> {
  let statements = 0;
  const batch = (all: D1PreparedStatement[]) => {
    statements += all.length;
    return env.DB.batch(all);
  };
  const db = createDatabase({ prepare: (text) => env.DB.prepare(text), batch: batch as D1Database["batch"] });
  await recordActiveLinks({ db: { ...db, statementsLeft: () => most - statements }, now: () => now });
  return statements;
}

const rowsOf = (ws: TestWorkspace) =>
  selectRows`select day, active_links from active_link_days where workspace_id = ${ws} order by day`;

const countAll = () => selectValue<number>`select count(*) as n from active_link_days`;

const store = (ws: TestWorkspace, day: number, links: number) =>
  runSql`insert into active_link_days (workspace_id, day, active_links) values (${ws}, ${day}, ${links})`;

const empty = () => runSql`delete from active_link_days`;
beforeEach(empty);
afterEach(empty);

const MANY = "public_id like 'many-%'";

async function withManyWorkspaces(count: number, test: () => Promise<void>): Promise<void> {
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  await env.DB.prepare(
    `insert into workspaces (public_id, name, slug, created_at, updated_at)
      ${numbers} select 'many-' || n, 'Many', 'many-' || n, 0, 0 from numbers`,
  ).run();
  try {
    await test();
  } finally {
    await empty();
    await env.DB.prepare(`delete from workspaces where ${MANY}`).run();
  }
}

describe("the daily job", () => {
  it("stores the number of active links of every workspace, one row a day", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    await ws.link();
    const archived = await ws.link();
    await ws.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    await deleteLink(ws.ctx, (await ws.link()).id);
    await runSchedule("17 3 * * *", testEnv);
    const today = Date.now() - (Date.now() % DAY_MS);
    expect(await rowsOf(ws)).toEqual([{ day: today, active_links: 1 }]);
    expect(await rowsOf(other)).toEqual([{ day: today, active_links: 0 }]);
  });

  it("keeps the first number of a day, also if it runs again or two runs overlap", async () => {
    const ws = await makeWorkspace();
    await ws.link();
    await Promise.all([record(), record()]);
    await ws.link();
    expect(await record({ now: NOW + HOUR_MS })).toBe(2);
    expect(await rowsOf(ws)).toEqual([{ day: TODAY, active_links: 1 }]);
    await record({ now: NOW + DAY_MS });
    expect(await rowsOf(ws)).toEqual([
      { day: TODAY, active_links: 1 },
      { day: TODAY + DAY_MS, active_links: 2 },
    ]);
  });

  it("deletes rows after 400 days", async () => {
    const ws = await makeWorkspace();
    await store(ws, TODAY - 401 * DAY_MS, 1);
    await store(ws, TODAY - 400 * DAY_MS, 2);
    await record();
    expect(await rowsOf(ws)).toEqual([
      { day: TODAY - 400 * DAY_MS, active_links: 2 },
      { day: TODAY, active_links: 0 },
    ]);
  });

  it("takes chunks of 5,000 workspaces and of 5,000 old rows while it may send statements, and goes on in the next run", async () => {
    const before = (await selectValue<number>`select count(*) as n from workspaces`) ?? 0;
    const more = 4 * CHUNK + 1;
    await withManyWorkspaces(more, async () => {
      await env.DB.prepare(
        `insert into active_link_days select id, 0, 0 from workspaces where ${MANY}`,
      ).run();
      expect(await record({ most: 9 })).toBe(8);
      expect(await countAll()).toBe(4 * CHUNK + 1);
      expect(await record()).toBe(2);
      expect(await countAll()).toBe(before + more);
    });
  });
});
