import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ownColumns } from "./access";

/** Names for filters and an order of the list of links. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    ...ownColumns(),
    name: text().notNull(),
    name_key: text().notNull(),
    /** The normalised query of the list's address, without its page. It is validated again when it is opened. */
    query: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [uniqueIndex("saved_views_name").on(table.workspace_id, table.name_key)],
);
