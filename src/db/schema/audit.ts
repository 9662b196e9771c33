import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "./access";

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
    // Of the entries of the trail, in which a change of many is one.
    index("audit_log_heads")
      .on(table.workspace_id, table.at)
      .where(sql`batch is null or batch = operation_id`),
    index("audit_log_workspace").on(table.workspace_id, table.id),
    index("audit_log_batch").on(table.batch, table.id).where(sql`batch is not null`),
    index("audit_log_subject").on(table.workspace_id, table.subject, table.id),
  ],
);
