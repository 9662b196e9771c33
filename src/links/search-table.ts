import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Statement } from "../db/client";
import { links } from "../db/schema";

// The search index: trigrams of every link's slug, title and destination, folded. A row's number is its workspace, its
// status and its link, so that a search looks at nobody else's words. While the index is dropped a plain table stands in
// its place, which takes the same statements and is looked at by nobody.

export const INDEX = sql.raw("link_search");
export const ROW = sql.raw("link_search.rowid");
const ROWS_A_CHUNK = 5_000;

type Part = SQL | SQLiteColumn;
/** The number of a row of the index. */
export const numberOf = (workspaceId: Part, archived: Part, linkRowId: Part): SQL =>
  sql`(${workspaceId} << 33) + (${archived} << 32) + ${linkRowId}`;
const NUMBER = numberOf(links.workspace_id, links.archived, links.id);
/** D1 binds every number as a fraction, which is not shifted. */
export const whole = (value: number | SQL): SQL => sql`cast(${value} as integer)`;

const CREATE = sql`create virtual table ${INDEX} using fts5(slug, title, destination, content='', contentless_delete=1,
  tokenize='trigram case_sensitive 1')`;
const STAND_IN = sql`create table ${INDEX} (slug text, title text, destination text)`;

/** Puts the links that `from` selects into the index. */
export const indexing = (from: SQL): SQL => sql`insert into ${INDEX} (rowid, slug, title, destination)
  select ${NUMBER}, ${links.slug_key}, ${links.title_key}, ${links.destination_key} from ${from}`;

export const dropIndex = (): Statement[] => [
  (orm) => orm.run(sql`drop table ${INDEX}`),
  (orm) => orm.run(STAND_IN),
];

export const createIndex = (): Statement[] => [
  (orm) => orm.run(sql`drop table ${INDEX}`),
  (orm) => orm.run(CREATE),
];

export const lastLinkId: Statement<{ last: number }[]> = (orm) =>
  orm.all<{ last: number }>(sql`select coalesce(max(id), 0) as last from ${links}`);

/** Puts the links of a range of row ids into the index; returns where the next range begins. */
export function indexChunk(from: number): { statement: Statement; next: number } {
  const next = from + ROWS_A_CHUNK;
  return {
    next,
    statement: (orm) =>
      orm.run(sql`insert or replace into ${INDEX} (rowid, slug, title, destination)
        select ${NUMBER}, ${links.slug_key}, ${links.title_key}, ${links.destination_key} from ${links}
        where ${links.id} >= ${from} and ${links.id} < ${next} and ${links.deleted_at} is null`),
  };
}
