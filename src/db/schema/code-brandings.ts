import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ownColumns } from "./access";

/** How QR codes look beside black on white. Each was read back before it was saved. */
export const codeBrandings = sqliteTable(
  "code_brandings",
  {
    ...ownColumns(),
    name: text().notNull(),
    name_key: text().notNull(),
    /** `#rrggbb` in lower case. */
    colour: text().notNull(),
    /** In the frame, outside the quiet zone; null for no frame. */
    call: text(),
    created_at: integer().notNull(),
    /** Whether the logo is that of pages for visitors. */
    page_logo: integer().notNull().default(0),
    /** Its own one: an SVG, or a PNG in base64. It is last, so that nothing else is read behind its 27 KB. */
    logo: text(),
  },
  (table) => [uniqueIndex("code_brandings_name").on(table.workspace_id, table.name_key)],
);
