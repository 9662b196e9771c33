import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { GROUP_STATUSES, GROUP_TYPES } from "../../lib/group-status";
import { ownColumns } from "./access";

export const activityGroups = sqliteTable(
  "activity_groups",
  {
    ...ownColumns(),
    version: integer().notNull().default(1),
    name: text().notNull(),
    name_key: text().notNull(),
    slug: text().notNull(),
    type: text({ enum: GROUP_TYPES }).notNull(),
    description: text().notNull().default(""),
    /** For people of the workspace: several lines of plain text. */
    note: text(),
    search_text: text().notNull(),
    status: text({ enum: GROUP_STATUSES }).notNull(),
    status_before_archive: text({ enum: ["draft", "scheduled", "active", "completed"] }),
    default_utm_campaign: text(),
    starts_at: integer(),
    ends_at: integer(),
    /** The days of the workspace's zone, as 2026-05-01, that start and end were given as; null for times. */
    starts_on: text(),
    ends_on: text(),
    /** Where visitors go after the end of a link without an own `ended_url`. */
    ended_url: text(),
    ended_host: text(),
    /** 1 if links without an own `ends_at` end with the group. */
    ends_links: integer().notNull().default(0),
    /** 1 if the schedule activates the group at its start and completes it at its end. */
    follows_dates: integer().notNull().default(0),
    /** All clicks and scans by people so far, of the links that were in the group when the visits came. */
    clicks: integer().notNull().default(0),
    scans: integer().notNull().default(0),
    archived_at: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex("activity_groups_workspace_row").on(table.workspace_id, table.id),
    uniqueIndex("activity_groups_workspace_slug").on(table.workspace_id, table.slug),
    index("activity_groups_workspace_name").on(table.workspace_id, table.name_key, table.public_id),
    index("activity_groups_starting")
      .on(table.starts_at)
      .where(sql`follows_dates = 1 and status in ('draft', 'scheduled') and starts_at is not null`),
    index("activity_groups_ending")
      .on(table.ends_at)
      .where(sql`follows_dates = 1 and status in ('draft', 'scheduled', 'active') and ends_at is not null`),
    // Groups that follow a change of the workspace's zone.
    index("activity_groups_dated")
      .on(table.workspace_id, table.name_key)
      .where(sql`starts_on is not null or ends_on is not null`),
    // Groups past their end, which people should look at.
    index("activity_groups_overdue")
      .on(table.workspace_id, table.ends_at)
      .where(sql`status in ('draft', 'scheduled', 'active') and ends_at is not null`),
    check(
      "activity_groups_archived",
      sql.raw(
        `("status" = 'archived') = ("archived_at" is not null) and ("status" = 'archived') = ("status_before_archive" is not null)`,
      ),
    ),
    check(
      "activity_groups_dates",
      sql.raw(`"starts_at" is null or "ends_at" is null or "starts_at" <= "ends_at"`),
    ),
  ],
);
