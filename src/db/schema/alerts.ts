import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "./access";
import { oneOf } from "./one-of";

const ALERT_KINDS = [
  "destination.broken",
  "destination.back",
  "link.taken_down",
  "workspace.link_limit",
  "key.expires",
  "pushes.overdue",
  "database.size",
  "domain.failing",
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
    /** No longer written. Release 1.0.0 set it to 1 while the event lasted. */
    is_open: integer().notNull().default(0),
  },
  (table) => [
    index("alerts_due").on(table.due_at).where(sql`due_at is not null`),
    index("alerts_message").on(table.message, table.due_at).where(sql`due_at is not null`),
    index("alerts_open").on(table.kind).where(sql`is_open = 1`),
    index("alerts_created").on(table.created_at).where(sql`is_open = 0`),
    check("alerts_kind", oneOf(table.kind)),
  ],
);
