import { applyD1Migrations, env } from "cloudflare:test";
import { getTableName } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, it } from "vitest";
import { TABLES } from "../tables";

const db = env.MIGRATED;
const dialect = new SQLiteSyncDialect();

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

it.each(TABLES.map((table) => [getTableName(table), getTableConfig(table)] as const))(
  "%s has the columns, keys, references, conditions and indexes of the schema",
  async (name, config) => {
    const { results: columns } = await db.prepare(`select * from pragma_table_xinfo('${name}')`).all();
    const keys = [
      ...config.columns.filter(({ primary }) => primary),
      ...config.primaryKeys.flatMap(({ columns }) => columns),
    ].map((column) => column.name);
    expect(columns).toEqual(
      config.columns.map((column, cid) => ({
        cid,
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        notnull: Number(column.notNull),
        dflt_value:
          typeof column.default === "string" ? `'${column.default}'` : (column.default?.toString() ?? null),
        pk: keys.indexOf(column.name) + 1,
        hidden: column.generated === undefined ? 0 : 2,
      })),
    );

    const { results: references } = await db
      .prepare(
        `select "table", "from", "to", on_update, on_delete from pragma_foreign_key_list('${name}') order by 1, 2`,
      )
      .all();
    const expected = config.foreignKeys.flatMap((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference();
      return columns.map((column, at) => ({
        table: getTableName(foreignTable),
        from: column.name,
        to: foreignColumns[at]?.name,
        on_update: "NO ACTION",
        on_delete: "NO ACTION",
      }));
    });
    const keyOf = (row: Record<string, unknown>) => `${row["table"]} ${row["from"]}`;
    expect(references.sort((a, b) => keyOf(a).localeCompare(keyOf(b)))).toEqual(
      expected.sort((a, b) => keyOf(a).localeCompare(keyOf(b))),
    );

    const table = await sqlOf("table", name);
    for (const { name: condition, value } of config.checks) {
      expect(table).toContain(`CONSTRAINT "${condition}" CHECK(${dialect.sqlToQuery(value).sql})`);
    }
    expect(table.match(/ CHECK\(/g) ?? []).toHaveLength(config.checks.length);
    for (const column of config.columns) {
      if (column.generated !== undefined)
        expect(table).toContain(`(${dialect.sqlToQuery(column.generated.as as never).sql}) VIRTUAL`);
    }

    for (const { config: index } of config.indexes) {
      const on = index.columns.map((column) => `\`${"name" in column ? column.name : ""}\``).join(",");
      const where = index.where === undefined ? "" : ` WHERE ${dialect.sqlToQuery(index.where).sql}`;
      expect(await sqlOf("index", index.name)).toBe(
        `CREATE ${index.unique ? "UNIQUE " : ""}INDEX \`${index.name}\` ON \`${name}\` (${on})${where}`,
      );
    }
  },
);
