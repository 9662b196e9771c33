import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { inWorkspace, ownColumns } from "./access";
import { links } from "./links";

/** Stands before the public id of a tag that is being removed, which is its name and slug too. No other text begins with it. */
export const MARK_OF_REMOVED = "~";

export const tags = sqliteTable(
  "tags",
  {
    ...ownColumns(),
    version: integer().notNull().default(1),
    name: text().notNull(),
    name_key: text().notNull(),
    slug: text().notNull(),
    colour: text(),
    description: text(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    /**
     * Null for a tag. A removed tag keeps its row until it is off all links: with the row id of the tag that its links show
     * in its place, or 0 for none.
     */
    replaced_by: integer(),
  },
  (table) => [
    uniqueIndex("tags_workspace_row").on(table.workspace_id, table.id),
    uniqueIndex("tags_workspace_name").on(table.workspace_id, table.name_key),
    uniqueIndex("tags_workspace_slug").on(table.workspace_id, table.slug),
    index("tags_replaced").on(table.replaced_by).where(sql`replaced_by is not null`),
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
    inWorkspace("link_tags_link", [table.workspace_id, table.link_id], links),
    inWorkspace("link_tags_tag", [table.workspace_id, table.tag_id], tags),
  ],
);
