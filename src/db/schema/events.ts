import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { inWorkspace, ofWorkspace, ownColumns, workspaces } from "./access";

/** Where the events of a workspace are sent. */
export const receivers = sqliteTable(
  "receivers",
  {
    ...ownColumns(),
    /** As an owner calls it; without one, pages name it by its URL. */
    name: text(),
    url: text().notNull(),
    host: text().notNull(),
    /** JSON: the kinds of events that it wants. */
    kinds: text().notNull(),
    /** Signs its messages, so it is readable. Pages show it once. */
    secret: text().notNull(),
    is_on: integer().notNull().default(1),
    /** When it was switched off by the service, and why; null while it is on or if an owner did it. */
    switched_off_at: integer(),
    switched_off_by: text({ enum: ["gone", "failures"] }),
    /** The first of its failures in a row. */
    failing_since: integer(),
    /** The end of what it was told of visits; null unless it is on and wants them. */
    visits_from: integer(),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex("receivers_own").on(table.workspace_id, table.id),
    index("receivers_counting").on(table.visits_from).where(sql`visits_from is not null`),
  ],
);

/** The outbox: messages to the receivers of workspaces, and with `receiver_id` 0 to the operator's webhook. */
export const messages = sqliteTable(
  "messages",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspace_id: integer().references(() => workspaces.id),
    receiver_id: integer().notNull(),
    /** Its `webhook-id`. */
    event: text().notNull(),
    kind: text().notNull(),
    /** The public id of what it is about: its messages arrive in their order. */
    subject: text(),
    /** JSON: `data` of the body, of the operator's messages the body itself; null for a sum, of which only the amount is known. */
    data: text(),
    /** The characters of `data`. */
    size: integer().notNull().default(0),
    /** How many events a sum stands for. */
    amount: integer(),
    created_at: integer().notNull(),
    tries: integer().notNull().default(0),
    /** When to send it or try again; null if it was delivered or given up. */
    due_at: integer(),
    tried_at: integer(),
    delivered_at: integer(),
    /** Result of the last try: an HTTP status, or what went wrong. */
    outcome: text(),
    /** The beginning of the last answer. */
    answer: text(),
  },
  (table) => [
    inWorkspace("messages_receiver", [table.workspace_id, table.receiver_id], receivers),
    uniqueIndex("messages_event").on(table.receiver_id, table.event),
    uniqueIndex("messages_sum")
      .on(table.receiver_id, table.kind)
      .where(sql`amount is not null and tries = 0 and due_at is not null`),
    index("messages_waiting")
      .on(table.receiver_id, table.subject, table.id, table.size)
      .where(sql`due_at is not null`),
    index("messages_due").on(table.receiver_id, table.due_at).where(sql`due_at is not null`),
    index("messages_created").on(table.created_at).where(sql`workspace_id is not null`),
  ],
);

/** Clicks and scans of links that a receiver was not told of yet. */
export const untoldVisits = sqliteTable(
  "untold_visits",
  {
    workspace_id: ofWorkspace(),
    receiver_id: integer().notNull(),
    /** The public id of the link. */
    link: text().notNull(),
    clicks: integer().notNull(),
    scans: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.receiver_id, table.link] }),
    inWorkspace("untold_visits_receiver", [table.workspace_id, table.receiver_id], receivers),
  ],
);
