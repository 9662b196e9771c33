import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ownColumns } from "./access";

/**
 * Hosts that serve short links of one workspace alone. The settings of a domain reach visitors by the row of `slugs` with the
 * key `host/`.
 */
export const domains = sqliteTable(
  "domains",
  {
    ...ownColumns(),
    /** In lower-case ASCII. */
    host: text().notNull(),
    /** Pending until its owner has proved it; active once the host answers with the mark of this installation. */
    state: text({ enum: ["pending", "verified", "active"] }).notNull(),
    /** What the TXT record must have. */
    token: text().notNull(),
    is_primary: integer().notNull().default(0),
    /** Where `/` leads. */
    root_url: text(),
    root_host: text(),
    /** Where unknown slugs lead. */
    not_found_url: text(),
    not_found_host: text(),
    /** Since when an active host has not answered with the mark. */
    failing_since: integer(),
    /** When the schedule last looked whether a proved host answers. */
    checked_at: integer(),
    /** Since then every address on the host is unknown. The workspace may add the host again. */
    removed_at: integer(),
    /** The operator gives the host free: its addresses lose their links, and the row is deleted after the last. */
    released_at: integer(),
    created_at: integer().notNull(),
    /** The files by which Apple's and Google's systems open links in apps, as JSON. */
    apple_app_site_association: text(),
    assetlinks: text(),
  },
  (table) => [
    uniqueIndex("domains_workspace_host").on(table.workspace_id, table.host),
    // The first workspace that proves a host has it, also while it has removed it.
    uniqueIndex("domains_proved_host").on(table.host).where(sql`state <> 'pending'`),
    uniqueIndex("domains_primary").on(table.workspace_id).where(sql`is_primary = 1`),
    index("domains_checked").on(table.checked_at).where(sql`state <> 'pending' and removed_at is null`),
    index("domains_failing")
      .on(table.failing_since)
      .where(sql`failing_since is not null and removed_at is null`),
    index("domains_released").on(table.released_at).where(sql`released_at is not null`),
    check(
      "domains_primary_is_served",
      sql.raw(`"is_primary" = 0 or ("state" <> 'pending' and "removed_at" is null)`),
    ),
  ],
);
