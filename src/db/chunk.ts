import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { orm } from "./prepared";

/** D1 runs one query at a time, so a large delete would block all others. */
export const MAX_REMOVED_ROWS = 5_000;

const rowid = sql.raw("rowid");

/** Deletes up to 5,000 rows with `column` below `value`, lowest first. The column needs an index. */
export const deleteBelow = (table: SQLiteTable, column: SQLiteColumn, value: number | string) =>
  orm.run(sql`delete from ${table} where ${rowid} in (select ${rowid} from ${table}
      where ${column} < ${value} order by ${column} limit ${MAX_REMOVED_ROWS})`);

/** Deletes up to 5,000 rows whose `column` is in the sub-select `values`. */
export const deleteAmong = (table: SQLiteTable, column: SQLiteColumn, values: SQL) =>
  orm.run(sql`delete from ${table} where ${rowid} in (select ${rowid} from ${table}
      where ${column} in (${values}) limit ${MAX_REMOVED_ROWS})`);
