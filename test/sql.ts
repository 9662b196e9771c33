import { env } from "cloudflare:test";
import type { TestWorkspace } from "./harness";

// SQL past the services: for a state that they would not make, and to look at what they have stored.

/** A workspace stands for its row id. */
type Value = string | number | null | undefined | Pick<TestWorkspace, "ctx">;

const idOf = (value: Value) =>
  typeof value === "object" && value !== null ? value.ctx.workspace.rowId : value;

const prepare = (sql: TemplateStringsArray, values: readonly Value[]) =>
  env.DB.prepare(sql.join("?")).bind(...values.map(idOf));

export const runSql = (sql: TemplateStringsArray, ...values: Value[]) => prepare(sql, values).run();

/** The rows of a query. */
export async function selectRows<Row = Record<string, unknown>>(
  sql: TemplateStringsArray,
  ...values: Value[]
): Promise<Row[]> {
  return (await prepare(sql, values).all<Row>()).results;
}

/** The only column of the first row. Null if there is none. */
export async function selectValue<Found>(
  sql: TemplateStringsArray,
  ...values: Value[]
): Promise<Found | null> {
  const row = await prepare(sql, values).first<Record<string, Found>>();
  return row === null ? null : (Object.values(row)[0] ?? null);
}
