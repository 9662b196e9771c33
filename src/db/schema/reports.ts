import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ownColumns } from "./access";

/** Pages of figures that people without an account may read. */
export const reports = sqliteTable(
  "reports",
  {
    ...ownColumns(),
    /** Part of the page's address, readable so that it can be copied again. */
    token: text().notNull().unique(),
    kind: text({ enum: ["overview", "group", "tag"] }).notNull(),
    subject: text().notNull(),
    /** A rolling range, such as the last 30 days; null for fixed days. */
    last: text(),
    /** Fixed days, as 2026-05-01. */
    first_day: text(),
    last_day: text(),
    ends_at: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    index("reports_subject").on(table.workspace_id, table.kind, table.subject, table.id),
    index("reports_end").on(table.ends_at),
  ],
);
