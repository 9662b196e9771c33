import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { orm } from "../../db/prepared";
import { importRows } from "../../db/schema/imports";
import { selectRowId } from "./import-statements";

const { workspace_id: _, import_id: __, ...rowColumns } = getTableColumns(importRows);

export type KeptRow = Omit<typeof importRows.$inferSelect, "workspace_id" | "import_id">;

const whereRowOf = (workspaceId: number, id: string): SQL =>
  eq(importRows.import_id, selectRowId(workspaceId, id));

/** Inserts rows, given as JSON lists of number, input, errors and update. */
export const insertImportRows = (workspaceId: number, id: string, rows: string) =>
  orm.run(sql`insert into ${importRows} (workspace_id, import_id, number, input, errors, updates)
      select ${workspaceId}, ${selectRowId(workspaceId, id)}, value ->> 0, value ->> 1, value ->> 2, value ->> 3
      from json_each(${rows})
      where true on conflict do nothing`);

/** Counts the rows that are updates, of which some change nothing, without the refused ones. */
const countUpdates = (changes: SQL) =>
  sql<number>`count(iif(${importRows.errors} is null and ${importRows.updates} is not null and ${changes}, 1, null))`;

const firstChange = sql`${importRows.updates} ->> '$.changes[0]'`;

export const countRows = (workspaceId: number, id: string) =>
  orm
    .select({
      made: sql<number>`count(${importRows.link})`,
      refused: sql<number>`count(${importRows.errors})`,
      updated: countUpdates(sql`${firstChange} is not null`),
      unchanged: countUpdates(sql`${firstChange} is null`),
    })
    .from(importRows)
    .where(whereRowOf(workspaceId, id));

const SHOWN = {
  all: undefined,
  refused: isNotNull(importRows.errors),
  /** Those that make or change a link. */
  changes: and(isNull(importRows.errors), sql`(${importRows.updates} is null or ${firstChange} is not null)`),
  pending: and(isNull(importRows.link), isNull(importRows.errors)),
};

/** Which rows, by number: after `after`, without the first `offset`. */
interface RowPage {
  after?: number;
  offset?: number;
  limit: number;
}

/** Rows by number, all or some. */
export const selectRowPage = (
  workspaceId: number,
  id: string,
  show: keyof typeof SHOWN,
  { after = 0, offset = 0, limit }: RowPage,
) =>
  orm
    .select(rowColumns)
    .from(importRows)
    .where(and(whereRowOf(workspaceId, id), gt(importRows.number, after), SHOWN[show]))
    .orderBy(asc(importRows.number))
    .limit(limit)
    .offset(offset);

/** How many bytes each of these rows has. */
export const selectRowSizes = (
  workspaceId: number,
  id: string,
  show: keyof typeof SHOWN,
  { offset = 0, limit }: Omit<RowPage, "after">,
) =>
  orm
    .select({
      size: sql<number>`ifnull(octet_length(${importRows.input}), 0) + ifnull(octet_length(${importRows.errors}), 0)
        + ifnull(octet_length(${importRows.updates}), 0)`,
    })
    .from(importRows)
    .where(and(whereRowOf(workspaceId, id), SHOWN[show]))
    .orderBy(asc(importRows.number))
    .limit(limit)
    .offset(offset);

/** Stores results, given as JSON lists of number, link and errors. A row with a link does not change. */
export const updateOutcomes = (workspaceId: number, id: string, outcomes: string) =>
  orm.run(sql`update ${importRows} set
        link = (select value ->> 1 from json_each(${outcomes}) where value ->> 0 = number),
        errors = (select value ->> 2 from json_each(${outcomes}) where value ->> 0 = number)
      where import_id = ${selectRowId(workspaceId, id)} and number in (select value ->> 0 from json_each(${outcomes}))
        and link is null`);
