import { type SQL, sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { HEALTH_STATES } from "../lib/health-state";

// Times are milliseconds since the epoch. Columns ending in `_key` hold text folded by lib/slug-text, because SQLite folds
// only ASCII. Composite foreign keys prevent references across workspaces. If two indexes seem equally good, SQLite takes
// the one that is created last, so the general ones come first.

const oneOf = (column: string, values: readonly string[]): SQL =>
  sql.raw(`"${column}" in (${values.map((value) => `'${value}'`).join(", ")})`);

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    public_id: text().notNull().unique(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    link_limit: integer(),
    active_links: integer().notNull().default(0),
    archived_links: integer().notNull().default(0),
    tag_count: integer().notNull().default(0),
    /** Slugs that the workspace owns, including tombstones. */
    slug_claims: integer().notNull().default(0),
    /** IANA name of the time zone in which people read dates, and in which days of clicks and scans begin. */
    time_zone: text().notNull().default("UTC"),
    /** All clicks and scans by people so far. */
    clicks: integer().notNull().default(0),
    scans: integer().notNull().default(0),
    suspended_at: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [
    // The workspaces that alerts look at. A query uses the index only if it repeats the condition.
    index("workspaces_nearly_full")
      .on(table.id)
      .where(sql`link_limit > 0 and (active_links + archived_links) * 10 >= link_limit * 9`),
    check("workspaces_link_limit", sql.raw(`"link_limit" is null or "link_limit" >= 0`)),
    check(
      "workspaces_counts",
      sql.raw(`"active_links" >= 0 and "archived_links" >= 0 and "tag_count" between 0 and 1000`),
    ),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    public_id: text().notNull().unique(),
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    hash: text().notNull().unique(),
    last4: text().notNull(),
    name: text().notNull(),
    access: text({ enum: ["full", "read"] }).notNull(),
    expires_at: integer(),
    revoked_at: integer(),
    last_used_at: integer(),
    created_at: integer().notNull(),
  },
  (table) => [
    index("api_keys_workspace").on(table.workspace_id),
    index("api_keys_expires").on(table.expires_at).where(sql`revoked_at is null and expires_at is not null`),
    check("api_keys_access", oneOf("access", ["full", "read"])),
  ],
);

/** Members of a workspace, identified by their e-mail address in lower case. */
export const members = sqliteTable(
  "members",
  {
    id: integer().primaryKey(),
    public_id: text().notNull().unique(),
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    email: text().notNull(),
    role: text({ enum: ["owner", "editor", "viewer"] }).notNull(),
    created_at: integer().notNull(),
    /** When they last opened a page of the workspace, to the hour; null before the first time. */
    last_seen_at: integer(),
  },
  (table) => [
    uniqueIndex("members_workspace_email").on(table.workspace_id, table.email),
    index("members_email").on(table.email),
    check("members_role", oneOf("role", ["owner", "editor", "viewer"])),
  ],
);

/** One-time sign-in links. */
export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    hash: text().primaryKey(),
    email: text().notNull(),
    expires_at: integer().notNull(),
    /** Public id of the only workspace that it opens, if an owner of it has made it; null for the operator's. */
    workspace: text(),
  },
  (table) => [
    index("sign_in_links_expires").on(table.expires_at),
    index("sign_in_links_email").on(table.email, table.expires_at),
    index("sign_in_links_workspace").on(table.workspace, table.email).where(sql`workspace is not null`),
  ],
);

/** Sessions. A session opens the workspaces that have its address as a member. */
export const sessions = sqliteTable(
  "sessions",
  {
    hash: text().primaryKey(),
    email: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    public_id: text().notNull().unique(),
    /** To the hour. */
    last_used_at: integer().notNull(),
    /** Browser and system, as shown in the list of sessions. */
    device: text(),
    /** Country code of the last use. */
    country: text(),
    /** Public ids of the only workspaces that it opens, each followed by a dot; null for all. */
    workspaces: text(),
    /** Public ids of the workspaces that the person was removed from since the session began, each followed by a dot. */
    closed: text().notNull().default(""),
  },
  (table) => [index("sessions_email").on(table.email), index("sessions_expires").on(table.expires_at)],
);

export const activityGroups = sqliteTable(
  "activity_groups",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    public_id: text().notNull().unique(),
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    version: integer().notNull().default(1),
    name: text().notNull(),
    name_key: text().notNull(),
    slug: text().notNull(),
    type: text({ enum: ["campaign", "always_on", "project", "event", "content", "other"] }).notNull(),
    description: text().notNull().default(""),
    search_text: text().notNull(),
    status: text({ enum: ["draft", "scheduled", "active", "completed", "archived"] }).notNull(),
    status_before_archive: text({ enum: ["draft", "scheduled", "active", "completed"] }),
    default_utm_campaign: text(),
    starts_at: integer(),
    ends_at: integer(),
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
    // Groups past their end, which people should look at.
    index("activity_groups_overdue")
      .on(table.workspace_id, table.ends_at)
      .where(sql`status in ('draft', 'scheduled', 'active') and ends_at is not null`),
    check(
      "activity_groups_type",
      oneOf("type", ["campaign", "always_on", "project", "event", "content", "other"]),
    ),
    check(
      "activity_groups_status",
      oneOf("status", ["draft", "scheduled", "active", "completed", "archived"]),
    ),
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

export const links = sqliteTable(
  "links",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    public_id: text().notNull().unique(),
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    version: integer().notNull().default(1),
    slug: text().notNull(),
    slug_key: text().notNull(),
    destination_url: text().notNull(),
    destination_key: text().notNull(),
    destination_host: text().notNull(),
    title: text(),
    title_key: text(),
    channel: text(),
    external_id: text(),
    utm_source: text(),
    utm_medium: text(),
    utm_campaign: text(),
    utm_campaign_origin: text({ enum: ["explicit", "inherited"] }).notNull(),
    activity_group_id: integer(),
    starts_at: integer(),
    ends_at: integer(),
    /** Where visitors go after the end. */
    ended_url: text(),
    ended_host: text(),
    archived_at: integer(),
    deleted_at: integer(),
    /** Verdict of the malware-blocking resolver on the destination's host. */
    verdict: text({ enum: ["ok", "blocked", "unknown"] })
      .notNull()
      .default("unknown"),
    /** Time of the next check; null for never. */
    check_at: integer(),
    taken_down_at: integer(),
    taken_down_by: text({ enum: ["operator", "check"] }),
    /** All clicks and scans by people so far. They change without a new version of the link. */
    clicks: integer().notNull().default(0),
    scans: integer().notNull().default(0),
    /** The last click or scan by a person. */
    last_visit_at: integer(),
    /** The last hour that has a visit of any kind. */
    last_counted_hour: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    visits: integer().generatedAlwaysAs(sql`clicks + scans`, { mode: "virtual" }),
    archived: integer().generatedAlwaysAs(sql`archived_at is not null`, { mode: "virtual" }),
    untitled: integer().generatedAlwaysAs(sql`title_key is null`, { mode: "virtual" }),
  },
  (table) => [
    uniqueIndex("links_workspace_row").on(table.workspace_id, table.id),
    uniqueIndex("links_workspace_slug").on(table.workspace_id, table.slug_key).where(sql`deleted_at is null`),
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
      .on(table.workspace_id, table.archived, table.slug_key)
      .where(sql`deleted_at is null`),
    index("links_list_title")
      .on(table.workspace_id, table.archived, table.untitled, table.title_key, table.public_id)
      .where(sql`deleted_at is null`),
    index("links_list_visits")
      .on(table.workspace_id, table.archived, table.visits, table.public_id)
      .where(sql`deleted_at is null`),
    // The links of a workspace or group with visits since a time.
    index("links_counted")
      .on(table.workspace_id, table.last_counted_hour)
      .where(sql`deleted_at is null and last_counted_hour is not null`),
    index("links_group_counted")
      .on(table.workspace_id, table.activity_group_id, table.last_counted_hour)
      .where(sql`deleted_at is null and activity_group_id is not null and last_counted_hour is not null`),
    index("links_taken_down")
      .on(table.workspace_id, table.public_id)
      .where(sql`deleted_at is null and taken_down_at is not null`),
    index("links_list_group")
      .on(table.workspace_id, table.activity_group_id, table.archived, table.public_id)
      .where(sql`deleted_at is null and activity_group_id is not null`),
    index("links_list_channel")
      .on(table.workspace_id, table.channel, table.archived, table.public_id)
      .where(sql`deleted_at is null and channel is not null`),
    index("links_destination")
      .on(table.destination_url, table.workspace_id, table.archived, table.public_id)
      .where(sql`deleted_at is null`),
    index("links_check").on(table.check_at).where(sql`check_at is not null`),
    index("links_deleted").on(table.deleted_at).where(sql`deleted_at is not null`),
    foreignKey({
      name: "links_activity_group",
      columns: [table.workspace_id, table.activity_group_id],
      foreignColumns: [activityGroups.workspace_id, activityGroups.id],
    }),
    check("links_utm_campaign_origin", oneOf("utm_campaign_origin", ["explicit", "inherited"])),
  ],
);

/** One row per slug or code of an asset: its owner (permanent), its current link, and whether KV must be written. */
export const slugs = sqliteTable(
  "slugs",
  {
    key: text().primaryKey(),
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    link_id: integer(),
    /** Public id of the Offline Engagement asset whose code this is; null for a slug of a link. */
    asset: text(),
    rev: integer().notNull().default(1),
    pushed_rev: integer().notNull().default(0),
    push_at: integer(),
    /** When the operator took down the slug's link. Nobody can use the slug until the operator ends the takedown. */
    taken_down_at: integer(),
    created_at: integer().notNull(),
  },
  (table) => [
    index("slugs_workspace_link").on(table.workspace_id, table.link_id),
    uniqueIndex("slugs_asset").on(table.asset).where(sql`asset is not null`),
    index("slugs_push_at").on(table.push_at).where(sql`push_at is not null`),
    index("slugs_workspace_push")
      .on(table.workspace_id, table.push_at, table.key)
      .where(sql`push_at is not null`),
    foreignKey({
      name: "slugs_link",
      columns: [table.workspace_id, table.link_id],
      foreignColumns: [links.workspace_id, links.id],
    }),
  ],
);

export const tags = sqliteTable(
  "tags",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    public_id: text().notNull().unique(),
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    version: integer().notNull().default(1),
    name: text().notNull(),
    name_key: text().notNull(),
    slug: text().notNull(),
    colour: text(),
    description: text(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex("tags_workspace_row").on(table.workspace_id, table.id),
    uniqueIndex("tags_workspace_name").on(table.workspace_id, table.name_key),
    uniqueIndex("tags_workspace_slug").on(table.workspace_id, table.slug),
  ],
);

export const linkTags = sqliteTable(
  "link_tags",
  {
    workspace_id: integer().notNull(),
    link_id: integer().notNull(),
    tag_id: integer().notNull(),
    /** Copies of the link's columns, for the index that filters and sorts a tag's links. */
    link_archived: integer().notNull().default(0),
    link_public_id: text().notNull().default(""),
  },
  (table) => [
    primaryKey({ name: "link_tags_pair", columns: [table.link_id, table.tag_id] }),
    index("link_tags_list").on(table.workspace_id, table.tag_id, table.link_archived, table.link_public_id),
    foreignKey({
      name: "link_tags_link",
      columns: [table.workspace_id, table.link_id],
      foreignColumns: [links.workspace_id, links.id],
    }),
    foreignKey({
      name: "link_tags_tag",
      columns: [table.workspace_id, table.tag_id],
      foreignColumns: [tags.workspace_id, tags.id],
    }),
  ],
);

/** Number of links per tag, group or channel. Every batch that changes links updates it. */
export const linkTotals = sqliteTable(
  "link_totals",
  {
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    kind: text({ enum: ["tag", "group", "channel"] }).notNull(),
    /** Row id of the tag or group, or the name of the channel. */
    key: text().notNull(),
    active: integer().notNull(),
    archived: integer().notNull(),
  },
  (table) => [
    primaryKey({ name: "link_totals_key", columns: [table.workspace_id, table.kind, table.key] }),
    index("link_totals_empty").on(table.kind).where(sql`active = 0 and archived = 0`),
    check("link_totals_kind", oneOf("kind", ["tag", "group", "channel"])),
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
    channel: text(),
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
    foreignKey({
      name: "activity_group_items_link",
      columns: [table.workspace_id, table.link_id],
      foreignColumns: [links.workspace_id, links.id],
    }),
    foreignKey({
      name: "activity_group_items_group",
      columns: [table.workspace_id, table.activity_group_id],
      foreignColumns: [activityGroups.workspace_id, activityGroups.id],
    }),
    check("activity_group_items_role", oneOf("role", ["primary"])),
  ],
);

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
    /** All scans by people so far. */
    scans: integer().notNull().default(0),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex("offline_assets_workspace_row").on(table.workspace_id, table.id),
    index("offline_assets_link").on(table.workspace_id, table.link_id, table.status),
    index("offline_assets_live").on(table.workspace_id, table.live_at).where(sql`status = 'live'`),
    foreignKey({
      name: "offline_assets_link",
      columns: [table.workspace_id, table.link_id],
      foreignColumns: [links.workspace_id, links.id],
    }),
    check("offline_assets_kind", oneOf("kind", ["poster", "flyer", "packaging", "signage", "other"])),
    check("offline_assets_status", oneOf("status", ["draft", "live", "retired"])),
  ],
);

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    api_key_id: integer()
      .notNull()
      .references(() => apiKeys.id),
    key: text().notNull(),
    fingerprint: text().notNull(),
    operation_id: text().notNull(),
    status: integer(),
    body: text(),
    etag: text(),
    started_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ name: "idempotency_keys_pair", columns: [table.api_key_id, table.key] }),
    index("idempotency_keys_started").on(table.started_at),
  ],
);

/** Append-only. Every batch that changes data starts with its row here. The unique operation id detects retries. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer().primaryKey(),
    operation_id: text().notNull().unique(),
    workspace_id: integer().references(() => workspaces.id),
    actor: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    before: text(),
    change: text(),
    at: integer().notNull(),
    /** Id of the first operation of a change of many; null for a change of one. */
    batch: text(),
  },
  (table) => [
    index("audit_log_workspace").on(table.workspace_id, table.id),
    index("audit_log_batch").on(table.batch, table.id).where(sql`batch is not null`),
    index("audit_log_subject").on(table.workspace_id, table.subject, table.id),
  ],
);

export const blockedHosts = sqliteTable("blocked_hosts", {
  host: text().primaryKey(),
  created_at: integer().notNull(),
});

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
    check("visit_hours_owner", oneOf("owner_kind", OWNER_KINDS)),
  ],
);

export const DAY_DIMENSIONS = ["country", "referrer", "device", "total"] as const;

/**
 * Clicks and scans per owner, UTC day and origin, and with the dimension `total` those of every origin together, by which
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
    check("visit_days_owner", oneOf("owner_kind", OWNER_KINDS)),
    check("visit_days_dimension", oneOf("dimension", DAY_DIMENSIONS)),
  ],
);

/** The number of active links of a workspace on a UTC day, for how it has changed since. */
export const activeLinkDays = sqliteTable(
  "active_link_days",
  {
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
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

/** A CSV file that a member imports. */
export const imports = sqliteTable(
  "imports",
  {
    id: integer().primaryKey(),
    public_id: text().notNull().unique(),
    workspace_id: integer()
      .notNull()
      .references(() => workspaces.id),
    /** Name of the file. */
    name: text().notNull(),
    row_count: integer().notNull(),
    created_at: integer().notNull(),
    /** When a member started the import. */
    started_at: integer(),
    finished_at: integer(),
    /** What every imported link gets: an Activity Group by its public id, and the public ids of tags as JSON. */
    activity_group_id: text(),
    tag_ids: text(),
    /** When its links were archived again. */
    undone_at: integer(),
  },
  (table) => [
    uniqueIndex("imports_workspace_row").on(table.workspace_id, table.id),
    index("imports_created").on(table.created_at),
    index("imports_running").on(table.started_at).where(sql`started_at is not null and finished_at is null`),
  ],
);

/** One row of an imported file, with its result. */
export const importRows = sqliteTable(
  "import_rows",
  {
    workspace_id: integer().notNull(),
    import_id: integer().notNull(),
    /** Row number as in a spreadsheet, where the heading is row 1. 0 holds messages about the whole file. */
    number: integer().notNull(),
    /** The cells by link field, as JSON. */
    input: text(),
    /** Invalid fields, as JSON. */
    errors: text(),
    /** Public id of the created link. */
    link: text(),
  },
  (table) => [
    primaryKey({ name: "import_rows_row", columns: [table.import_id, table.number] }),
    foreignKey({
      name: "import_rows_import",
      columns: [table.workspace_id, table.import_id],
      foreignColumns: [imports.workspace_id, imports.id],
    }),
  ],
);

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

const ALERT_KINDS = [
  "destination.broken",
  "destination.back",
  "link.taken_down",
  "workspace.link_limit",
  "key.expires",
  "pushes.overdue",
  "test",
] as const;

/** Events for the operator's webhook. */
export const alerts = sqliteTable(
  "alerts",
  {
    id: integer().primaryKey(),
    /** Identifies the event, so that it is reported once. */
    key: text().notNull().unique(),
    workspace_id: integer().references(() => workspaces.id),
    kind: text({ enum: ALERT_KINDS }).notNull(),
    /** What happened, in a sentence. */
    text: text().notNull(),
    /** Ids and values for programs, as JSON. */
    facts: text().notNull(),
    created_at: integer().notNull(),
    /** Id of the message that contains it; null before it is gathered. */
    message: text(),
    tries: integer().notNull().default(0),
    /** When to send it or try again; null if it was delivered or given up. */
    due_at: integer(),
    delivered_at: integer(),
    /** Result of the last try: an HTTP status, or what went wrong. */
    outcome: text(),
    /** 1 while the event lasts. Its row then stays, because its key prevents a repeat. */
    is_open: integer().notNull().default(0),
  },
  (table) => [
    index("alerts_due").on(table.due_at).where(sql`due_at is not null`),
    index("alerts_message").on(table.message, table.due_at).where(sql`due_at is not null`),
    index("alerts_open").on(table.kind).where(sql`is_open = 1`),
    index("alerts_created").on(table.created_at).where(sql`is_open = 0`),
    check("alerts_kind", oneOf("kind", ALERT_KINDS)),
  ],
);
