import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  foreignKey,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

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
    /** JSON: the zones before it, by which the visits of their time are counted; null for none. */
    earlier_zones: text(),
    /** All clicks and scans by people so far. */
    clicks: integer().notNull().default(0),
    scans: integer().notNull().default(0),
    /** Whether a scan tells the destination's analytics the asset, as `utm_content`. */
    scans_name_asset: integer().notNull().default(0),
    /** Whether people without an account can read its reports. */
    shares_reports: integer().notNull().default(1),
    /** Whether pages for visitors show its name. */
    shows_name: integer().notNull().default(0),
    /** The accent of pages for visitors, as `#rrggbb` in lower case. */
    colour: text(),
    /** JSON: the networks whose visits do not count, such as `["192.0.2.0/24"]`; null for none. */
    own_networks: text(),
    /** JSON: how it writes the values of its campaigns; null for no conventions. */
    conventions: text(),
    suspended_at: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    /** JSON: its own sentences on pages for visitors, by page and language. */
    page_texts: text(),
    /** The button of those pages, and where it leads. */
    button_label: text(),
    button_url: text(),
    button_host: text(),
    /** The logo of those pages: an SVG, or a PNG in base64. It is last, so that nothing else is read behind its 27 KB. */
    logo: text(),
  },
  (table) => [
    // The workspaces that alerts look at. A query uses the index only if it repeats the condition.
    index("workspaces_nearly_full")
      .on(table.id)
      .where(sql`link_limit > 0 and (active_links + archived_links) * 10 >= link_limit * 9`),
    check("workspaces_link_limit", sql.raw(`"link_limit" is null or "link_limit" >= 0`)),
    // Stands in a style sheet.
    check("workspaces_colour", sql.raw(`"colour" glob '#${"[0-9a-f]".repeat(6)}'`)),
    check("workspaces_counts", sql.raw(`"active_links" >= 0 and "archived_links" >= 0 and "tag_count" >= 0`)),
  ],
);

/** The column of a table of the tenants. */
export const ofWorkspace = () =>
  integer()
    .notNull()
    .references(() => workspaces.id);

/** The first columns of what a workspace owns. */
export const ownColumns = () => ({
  id: integer().primaryKey({ autoIncrement: true }),
  public_id: text().notNull().unique(),
  workspace_id: ofWorkspace(),
});

/** A reference to a row of the same workspace. */
export const inWorkspace = (
  name: string,
  columns: [workspace: AnySQLiteColumn, row: AnySQLiteColumn],
  { workspace_id, id }: Readonly<Record<"workspace_id" | "id", AnySQLiteColumn>>,
) => foreignKey({ name, columns, foreignColumns: [workspace_id, id] });

export const apiKeys = sqliteTable(
  "api_keys",
  {
    ...ownColumns(),
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
  ],
);

/** Members of a workspace, identified by their e-mail address in lower case. */
export const members = sqliteTable(
  "members",
  {
    id: integer().primaryKey(),
    public_id: text().notNull().unique(),
    workspace_id: ofWorkspace(),
    email: text().notNull(),
    /** What the workspace calls the person; null if nobody has said. */
    name: text(),
    role: text({ enum: ["owner", "editor", "viewer"] }).notNull(),
    created_at: integer().notNull(),
    /** When they last opened a page of the workspace, to the hour; null before the first time. */
    last_seen_at: integer(),
    /** Part of the address that stops their weekly report, with `ask:` before it until they have started it; null if they get none. */
    report_token: text().unique(),
    /** From when on it is sent: within the first minute of a UTC day. */
    report_due_at: integer(),
  },
  (table) => [
    uniqueIndex("members_workspace_email").on(table.workspace_id, table.email),
    index("members_email").on(table.email),
    index("members_report_due").on(table.report_due_at).where(sql`report_token is not null`),
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

/** The mails of the last hour to members who were invited or asked for a sign-in link. */
export const sentMails = sqliteTable(
  "sent_mails",
  {
    id: integer().primaryKey(),
    email: text().notNull(),
    sent_at: integer().notNull(),
  },
  (table) => [
    index("sent_mails_sent").on(table.sent_at),
    index("sent_mails_email").on(table.email, table.sent_at),
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
