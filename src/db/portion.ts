import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Statement } from "./prepared";

/** Rows that one statement removes at most: a large delete would hold up every other query. */
export const MAX_REMOVED_ROWS = 5_000;

const rowid = sql.raw("rowid");

/** Removes the rows of which a column is below a value, the lowest first, 5,000 at most. An index has to have the column. */
export const deleteBelow =
  (table: SQLiteTable, column: SQLiteColumn, value: number | string): Statement =>
  (orm) =>
    orm.run(sql`delete from ${table} where ${rowid} in (select ${rowid} from ${table}
      where ${column} < ${value} order by ${column} limit ${MAX_REMOVED_ROWS})`);

/** Removes 5,000 rows at most of those of which a column has one of the values that a query gives. */
export const deleteAmong =
  (table: SQLiteTable, column: SQLiteColumn, values: SQL): Statement =>
  (orm) =>
    orm.run(sql`delete from ${table} where ${rowid} in (select ${rowid} from ${table}
      where ${column} in (${values}) limit ${MAX_REMOVED_ROWS})`);
