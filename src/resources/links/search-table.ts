import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { links } from "../../db/schema/links";

// The search index holds trigrams of each link's folded slug, title and destination, and of its text without accents if
// that differs. The row id is made of the workspace, the status and the link, so a search reads only its own workspace.
// While the index is dropped, an empty placeholder table accepts the same statements.

export const SEARCH_TABLE = sql.raw("link_search");
export const SEARCH_ROW_ID = sql.raw("link_search.rowid");
const MAX_ROW_IDS = 1_000;

type Part = SQL | SQLiteColumn;

export const toSearchRowId = (workspaceId: Part, archived: Part, linkRowId: Part): SQL =>
  sql`(${workspaceId} << 33) + (${archived} << 32) + ${linkRowId}`;

/** D1 binds every number as a float, which SQLite cannot shift. */
export const asInteger = (value: number | SQL): SQL => sql`cast(${value} as integer)`;

const CREATE = sql`create virtual table ${SEARCH_TABLE} using fts5(slug, title, destination, plain, content='',
  contentless_delete=1, tokenize='trigram case_sensitive 1')`;
const CREATE_PLACEHOLDER = sql`create table ${SEARCH_TABLE} (slug text, title text, destination text, plain text)`;

export const insertSearchRows = (
  from: SQL,
): SQL => sql`insert or replace into ${SEARCH_TABLE} (rowid, slug, title, destination, plain)
  select ${toSearchRowId(links.workspace_id, links.archived, links.id)}, ${links.folded_slug}, ${links.title_key},
    ${links.destination_key}, ${links.plain_text} from ${from}`;

export const replaceSearchTable = (isIndex: boolean): Statement[] => [
  orm.run(sql`drop table ${SEARCH_TABLE}`),
  orm.run(isIndex ? CREATE : CREATE_PLACEHOLDER),
];

/** Indexes a range of link row ids. `next` is where the next range starts. */
export const indexLinkRange = (from: number): { statement: Statement; next: number } => ({
  next: from + MAX_ROW_IDS,
  statement: orm.run(
    insertSearchRows(sql`${links} where ${links.id} >= ${from} and ${links.id} < ${from + MAX_ROW_IDS}
        and ${links.deleted_at} is null`),
  ),
});
