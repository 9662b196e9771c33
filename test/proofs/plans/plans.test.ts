import { env } from "cloudflare:test";
import { getTableName } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { toLiteral } from "../../../src/db/prepared";
import { TABLES } from "../../tables";
import { isOrdered, isPaged, LISTS, readsOfList } from "./lists";
import { type Indexes, readsOf, type Step } from "./plan";
import { READ_WORKSPACES, RULES } from "./rules";
import { ENTRIES, GONE, MISSING, statementsOf, withoutVariant } from "./statements";

// What each statement reads and sorts, by its query plan, is what `rules.ts` and `lists.ts` allow.

const LIST_FILE = "resources/links/list/list-query.";

let indexes: Indexes = new Map();
/** By the name of each statement, and its number where a function makes several. */
const reads = new Map<string, string[]>();

async function plansOf(texts: readonly { sql: string; params: readonly unknown[] }[]): Promise<Step[][]> {
  const answers = await env.DB.batch<Step>(
    texts.map(({ sql, params }) =>
      env.DB.prepare(`explain query plan ${sql}`).bind(...params.map(() => null)),
    ),
  );
  return answers.map(({ results }) => results);
}

async function readIndexes(): Promise<Indexes> {
  const tables = TABLES.map(getTableName);
  const lists = await env.DB.batch<{ name: string; unique: 0 | 1 }>(
    tables.map((table) => env.DB.prepare(`pragma index_list(${table})`)),
  );
  const found = lists.flatMap(({ results }, index) =>
    results.map((row) => ({ ...row, table: tables[index] ?? "" })),
  );
  const columns = await env.DB.batch(found.map(({ name }) => env.DB.prepare(`pragma index_info(${name})`)));
  return new Map(
    found.map(({ name, table, unique }, index) => {
      const { length } = columns[index]?.results ?? [];
      return [name, { table, columns: length, isUnique: unique === 1 }];
    }),
  );
}

beforeAll(async () => {
  indexes = await readIndexes();
  for (const { name, entry } of ENTRIES) {
    const texts = statementsOf(entry).map((statement) => toLiteral(statement));
    const plans = await plansOf(texts).catch((cause: unknown) => {
      throw new Error(`${name} has no plan. With ones it may need a row in QUERIES.`, { cause });
    });
    reads.set(name, [...new Set(plans.flatMap((steps) => readsOf(steps, indexes)))].toSorted());
  }
});

it("every function of the repositories takes ones, or is in QUERIES or in WITHOUT_PLAN", () => {
  expect({ missing: MISSING, gone: GONE }).toEqual({ missing: [], gone: [] });
});

it("a statement finds rows by an equality that few have, or reads and sorts what its rule says", () => {
  const allowed = Object.fromEntries(
    Object.entries(RULES).flatMap(([file, rules]) =>
      Object.entries(rules).map(([name, [, ...own]]) => [`${file}.${name}`, own.toSorted()]),
    ),
  );
  const found: Record<string, string[]> = {};
  for (const [name, all] of reads) {
    if (LISTS.has(name.slice(LIST_FILE.length))) continue;
    const own = READ_WORKSPACES.has(withoutVariant(name))
      ? all.filter((read) => /^(scan|sort) /.test(read))
      : all;
    const key = name in allowed ? name : withoutVariant(name);
    if (own.length > 0 || key in allowed)
      found[key] = [...new Set([...(found[key] ?? []), ...own])].toSorted();
  }
  expect(found).toEqual(allowed);
});

describe("a list of links", () => {
  const lists = [...LISTS].map(([name, list]) => ({ name, list }));
  const readsIn = (name: string) => reads.get(`${LIST_FILE}${name}`) ?? [];

  it("reads the index of its plan, and no other", () => {
    const wrong = lists.flatMap(({ name, list }) => {
      const allowed = readsOfList(list);
      const own = readsIn(name).filter((read) => !read.startsWith("sort "));
      const isAllowed = own.every((read) => allowed.some((begin) => read.startsWith(begin)));
      const isNeeded = allowed.every((begin) => own.some((read) => read.startsWith(begin)));
      return isAllowed && isNeeded ? [] : [{ name, own, allowed }];
    });
    expect(wrong).toEqual([]);
  });

  // Other pages sort what their index finds: in the web application `withLimit` bounds that.
  it("with its index's order sorts nothing, and begins after the page before", () => {
    const paged = lists.filter(({ list }) => isPaged(list));
    expect(paged.length).toBeGreaterThan(50);
    const sorted = paged.filter(({ name }) => readsIn(name).some((read) => read.startsWith("sort ")));
    const fromStart = paged.filter(
      ({ name, list }) => list.after !== undefined && !readsIn(name).every((read) => /[<>]\)$/.test(read)),
    );
    expect({ sorted, fromStart }).toEqual({ sorted: [], fromStart: [] });
  });

  it("by a time of creation reads the links of that time in an index that has their order", () => {
    const timed = lists.filter(({ list: { plan } }) => plan.filter.created && isOrdered(plan));
    expect(timed.length).toBeGreaterThan(10);
    for (const { name } of timed)
      expect(readsIn(name), name).toContainEqual(expect.stringMatching(/public_id>, (link_)?public_id<\)$/));
  });
});

it.each([
  ["select * from links where public_id = 'l'", []],
  ["select * from links where id in (1, 2) order by note", []],
  ["select * from tags where workspace_id = 1 order by colour", []],
  [
    "select 1 from link_search where link_search match 'sale' and rowid >= 1 and rowid < 2",
    ["link_search(match, rowid>, rowid<)"],
  ],
  ["select 1 from link_search where link_search match 'sale'", ["scan link_search"]],
  ["select * from links order by note", ["scan links", "sort links"]],
  ["select distinct host from destination_health", ["scan destination_health", "sort destination_health"]],
  [
    "select * from audit_log where workspace_id = 1 and +subject = 's'",
    ["audit_log_workspace(workspace_id)"],
  ],
  [
    "select * from links where workspace_id = 1 and activity_group_id = 2 and deleted_at is null",
    ["links_list_group(workspace_id, activity_group_id)"],
  ],
  [
    "select * from slugs where push_at < 1 order by created_at",
    ["slugs_push_at(push_at<)", "sort slugs_push_at"],
  ],
  [
    "select * from links as own cross join slugs on slugs.created_at = own.ends_at",
    ["scan own", "scan slugs"],
  ],
  ["select max(id) from links", []],
])("%s reads %j", async (sql, expected) => {
  const [steps = []] = await plansOf([{ sql, params: [] }]);
  expect(readsOf(steps, indexes)).toEqual(expected);
});
