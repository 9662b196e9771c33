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

// `made.node.test.ts` holds what each table has to the schema.
it("the migration makes the tables and indexes of the schema, and no trigger, view or other virtual table", async () => {
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
