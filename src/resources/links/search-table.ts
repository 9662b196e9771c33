import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Statement } from "../../db/client";
import { fromList, item, toList } from "../../db/list";
import { links } from "../../db/schema/links";

// The search index holds trigrams of each link's folded slug, title and destination, and after the title the text without
// accents in private characters, if that differs. The row id is made of the
// workspace, the status and the link, so a search reads only its own workspace. While the index is dropped, an empty
// placeholder table accepts the same statements.

export const SEARCH_TABLE = sql.raw("link_search");
export const SEARCH_ROW_ID = sql.raw("link_search.rowid");
const MAX_ROW_IDS = 1_000;

type Part = SQL | SQLiteColumn;
export const toSearchRowId = (workspaceId: Part, archived: Part, linkRowId: Part): SQL =>
  sql`(${workspaceId} << 33) + (${archived} << 32) + ${linkRowId}`;
const ROW_ID_OF_LINK = toSearchRowId(links.workspace_id, links.archived, links.id);
/** D1 binds every number as a float, which SQLite cannot shift. */
export const asInteger = (value: number | SQL): SQL => sql`cast(${value} as integer)`;

const CREATE = sql`create virtual table ${SEARCH_TABLE} using fts5(slug, title, destination, content='', contentless_delete=1,
  tokenize='trigram case_sensitive 1')`;
const CREATE_PLACEHOLDER = sql`create table ${SEARCH_TABLE} (slug text, title text, destination text)`;

/** The title with the text without accents, if that differs: `plain` is a text of private characters, or null. */
const withPlain = (plain: SQL): SQL =>
  sql`iif(${plain} is null, ${links.title_key}, coalesce(${links.title_key}, '') || char(10) || ${plain})`;

/** Inserts the links of a `from` clause into the search index; `plain` is their text without accents, or null. */
export const insertSearchRows = (
  from: SQL,
  plain: SQL,
): SQL => sql`insert into ${SEARCH_TABLE} (rowid, slug, title, destination)
  select ${ROW_ID_OF_LINK}, ${links.slug_key}, ${withPlain(plain)}, ${links.destination_key} from ${from}`;

export const dropSearchTable = (): Statement[] => [
  (orm) => orm.run(sql`drop table ${SEARCH_TABLE}`),
  (orm) => orm.run(CREATE_PLACEHOLDER),
];

export const createSearchTable = (): Statement[] => [
  (orm) => orm.run(sql`drop table ${SEARCH_TABLE}`),
  (orm) => orm.run(CREATE),
];

export const selectLastLinkId: Statement<{ last: number }[]> = (orm) =>
  orm.all<{ last: number }>(sql`select coalesce(max(id), 0) as last from ${links}`);

/** A link of a range with its texts that may have accents. */
interface AccentedRow {
  id: number;
  version: number;
  title_key: string | null;
  destination_key: string;
}

const whereInRange = (from: number): SQL =>
  sql`${links.id} >= ${from} and ${links.id} < ${from + MAX_ROW_IDS} and ${links.deleted_at} is null`;
/** Texts with a character outside ASCII. */
export const IS_ACCENTED = sql`(${links.title_key} glob '*[^ -~]*' or ${links.destination_key} glob '*[^ -~]*')`;

/** The links of a range whose texts may have accents. `next` is where the next range starts. */
export const selectAccentedLinks = (from: number): { statement: Statement<AccentedRow[]>; next: number } => ({
  next: from + MAX_ROW_IDS,
  statement: (orm) =>
    orm.all<AccentedRow>(sql`select ${links.id} as id, ${links.version} as version, ${links.title_key} as title_key,
      ${links.destination_key} as destination_key from ${links} where ${whereInRange(from)} and ${IS_ACCENTED}`),
});

/**
 * Indexes a range of link row ids. `plain` are the texts without accents, "" for none. A link that has changed since
 * they were read is left out: its change has indexed it.
 */
export const indexLinkRange =
  (from: number, plain: readonly (readonly [id: number, version: number, plain: string])[]): Statement =>
  (orm) =>
    orm.run(sql`insert or replace into ${SEARCH_TABLE} (rowid, slug, title, destination)
      select ${ROW_ID_OF_LINK}, ${links.slug_key}, ${withPlain(sql`nullif(${item(2)}, '')`)}, ${links.destination_key}
      from ${links} left join ${fromList(toList(plain.length === 0 ? [[0, 0, ""]] : plain))}
        on ${item(0)} = ${links.id} and ${item(1)} = ${links.version}
      where ${whereInRange(from)} and (${item(0)} is not null or not ${IS_ACCENTED})`);
