import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { HEALTH_STATES } from "../../lib/health-state";
import { workspaces } from "./access";

export const blockedHosts = sqliteTable("blocked_hosts", {
  host: text().primaryKey(),
  created_at: integer().notNull(),
});

/** The health of a destination as links give it, in all workspaces. */
export const destinationHealth = sqliteTable(
  "destination_health",
  {
    url: text().primaryKey(),
    host: text().notNull(),
    /** The registrable domain. */
    domain: text().notNull(),
    /** When to ask it next. */
    due_at: integer().notNull(),
    /** When it was last asked; null for never. */
    asked_at: integer(),
    /** `failing`: failed less than three times or for less than a day. `unclear`: it refuses to be checked. */
    state: text({ enum: HEALTH_STATES }).notNull(),
    /** The last outcome in a word, such as `http`, `dns`, `tls` or `timeout`. */
    reason: text(),
    http_status: integer(),
    failures: integer().notNull().default(0),
    /** The first of them. */
    failing_since: integer(),
  },
  (table) => [
    index("destination_health_due").on(table.domain, table.due_at),
    index("destination_health_broken").on(table.host, table.url).where(sql`state = 'broken'`),
  ],
);

/** The queue of the registrable domains of destinations. */
export const destinationDomains = sqliteTable(
  "destination_domains",
  {
    domain: text().primaryKey(),
    /** The workspace whose links lead to it, so that workspaces take turns; null for several. */
    workspace_id: integer().references(() => workspaces.id),
    /** When the earliest of its destinations is due. */
    due_at: integer().notNull(),
    /** It is not asked before: a run has claimed it, or one of its hosts asked for a pause. */
    free_at: integer().notNull(),
  },
  (table) => [index("destination_domains_due").on(table.workspace_id, table.due_at)],
);
