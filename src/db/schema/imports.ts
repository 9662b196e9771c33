import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { inWorkspace, ofWorkspace } from "./access";

/** A CSV file that a member imports. */
export const imports = sqliteTable(
  "imports",
  {
    id: integer().primaryKey(),
    public_id: text().notNull().unique(),
    workspace_id: ofWorkspace(),
    /** Name of the file. */
    name: text().notNull(),
    row_count: integer().notNull(),
    /** Of the stored rows, in UTF-8. */
    bytes: integer().notNull().default(0),
    /** SHA-256 of the cells, by which the same rows are known again. */
    digest: text().notNull(),
    /** How its rows are read, what its check has found about all of them, and whether its undo was undone, as JSON. */
    about: text().notNull(),
    created_at: integer().notNull(),
    /** When a member started the import. */
    started_at: integer(),
    finished_at: integer(),
    /** When its links were archived again. */
    undone_at: integer(),
  },
  (table) => [
    uniqueIndex("imports_workspace_row").on(table.workspace_id, table.id),
    index("imports_created").on(table.created_at),
    index("imports_running").on(table.started_at).where(sql`started_at is not null and finished_at is null`),
  ],
);

/** One row of an imported file, with its result. */
export const importRows = sqliteTable(
  "import_rows",
  {
    workspace_id: integer().notNull(),
    import_id: integer().notNull(),
    /** Row number as in a spreadsheet, where the heading is row 1. */
    number: integer().notNull(),
    /** The cells as in the file, as JSON. */
    input: text(),
    /** Invalid fields, as JSON. */
    errors: text(),
    /** Public id of the created or updated link. */
    link: text(),
    /** The link that the row updates, its version at the check, and the fields that change, as JSON; null for a new link. */
    updates: text(),
  },
  (table) => [
    primaryKey({ name: "import_rows_row", columns: [table.import_id, table.number] }),
    inWorkspace("import_rows_import", [table.workspace_id, table.import_id], imports),
  ],
);
