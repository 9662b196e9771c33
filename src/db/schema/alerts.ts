import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "./access";

const ALERT_KINDS = [
  "destination.broken",
  "destination.back",
  "link.taken_down",
  "workspace.link_limit",
  "key.expires",
  "pushes.overdue",
  "takedown.late",
  "database.size",
  "database.full",
  "daily_limit",
  "d1.overloaded",
  "d1.slow",
  "errors.rate",
  "clicks.waiting",
  "domain.failing",
  "backup.old",
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
    /** The `event` of the message in the outbox that contains it; null before it is gathered. */
    message: text(),
    /** When it is gathered at the earliest; null afterwards. */
    due_at: integer(),
  },
  (table) => [
    index("alerts_due").on(table.due_at).where(sql`due_at is not null`),
    index("alerts_created").on(table.created_at),
  ],
);
