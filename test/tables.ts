import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { schema } from "../src/db/schema/all";

export const TABLES = Object.values(schema).filter((value) => is(value, SQLiteTable));

/** Deletes every row, but does not free its id: the memory of the Worker may still have it. */
export async function deleteAllRows(db: D1Database): Promise<void> {
  await db.batch([
    db.prepare("pragma defer_foreign_keys = on"),
    // Those that refer to others come first, so that no deletion looks for rows that refer to it.
    ...TABLES.toReversed().map((table) => db.prepare(`delete from ${getTableName(table)}`)),
    db.prepare("delete from link_search"),
  ]);
}
