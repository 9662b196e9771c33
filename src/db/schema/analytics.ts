import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ofWorkspace } from "./access";

/** What visits are counted of. */
export const OWNER_KINDS = ["workspace", "group", "link", "asset"] as const;

/**
 * Visits per owner and hour, or quarter hour while the zone of its workspace needs it. The owner is a row id without a foreign
 * key, because it may be of any kind. Hours are kept for 25 months; the totals since the beginning are columns of the owners.
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
  ],
);

/** Clicks and scans per owner and day of its workspace's zone. Each day with a row in `visit_hours` has one. */
export const visitDays = sqliteTable(
  "visit_days",
  {
    workspace_id: integer().notNull(),
    owner_kind: text({ enum: OWNER_KINDS }).notNull(),
    owner_id: integer().notNull(),
    /** When it began, in milliseconds since the epoch. */
    day: integer().notNull(),
    visits: integer().notNull(),
    /** JSON: the visits by dimension and value, such as `{ "country": { "CH": 3 } }`. */
    origins: text().notNull(),
  },
  (table) => [
    primaryKey({ name: "visit_days_row", columns: [table.owner_kind, table.owner_id, table.day] }),
    // The most visited owners of a day, and the oldest days.
    index("visit_days_most").on(
      table.day,
      table.workspace_id,
      table.owner_kind,
      table.visits,
      table.owner_id,
    ),
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

/** Batches of counts that wait to be added up, as instances write them. */
export const visitQueue = sqliteTable("visit_queue", {
  /** Its ULID, which begins with the time at which its visits were counted. */
  batch: text().primaryKey(),
  /** JSON, as `batch.ts` describes it. */
  counts: text().notNull(),
});

/** Each time that batches were added up, for a day: so that none is written again, and no two runs overlap. */
export const visitRuns = sqliteTable("visit_runs", {
  /** Its time in milliseconds since the epoch: later than that of any earlier run and of all its batches. */
  run: integer().primaryKey(),
  /** The ids of its batches, one after the other. */
  batches: text().notNull(),
});

/** How often people asked for an address that leads nowhere, by UTC day. */
export const unknownAddresses = sqliteTable(
  "unknown_addresses",
  {
    /** The workspace that has the domain; 0 for the short host, whose unknown addresses belong to nobody. */
    workspace_id: integer().notNull(),
    /** Empty for the short host. */
    domain: text().notNull(),
    /** In lower case. */
    slug: text().notNull(),
    day: integer().notNull(),
    visits: integer().notNull(),
  },
  (table) => [
    primaryKey({ name: "unknown_addresses_row", columns: [table.domain, table.day, table.slug] }),
    // Those of a workspace, and the oldest days.
    index("unknown_addresses_day").on(table.day, table.workspace_id),
  ],
);

/** Tables that SQLite stores as their primary key: a row is one row written, not two. Drizzle cannot say so. */
export const WITHOUT_ROWID = [visitHours, visitDays, visitQueue, unknownAddresses];
