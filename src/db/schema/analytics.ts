import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ofWorkspace } from "./access";

/** What visits are counted of. */
export const OWNER_KINDS = ["workspace", "group", "link", "asset"] as const;

/**
 * Visits per owner and hour. The owner is a row id without a foreign key, because it may be of any kind. Hours are kept for
 * 25 months; the totals since the beginning are columns of the owners.
 */
export const visitHours = sqliteTable(
  "visit_hours",
  {
    workspace_id: integer().notNull(),
    owner_kind: text({ enum: OWNER_KINDS }).notNull(),
    owner_id: integer().notNull(),
    hour: integer().notNull(),
    /** People who came by a slug. */
    clicks: integer().notNull(),
    /** People who came by the code of an asset. */
    scans: integer().notNull(),
    /** Bots, by a slug or code. */
    bots: integer().notNull(),
    /** People who came after the link's end, by a slug or code. They are in no other column. */
    after_end: integer().notNull(),
  },
  (table) => [
    primaryKey({ name: "visit_hours_row", columns: [table.owner_kind, table.owner_id, table.hour] }),
    index("visit_hours_hour").on(table.hour),
  ],
);

export const DAY_DIMENSIONS = ["country", "referrer", "device", "rule", "total"] as const;

/**
 * Clicks and scans per owner, UTC day and origin, of links also per rule, and with the dimension `total` those of every origin together, by which
 * the most visited owners of a day are found. It is the last dimension in the primary key, so removal deletes it last.
 */
export const visitDays = sqliteTable(
  "visit_days",
  {
    workspace_id: integer().notNull(),
    owner_kind: text({ enum: OWNER_KINDS }).notNull(),
    owner_id: integer().notNull(),
    day: integer().notNull(),
    dimension: text({ enum: DAY_DIMENSIONS }).notNull(),
    value: text().notNull(),
    visits: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: "visit_days_row",
      columns: [table.owner_kind, table.owner_id, table.day, table.dimension, table.value],
    }),
    index("visit_days_day").on(table.day).where(sql`dimension = 'total'`),
    // The most visited owners of a day.
    index("visit_days_most")
      .on(table.workspace_id, table.owner_kind, table.day, table.visits, table.owner_id)
      .where(sql`dimension = 'total'`),
  ],
);

/** The number of active links of a workspace on a UTC day, for how it has changed since. */
export const activeLinkDays = sqliteTable(
  "active_link_days",
  {
    workspace_id: ofWorkspace(),
    day: integer().notNull(),
    active_links: integer().notNull(),
  },
  (table) => [
    primaryKey({ name: "active_link_days_row", columns: [table.workspace_id, table.day] }),
    index("active_link_days_day").on(table.day),
    check("active_link_days_count", sql.raw(`"active_links" >= 0`)),
  ],
);

/**
 * Batches of counts, as instances write them. One that has been added to the counts stays without its counts for a day, so
 * that a retry cannot write it again.
 */
export const visitQueue = sqliteTable(
  "visit_queue",
  {
    id: integer().primaryKey(),
    /** Its ULID, which begins with the time at which its visits were counted. */
    batch: text().notNull().unique(),
    counted_at: integer().notNull(),
    /** The number of visits. */
    visits: integer().notNull(),
    /** The length of `counts`. */
    bytes: integer().notNull(),
    /** JSON: `{ hours, days }`, with public ids; null once they are added up. */
    counts: text(),
    /** How often D1 has refused the batches that it was added up with. */
    refusals: integer().notNull().default(0),
  },
  (table) => [index("visit_queue_waiting").on(table.id).where(sql`counts is not null`)],
);
