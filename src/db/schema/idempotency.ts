import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { apiKeys } from "./access";

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
