import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ownColumns } from "./access";

/** What links of a channel have in common, for making several links of one destination. */
export const savedChannels = sqliteTable(
  "saved_channels",
  {
    ...ownColumns(),
    name: text().notNull(),
    name_key: text().notNull(),
    utm_source: text(),
    utm_medium: text(),
    channel: text(),
    /** JSON: public ids of tags, some of which may have been deleted. */
    tag_ids: text().notNull(),
    /** A slug in which `{link}` stands for what is typed; null for slugs that are made. */
    slug_pattern: text(),
    created_at: integer().notNull(),
  },
  (table) => [uniqueIndex("saved_channels_name").on(table.workspace_id, table.name_key)],
);
