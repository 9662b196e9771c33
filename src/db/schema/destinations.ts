import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { HEALTH_STATES } from "../../lib/health-state";
import { oneOf } from "./one-of";

export const blockedHosts = sqliteTable("blocked_hosts", {
  host: text().primaryKey(),
  created_at: integer().notNull(),
});

/** The health of a destination as links give it, in all workspaces. */
export const destinationHealth = sqliteTable(
  "destination_health",
  {
    url: text().primaryKey(),
    /** The registrable domain. */
    domain: text().notNull(),
    /** 1 if a link on a live asset has it. */
    live: integer().notNull().default(0),
    /** When to ask it next. */
    due_at: integer().notNull(),
    /**
     * The place of its domain in the queue: when the domain may next be probed. Null on all but one row of a domain, and one
     * of its live rows. Other than `due_at` while the domain is paused or claimed by a run.
     */
    queued_at: integer(),
    /** When it was last asked; null for never. */
    asked_at: integer(),
    /** `failing`: failed less than three times or for less than a day. `unclear`: it refuses to be checked. */
    state: text({ enum: HEALTH_STATES }).notNull(),
    /** The last outcome in a word, such as `http`, `dns`, `tls` or `timeout`. */
    reason: text(),
    http_status: integer(),
    /** Failures in a row. */
    failures: integer().notNull().default(0),
    /** The first of them. */
    failing_since: integer(),
  },
  (table) => [
    index("destination_health_due").on(table.domain, table.live, table.due_at),
    index("destination_health_queue").on(table.live, table.queued_at).where(sql`queued_at is not null`),
    index("destination_health_place").on(table.domain, table.queued_at).where(sql`queued_at is not null`),
    index("destination_health_broken").on(table.url).where(sql`state = 'broken'`),
    check("destination_health_state", oneOf("state", HEALTH_STATES)),
  ],
);
