import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  DAY_FIELDS,
  eachField,
  eachTextField,
  FORM_FIELDS,
  MOMENT_FIELDS,
  URL_FIELDS,
  VALUE_FIELD_NAMES,
} from "../../lib/link-fields";
import type { SlugKey } from "../../lib/slug-text";
import { inWorkspace, ofWorkspace, ownColumns } from "./access";
import { activityGroups } from "./activity-groups";

const HOST_CHECKS = ["ok", "blocked", "unknown"] as const;

export const links = sqliteTable(
  "links",
  {
    ...ownColumns(),
    version: integer().notNull().default(1),
    slug: text().notNull(),
    slug_key: text().$type<SlugKey>().notNull(),
    destination_url: text().notNull(),
    destination_key: text().notNull(),
    destination_host: text().notNull(),
    ...eachTextField(() => text()),
    title_key: text(),
    /** The folded title and destination without accents, those that differ, and the values that a search finds too. */
    plain_text: text(),
    utm_campaign: text(),
    utm_campaign_origin: text({ enum: ["explicit", "inherited"] }).notNull(),
    activity_group_id: integer(),
    ...eachField(MOMENT_FIELDS, () => integer()),
    ...eachField(DAY_FIELDS, () => text()),
    ...eachField(URL_FIELDS, () => text()),
    ended_host: text(),
    /** JSON: the rules that lead some visitors elsewhere, in their order; null for none. */
    rules: text(),
    ...eachField(FORM_FIELDS, () => text()),
    preview_image_host: text(),
    archived_at: integer(),
    deleted_at: integer(),
    /** Answer of the malware-blocking resolver on the destination's host. */
    host_check: text({ enum: HOST_CHECKS }).notNull().default("unknown"),
    /** Time of the next check; null for never. */
    check_at: integer(),
    taken_down_at: integer(),
    taken_down_by: text({ enum: ["operator", "check"] }),
    /** All clicks and scans by people so far. They change without a new version of the link. */
    clicks: integer().notNull().default(0),
    scans: integer().notNull().default(0),
    /** The clicks that the file of its import says it had elsewhere; null if it says none. They are in no total. */
    clicks_before: integer(),
    last_visit_at: integer(),
    /** The start of the last day, in the workspace's zone, that has a visit of any kind. */
    last_counted_day: integer(),
    created_at: integer().notNull(),
    /** Who created it, as `audit_log.actor`. */
    created_by: text().notNull(),
    updated_at: integer().notNull(),
    /** The host of its current address; null for the short host. */
    domain: text().generatedAlwaysAs(sql`nullif(substr(slug_key, 1, instr(slug_key, '/') - 1), '')`, {
      mode: "virtual",
    }),
    folded_slug: text().generatedAlwaysAs(sql`substr(slug_key, instr(slug_key, '/') + 1)`, {
      mode: "virtual",
    }),
    visits: integer().generatedAlwaysAs(sql`clicks + scans`, { mode: "virtual" }),
    archived: integer().generatedAlwaysAs(sql`archived_at is not null`, { mode: "virtual" }),
    untitled: integer().generatedAlwaysAs(sql`title_key is null`, { mode: "virtual" }),
  },
  (table) => [
    uniqueIndex("links_workspace_row").on(table.workspace_id, table.id),
    uniqueIndex("links_workspace_external_id")
      .on(table.workspace_id, table.external_id)
      .where(sql`deleted_at is null and external_id is not null`),
    index("links_list_external_id")
      .on(table.workspace_id, table.archived, table.external_id, table.public_id)
      .where(sql`deleted_at is null and external_id is not null`),
    // One index per sort order. A public id begins with the creation time, so it also sorts by creation.
    index("links_list_all").on(table.workspace_id, table.public_id).where(sql`deleted_at is null`),
    index("links_list_created")
      .on(table.workspace_id, table.archived, table.public_id)
      .where(sql`deleted_at is null`),
    index("links_list_updated")
      .on(table.workspace_id, table.archived, table.updated_at, table.public_id)
      .where(sql`deleted_at is null`),
    index("links_list_slug")
      .on(table.workspace_id, table.archived, table.folded_slug, table.public_id)
      .where(sql`deleted_at is null`),
    index("links_list_title")
      .on(table.workspace_id, table.archived, table.untitled, table.title_key, table.public_id)
      .where(sql`deleted_at is null`),
    index("links_list_visits")
      .on(table.workspace_id, table.archived, table.visits, table.public_id)
      .where(sql`deleted_at is null`),
    // The links of a workspace or group with visits since a time.
    index("links_counted")
      .on(table.workspace_id, table.last_counted_day)
      .where(sql`deleted_at is null and last_counted_day is not null`),
    index("links_group_counted")
      .on(table.workspace_id, table.activity_group_id, table.last_counted_day)
      .where(sql`deleted_at is null and activity_group_id is not null and last_counted_day is not null`),
    index("links_taken_down")
      .on(table.workspace_id, table.public_id)
      .where(sql`deleted_at is null and taken_down_at is not null`),
    index("links_list_group")
      .on(table.workspace_id, table.activity_group_id, table.archived, table.public_id)
      .where(sql`deleted_at is null and activity_group_id is not null`),
    ...VALUE_FIELD_NAMES.map((name) =>
      index(`links_list_${name}`)
        .on(table.workspace_id, table[name], table.archived, table.public_id)
        .where(sql`deleted_at is null and ${sql.raw(name)} is not null`),
    ),
    index("links_list_domain")
      .on(table.workspace_id, table.domain, table.archived, table.public_id)
      .where(sql`deleted_at is null and domain is not null`),
    index("links_destination")
      .on(table.destination_url, table.workspace_id, table.archived, table.public_id)
      .where(sql`deleted_at is null`),
    index("links_check").on(table.check_at).where(sql`check_at is not null`),
    // The days of a workspace's links, which follow its zone.
    index("links_dated")
      .on(table.workspace_id, table.starts_on, table.ends_on)
      .where(sql`starts_on is not null or ends_on is not null`),
    index("links_deleted").on(table.deleted_at).where(sql`deleted_at is not null`),
    inWorkspace("links_activity_group", [table.workspace_id, table.activity_group_id], activityGroups),
  ],
);

/** The destinations of a link's rules, by which they are checked and found. What a rule says is in the link's row. */
export const linkRules = sqliteTable(
  "link_rules",
  {
    workspace_id: integer().notNull(),
    link_id: integer().notNull(),
    /** The rule's place, beginning at 0. */
    position: integer().notNull(),
    destination_url: text().notNull(),
    destination_host: text().notNull(),
    /** Answer of the malware-blocking resolver. A rule to a blocked host is skipped. */
    host_check: text({ enum: HOST_CHECKS }).notNull(),
    /** Time of the next check; null for never. */
    check_at: integer(),
  },
  (table) => [
    primaryKey({ name: "link_rules_row", columns: [table.link_id, table.position] }),
    index("link_rules_destination").on(table.destination_url),
    index("link_rules_check").on(table.check_at).where(sql`check_at is not null`),
    inWorkspace("link_rules_link", [table.workspace_id, table.link_id], links),
  ],
);

/** One row per slug or code of an asset, and for settings that reach visitors: its owner, its current link, and whether KV must be written. */
export const slugs = sqliteTable(
  "slugs",
  {
    key: text().$type<SlugKey>().primaryKey(),
    workspace_id: ofWorkspace(),
    link_id: integer(),
    /** Public id of the Offline Engagement asset whose code this is; null for a slug of a link. */
    asset: text(),
    /** Incremented by every change that visitors see. */
    rev: integer().notNull().default(1),
    /** A rank (below 4) for the first write to KV, then when the second one is due; null if both are done. */
    push_at: integer(),
    /** Until when KV may show an old value; null if it does not. Open until the second write: 1e14 after the change. */
    doubt_until: integer(),
    /** When the operator took down the slug's link. Nobody can use the slug until the operator ends the takedown. */
    taken_down_at: integer(),
    created_at: integer().notNull(),
    /** The host of the key; empty for the short host. */
    domain: text().generatedAlwaysAs(sql`substr(key, 1, instr(key, '/') - 1)`, { mode: "virtual" }),
    /** The folded slug; empty for the settings of a domain. */
    slug: text().generatedAlwaysAs(sql`substr(key, instr(key, '/') + 1)`, { mode: "virtual" }),
  },
  (table) => [
    index("slugs_workspace_slug").on(table.workspace_id, table.slug),
    index("slugs_domain").on(table.domain, table.key).where(sql`domain <> ''`),
    index("slugs_workspace_link").on(table.workspace_id, table.link_id),
    uniqueIndex("slugs_asset").on(table.asset).where(sql`asset is not null`),
    index("slugs_push_at").on(table.push_at).where(sql`push_at is not null`),
    index("slugs_doubt")
      .on(table.workspace_id, table.doubt_until, table.key)
      .where(sql`doubt_until is not null`),
    inWorkspace("slugs_link", [table.workspace_id, table.link_id], links),
  ],
);

/**
 * What is in doubt as a whole, until all of its slugs are marked and written: a workspace, the addresses of a domain, or
 * everything that leads to a host. Also, for a week, the slugs that a check found outdated.
 */
export const doubts = sqliteTable(
  "doubts",
  {
    kind: text().notNull(),
    /** The row id of the workspace, the host, or the key of the slug. */
    name: text().notNull(),
    /** The last row that is marked, as a row id or key; null if all are. */
    cursor: text(),
    /** When the change was made; once all are marked, when that was. */
    since: integer().notNull(),
  },
  (table) => [primaryKey({ name: "doubts_key", columns: [table.kind, table.name] })],
);

export const TOTAL_KINDS = ["tag", "group", ...VALUE_FIELD_NAMES, "domain"] as const;

/** Number of links per tag, group, value or domain. Every batch that changes links updates it. */
export const linkTotals = sqliteTable(
  "link_totals",
  {
    workspace_id: ofWorkspace(),
    kind: text({ enum: TOTAL_KINDS }).notNull(),
    /** Row id of the tag or group, or the value or domain itself. */
    key: text().notNull(),
    active: integer().notNull(),
    archived: integer().notNull(),
  },
  (table) => [
    primaryKey({ name: "link_totals_key", columns: [table.workspace_id, table.kind, table.key] }),
    index("link_totals_empty").on(table.kind).where(sql`active = 0 and archived = 0`),
    check("link_totals_counts", sql.raw(`"active" >= 0 and "archived" >= 0`)),
  ],
);

/** History of assignments. The open item of role `primary` is the link's current group. */
export const activityGroupItems = sqliteTable(
  "activity_group_items",
  {
    id: integer().primaryKey(),
    workspace_id: integer().notNull(),
    link_id: integer().notNull(),
    activity_group_id: integer().notNull(),
    role: text({ enum: ["primary"] }).notNull(),
    started_at: integer().notNull(),
    ended_at: integer(),
    /** The clicks and scans that the link had at the start. */
    visits_before: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex("activity_group_items_open")
      .on(table.workspace_id, table.link_id, table.role)
      .where(sql`ended_at is null`),
    // The present links of a group that had visits before.
    index("activity_group_items_brought")
      .on(table.workspace_id, table.activity_group_id, table.visits_before)
      .where(sql`ended_at is null and visits_before > 0`),
    index("activity_group_items_links").on(table.workspace_id, table.link_id),
    inWorkspace("activity_group_items_link", [table.workspace_id, table.link_id], links),
    inWorkspace("activity_group_items_group", [table.workspace_id, table.activity_group_id], activityGroups),
  ],
);
