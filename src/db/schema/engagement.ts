import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { inWorkspace } from "./access";
import { links } from "./links";

export const offlineAssets = sqliteTable(
  "offline_assets",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    public_id: text().notNull().unique(),
    workspace_id: integer().notNull(),
    link_id: integer().notNull(),
    name: text().notNull(),
    kind: text({ enum: ["poster", "flyer", "packaging", "signage", "other"] }).notNull(),
    status: text({ enum: ["draft", "live", "retired"] }).notNull(),
    place: text(),
    quantity: integer(),
    /** When it first went live. */
    live_at: integer(),
    /** Since when it is retired; null if it is not. */
    retired_at: integer(),
    /** All scans by people so far. */
    scans: integer().notNull().default(0),
    /** All scans after the end of its link, or in hours since it was retired, and the last of these hours. */
    after_end: integer().notNull().default(0),
    last_after_end: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex("offline_assets_workspace_row").on(table.workspace_id, table.id),
    index("offline_assets_link").on(table.workspace_id, table.link_id, table.status),
    index("offline_assets_live").on(table.workspace_id, table.live_at).where(sql`status = 'live'`),
    index("offline_assets_after_end")
      .on(table.workspace_id, table.last_after_end)
      .where(sql`last_after_end is not null`),
    inWorkspace("offline_assets_link", [table.workspace_id, table.link_id], links),
  ],
);
