import { applyD1Migrations, env } from "cloudflare:test";
import { getTableName } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { deleteAllRows, TABLES } from "../../tables";

// Separate databases, with rows that can be compared.

type Value = string | number | null;
type Rows = Record<string, Value>[];

/** An empty database with all tables. */
export async function emptied(db: D1Database): Promise<D1Database> {
  await applyD1Migrations(db, env.TEST_MIGRATIONS);
  await deleteAllRows(db);
  await db.prepare("delete from sqlite_sequence where name <> 'd1_migrations'").run();
  return db;
}

const NAMED: Readonly<Record<string, string>> = {
  workspace_id: "workspaces",
  link_id: "links",
  tag_id: "tags",
  activity_group_id: "activity_groups",
  api_key_id: "api_keys",
  import_id: "imports",
};
/** The table that an owner of counts is in, by kind. */
const OWNERS: Readonly<Record<string, string>> = {
  workspace: "workspaces",
  group: "activity_groups",
  link: "links",
  asset: "offline_assets",
};
/** The table that the key of a total refers to, by kind. */
const COUNTED: Readonly<Record<string, string>> = { tag: "tags", group: "activity_groups" };

/** Every row of every table, with public ids instead of row ids, and the results of searches; sorted. */
export async function contents(db: D1Database): Promise<string[]> {
  const statements = TABLES.map((table) => {
    const columns = getTableConfig(table).columns.map(({ name }) => `"${name}"`);
    return db.prepare(`select ${columns} from ${getTableName(table)}`);
  });
  const answers = await db.batch<Record<string, Value>>([
    ...statements,
    db.prepare(`select rowid as number from link_search where link_search match '"https"'`),
  ]);
  const found = answers.pop()?.results ?? [];
  const rows = new Map<string, Rows>(
    TABLES.map((table, index) => [getTableName(table), answers[index]?.results ?? []]),
  );
  const ids = new Map(
    [...rows].map(([name, those]) => [name, new Map(those.map((row) => [row["id"], row["public_id"]]))]),
  );
  const idOf = (table: string, value: Value | undefined) => ids.get(table)?.get(value) ?? value ?? null;
  const texts = [...rows].flatMap(([table, those]) =>
    those.map((row) => {
      const named = Object.entries(row)
        .filter(([column]) => column !== "id")
        .map(([column, value]) => {
          const named = column === "owner_id" ? OWNERS[String(row["owner_kind"])] : NAMED[column];
          return [column, named === undefined ? value : idOf(named, value)];
        });
      const counted = table === "link_totals" ? COUNTED[String(row["kind"])] : undefined;
      const key = counted === undefined ? [] : [idOf(counted, Number(row["key"]))];
      return JSON.stringify([table, Object.fromEntries(named), ...key]).replace(
        counted === undefined ? "" : /"key":"[^"]*",?/,
        "",
      );
    }),
  );
  const indexed = found.map(({ number }) => {
    const [link, archived] = [Number(number) % 2 ** 32, Math.floor(Number(number) / 2 ** 32) % 2];
    return JSON.stringify(["link_search", idOf("links", link), archived]);
  });
  return [...texts, ...indexed].sort();
}

/** A KV namespace in memory that lists two keys a page. */
export function memoryKv(values: ReadonlyMap<string, string>) {
  const kept = new Map(values);
  const kv = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, value: string) => void kept.set(key, value),
    list: async ({ cursor }: { cursor: string | null }) => {
      const from = Number(cursor ?? 0);
      const keys = [...kept.keys()].slice(from, from + 2).map((name) => ({ name }));
      return { keys, list_complete: from + 2 >= kept.size, cursor: String(from + 2) };
    },
  };
  return { kv: kv as unknown as KVNamespace, kept };
}
