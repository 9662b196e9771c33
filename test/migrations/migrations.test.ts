import { applyD1Migrations, env } from "cloudflare:test";
import { getTableName } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, it } from "vitest";
import { TABLES } from "../tables";

const db = env.MIGRATED;

const names = async (type: string): Promise<string[]> => {
  const { results } = await db
    .prepare(
      "select name from sqlite_master where type = ? and name not like 'sqlite%' and name not like '_cf%' and name not like 'link_search%' order by name",
    )
    .bind(type)
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => name !== "d1_migrations");
};

const sqlOf = async (type: string, name: string): Promise<string> =>
  (await db
    .prepare("select sql from sqlite_master where type = ? and name = ?")
    .bind(type, name)
    .first<string>("sql")) ?? "";

beforeAll(() => applyD1Migrations(db, env.TEST_MIGRATIONS));

it("the migrations make the tables and indexes of the schema, and no trigger, view or other virtual table", async () => {
  expect(await names("table")).toEqual(TABLES.map(getTableName).sort());
  const indexes = TABLES.flatMap((table) => {
    const { name, columns, indexes } = getTableConfig(table);
    return [
      ...columns.filter(({ isUnique }) => isUnique).map((column) => `${name}_${column.name}_unique`),
      ...indexes.map(({ config }) => config.name),
    ];
  });
  expect(await names("index")).toEqual(indexes.sort());
  expect(await names("trigger")).toEqual([]);
  expect(await names("view")).toEqual([]);
  expect(await sqlOf("table", "link_search")).toContain("VIRTUAL TABLE");
});

it("the migrations make the columns and references of the schema", async () => {
  for (const table of TABLES) {
    const { name, columns, foreignKeys } = getTableConfig(table);
    const { results: made } = await db
      .prepare(`select name, lower(type) as type, "notnull" as required, dflt_value is not null as has_default
        from pragma_table_xinfo(?)`)
      .bind(name)
      .all<{ name: string }>();
    const described = columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      required: Number(column.notNull),
      has_default: Number(column.hasDefault && column.default !== undefined),
    }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect({ name, columns: made.sort(byName) }).toEqual({ name, columns: described.sort(byName) });
    const references = await db
      .prepare("select count(distinct id) as n from pragma_foreign_key_list(?)")
      .bind(name)
      .first("n");
    expect([name, references]).toEqual([name, foreignKeys.length]);
  }
});
