import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Statement } from "../db/client";
import { links } from "../db/schema";

// The search index: trigrams of every link's slug, title and destination, folded. A row's number is its workspace, its
// status and its link, so that a search looks at nobody else's words. While the index is dropped a plain table stands in
// its place, which takes the same statements and is looked at by nobody.

export const INDEX = sql.raw("link_search");
const ROW = sql.raw("link_search.rowid");
/** A trigram needs three characters. */
const SHORTEST = 3;
const ROWS_A_CHUNK = 5_000;

type Part = SQL | SQLiteColumn;
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

/** Whether the index can find a text. */
export const isIndexed = (search: string): boolean =>
  [...search].length >= SHORTEST && !search.includes("\0");

/** True of the rows of the index whose link is the workspace's, of one status or of any, and contains the text. */
export function matches(workspaceId: number, status: "active" | "archived" | "all", search: string): SQL {
  const [first, last] = { active: [0, 0], archived: [1, 1], all: [0, 1] }[status];
  const number = (flag: number | undefined) =>
    numberOf(whole(workspaceId), sql.raw(String(flag)), sql.raw("0"));
  const phrase = `"${search.replaceAll('"', '""')}"`;
  return sql`${INDEX} match ${phrase} and ${ROW} >= ${number(first)} and ${ROW} < ${number(last)} + (1 << 32)`;
}

/** The row id of the link that a row of the index stands for. */
export const LINK_ID = sql`(${ROW} & 4294967295)`;

/** Whether an error says that the index is dropped. */
export const isDropped = (error: unknown): boolean =>
  /unable to use function MATCH|no such column: link_search/i.test(
    String(error instanceof Error ? `${error.message} ${error.cause ?? ""}` : error),
  );

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
