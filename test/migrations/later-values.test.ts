import { applyD1Migrations, env } from "cloudflare:test";
import { getTableName } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, it, vi } from "vitest";
import { createApiKey } from "../../src/access/keys";
import type { Counts } from "../../src/analytics/visit-buffer";
import { writeCounts } from "../../src/analytics/write-visits";
import { restoreFrom } from "../../src/operations/backup/restore";
import { recountWorkspaces } from "../../src/operations/consistency/doctor";
import { runSchedule } from "../../src/operations/schedule";
import { getWorkspace } from "../../src/resources/workspaces/workspace-service";
import { signInAs } from "../console/browser";
import { API, send, serviceContext } from "../harness";
import { backUp, sourceOf } from "../operations/backup/backups";
import { emptied } from "../operations/backup/database";
import { TABLES } from "../tables";
import { fillEveryTable, keptEnv } from "./rows";

// While two releases run, the later one stores values that this one does not know: kinds, types, statuses, roles,
// dimensions, owners. A row of each column that has a list of values gets one here.

const LATER = "later_value";

const LISTED = TABLES.flatMap((table) =>
  getTableConfig(table)
    .columns.filter(({ enumValues }) => (enumValues?.length ?? 0) > 0)
    .map((column) => ({ table: getTableName(table), column: column.name })),
);

/** Where it cannot be any row. */
const WHERE: Readonly<Record<string, string>> = {
  "activity_groups.status": "status <> 'archived'",
  "activity_groups.status_before_archive": "status = 'archived'",
  "links.taken_down_by": "taken_down_by is not null",
};

/** Of tables without row ids. */
const KEYS: Readonly<Record<string, string>> = {
  visit_days: "owner_kind, owner_id, day",
  visit_hours: "owner_kind, owner_id, hour",
};

const CRONS = ["* * * * *", "*/2 * * * *", "1-59/2 * * * *", "*/3 * * * *", "17 3 * * *"];

const environment = keptEnv();
const ctx = serviceContext(environment);
const keys = { full: "", later: "" };

async function call(path: string, method = "GET", key = keys.full, body?: object) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await send(new Request(`${API}/api/v1/${path}`, { method, headers, ...init }), environment);
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
  return { status: answer.status, body: (await answer.json()) as any };
}

const own = async () => ({ ...ctx, workspace: await getWorkspace(ctx, "kept") });

beforeAll(async () => {
  await applyD1Migrations(env.KEPT, env.TEST_MIGRATIONS);
  await emptied(env.KEPT);
  keys.full = await fillEveryTable();
  keys.later = (await createApiKey(await own(), { name: "later" })).key;
  await env.KEPT.prepare(`update api_keys set access = '${LATER}' where name = 'later'`).run();
  for (const { table, column } of LISTED) {
    const where = WHERE[`${table}.${column}`] ?? "true";
    const key = KEYS[table] ?? "rowid";
    await env.KEPT.prepare(
      `update ${table} set ${column} = ?1 where (${key}) = (select ${key} from ${table} where ${where} limit 1)`,
    )
      .bind(LATER)
      .run()
      .catch((cause: unknown) => {
        throw new Error(`${table}.${column} takes no other value`, { cause });
      });
  }
});

it("every list of values may grow: the database takes another one in each column", () => {
  expect(LISTED.length).toBe(20);
  const texts = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries).join("\n");
  expect(texts.match(/CHECK\([^\n]* in \([^\n]*/g)).toBeNull();
});

it("every page of the application is shown", async () => {
  const browser = await signInAs({ ctx: await own() }, "owner", environment);
  const seen = new Set(["/app/kept"]);
  const shown: string[] = [];
  const failed: string[] = [];
  for (const path of seen) {
    const { status, text } = await browser.get(path);
    if (status >= 500) failed.push(path);
    if (status === 200) shown.push(path);
    // Pages of another range or order are the same page.
    for (const [, to = ""] of text.matchAll(/(?:href|action)="(\/app\/kept[^"?#]*)/g)) seen.add(to);
  }
  expect(failed).toEqual([]);
  expect(shown.length).toBeGreaterThan(60);
  const text = async (path: string) => (await browser.get(`/app/kept/${path}`)).text;
  expect(await text("members")).toContain(">Other<");
  expect(await text("assets")).toContain("Other");
  expect(await text("keys")).toContain("Other");
  expect(await text("domains")).toContain("Other");
});

it("the interface shows only values that its document has", async () => {
  const [groups, links] = [await call("activity-groups"), await call("links?status=all&per_page=100")];
  expect(groups.body.activity_groups).toMatchObject([
    {},
    { name: "spring", type: "other", status: "active" },
  ]);
  expect(links.status).toBe(200);
  expect(JSON.stringify([groups.body, links.body])).not.toContain(LATER);
});

it("a key with an access that is not known reads, and changes nothing", async () => {
  expect((await call("tags", "GET", keys.later)).status).toBe(200);
  expect((await call("tags", "POST", keys.later, { name: "x" })).status).toBe(403);
});

it("counts of a dimension that is not known are added up, not dropped", async () => {
  const [link] = (await call("links")).body.links;
  const day = { link: link.id, day: 86_400_000, value: "Firefox", visits: 5 };
  const counts = {
    hours: [
      { link: link.id, asset: null, hour: 86_400_000, clicks: 5, scans: 0, bots: 0, after_end: 0, last: 1 },
    ],
    days: [{ ...day, dimension: "browser" }],
  } as unknown as Counts;
  await writeCounts(ctx, counts);
  const { results } = await env.KEPT.prepare(
    "select visits, origins from visit_days where owner_kind = 'link' and origins like '%browser%'",
  ).all();
  expect(results).toEqual([{ visits: 5, origins: '{"browser":{"Firefox":5}}' }]);
});

it("the schedule runs, the doctor leaves totals of another kind alone, and a backup is restored", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null, { status: 404 }));
  for (const cron of CRONS) await runSchedule(cron, environment);
  vi.restoreAllMocks();
  await recountWorkspaces(ctx);
  const kinds = await env.KEPT.prepare("select count(*) as n from link_totals where kind = ?")
    .bind(LATER)
    .first("n");
  expect(kinds).toBe(1);
  const { lines } = await backUp(env.KEPT);
  await emptied(env.KEPT);
  expect((await restoreFrom(ctx, sourceOf(lines))).workspaces).toEqual(["kept", "gone"]);
});
