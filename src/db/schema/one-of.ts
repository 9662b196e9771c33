import { type SQL, sql } from "drizzle-orm";

/** The condition of a column that takes some values only. */
export const oneOf = (column: string, values: readonly string[]): SQL =>
  sql.raw(`"${column}" in (${values.map((value) => `'${value}'`).join(", ")})`);
