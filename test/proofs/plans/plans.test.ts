import { env } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { prepare, type Statement } from "../../../src/db/prepared";
import { ENTRIES, GONE, MISSING, statementsOf, withoutVariant } from "./statements";

// The query plan of every query. If a plan should change, run this file with `-u` and commit plans.txt.

/** The tables that a function may scan completely, and the reason. */
const SCANS = {
  "operations/alerts/repository.selectLastAlerts: alerts": "the operator's list, which ends after 100 rows",
  "operations/alerts/repository.selectNearlyFull: workspaces":
    "a partial index of the workspaces near their limit",
  "operations/backup/repository.selectChangedRows: activity_group_items":
    "once per backup, if something changed meanwhile",
  "operations/backup/repository.selectChangedRows: slugs": "once per backup, if something changed meanwhile",
  "operations/backup/repository.selectChangedRows: domains":
    "once per backup, if something changed meanwhile",
  "operations/backup/restore-repository.insertRows: alerts": "the alerts of 30 days, at a restore",
  "analytics/queue-repository.selectQueueChunk: visit_queue": "the first batches that wait, up to 20,000",
  "analytics/queue-repository.selectQueueState: visit_queue": "the first batch that waits",
  "resources/destinations/repository.selectBrokenLinks: destination_health":
    "the operator's list: the broken ones, up to 1,001",
  "resources/domains/repository.selectLeastChecked: domains": "once a day, in the order of its partial index",
  "resources/links/list/query.countLinks: destination_health": "the broken ones, up to 2,000",
  "resources/links/list/query.selectLinkPage: destination_health": "the broken ones, up to 2,000",
  "resources/overview/repository.insertActiveLinks: workspaces":
    "once a day, until 5,000 workspaces lack the day",
  "resources/overview/repository.selectLinksWithBrokenDestination: destination_health":
    "the broken ones, up to 2,000",
  "resources/destinations/repository.selectAllBlockedHosts: blocked_hosts": "the operator's complete list",
  "operations/health/repository.claimDomains: workspaces": "one row per workspace, every three minutes",
  "operations/moderation/repository.queueMissingChecks: links": "once a day, if destinations are checked",
  "access/statements.selectWorkspaces: workspaces": "the operator's complete list",
};

/** A plan's steps, indented below their parent. Omits the numbers of subqueries, which any edit changes. */
async function planOf(statement: Statement): Promise<string[]> {
  const { sql: text, params } = prepare(statement).getQuery();
  const { results } = await env.DB.prepare(`explain query plan ${text}`)
    .bind(...params.map(() => null))
    .all<{ id: number; parent: number; detail: string }>();
  const depths = new Map<number, number>();
  return results.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? 0) + 1;
    depths.set(id, depth);
    return `${"  ".repeat(depth)}${detail.replace(/(subquery)[ -]\d+/i, "$1")}`;
  });
}

/** The aliases of the tables that a plan scans completely, except its own temporary tables. */
function scansIn(plan: readonly string[]): string[] {
  const made = plan.map((step) => /(?:MATERIALIZE|CO-ROUTINE) (\S+)/.exec(step)?.[1]);
  return plan
    .filter((step) => !/ VIRTUAL TABLE | CONSTANT ROW$| VALUES CLAUSE$/.test(step))
    .flatMap((step) => /SCAN (\S+)/.exec(step)?.[1] ?? [])
    .filter((table) => !made.includes(table));
}

const plans: { name: string; steps: string[] }[] = [];

beforeAll(async () => {
  for (const { name, entry } of ENTRIES) {
    const statements = statementsOf(entry);
    for (const [index, statement] of statements.entries()) {
      const nth = statements.length === 1 ? "" : ` ${index + 1}`;
      const steps = await planOf(statement).catch((cause: unknown) => {
        throw new Error(`${name} has no plan. With ones it may need a row in QUERIES.`, { cause });
      });
      plans.push({ name: `${name}${nth}`, steps });
    }
  }
});

it("every function of the repositories takes ones, or is in QUERIES or in WITHOUT_PLAN", () => {
  expect({ missing: MISSING, gone: GONE }).toEqual({ missing: [], gone: [] });
});

it("every query has the plan in plans.txt", async () => {
  const text = plans.flatMap(({ name, steps }) => [name, ...steps]).join("\n");
  await expect(`${text}\n`).toMatchFileSnapshot("plans.txt");
});

it("no query scans a whole table, except the allowed ones", () => {
  const scans = plans.flatMap(({ name, steps }) =>
    scansIn(steps).map((table) => `${withoutVariant(name)}: ${table}`),
  );
  expect([...new Set(scans)].sort()).toEqual(Object.keys(SCANS).sort());
});
