import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { importRows } from "../../db/schema/imports";
import { selectRowId } from "./row-id";

export type KeptRow = Pick<typeof importRows.$inferSelect, "number" | "input" | "errors" | "link">;

/** The rows after the heading, which is number 0. */
const whereRowOf = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(importRows.import_id, selectRowId(workspaceId, id)), gt(importRows.number, 0));

/** Inserts rows, given as JSON lists of number, input and errors. */
export const insertImportRows =
  (workspaceId: number, id: string, rows: string): Statement =>
  (orm) =>
    orm.run(sql`insert into ${importRows} (workspace_id, import_id, number, input, errors)
      select ${workspaceId}, ${selectRowId(workspaceId, id)}, value ->> 0, value ->> 1, value ->> 2 from json_each(${rows})
      where true on conflict do nothing`);

export const countRows =
  (workspaceId: number, id: string): Statement<{ made: number; refused: number }[]> =>
  (orm) =>
    orm
      .select({
        made: sql<number>`count(${importRows.link})`,
        refused: sql<number>`count(${importRows.errors})`,
      })
      .from(importRows)
      .where(whereRowOf(workspaceId, id));

const columns = {
  number: importRows.number,
  input: importRows.input,
  errors: importRows.errors,
  link: importRows.link,
};

export const selectHeading =
  (workspaceId: number, id: string): Statement<KeptRow[]> =>
  (orm) =>
    orm
      .select(columns)
      .from(importRows)
      .where(and(eq(importRows.import_id, selectRowId(workspaceId, id)), eq(importRows.number, 0)));

/** Rows by number, all or the refused ones: after `after`, without the first `offset`. */
export const selectRowPage =
  (
    workspaceId: number,
    id: string,
    show: "all" | "refused",
    page: { after: number; offset: number; limit: number },
  ): Statement<KeptRow[]> =>
  (orm) =>
    orm
      .select(columns)
      .from(importRows)
      .where(
        and(
          eq(importRows.import_id, selectRowId(workspaceId, id)),
          gt(importRows.number, page.after),
          show === "refused" ? isNotNull(importRows.errors) : undefined,
        ),
      )
      .orderBy(asc(importRows.number))
      .limit(page.limit)
      .offset(page.offset);

export const selectPendingRows =
  (workspaceId: number, id: string, most: number): Statement<KeptRow[]> =>
  (orm) =>
    orm
      .select(columns)
      .from(importRows)
      .where(and(whereRowOf(workspaceId, id), isNull(importRows.link), isNull(importRows.errors)))
      .orderBy(asc(importRows.number))
      .limit(most);

/** Stores results, given as JSON lists of number, link and errors. A row with a link does not change. */
export const updateOutcomes =
  (workspaceId: number, id: string, outcomes: string): Statement =>
  (orm) =>
    orm.run(sql`update ${importRows} set
        link = (select value ->> 1 from json_each(${outcomes}) where value ->> 0 = number),
        errors = (select value ->> 2 from json_each(${outcomes}) where value ->> 0 = number)
      where import_id = ${selectRowId(workspaceId, id)} and number in (select value ->> 0 from json_each(${outcomes}))
        and link is null`);

/** The rows with a link after a row. */
export const selectImportedLinks =
  (
    workspaceId: number,
    id: string,
    after: number,
    limit: number,
  ): Statement<{ number: number; link: string }[]> =>
  (orm) =>
    orm
      .select({ number: importRows.number, link: sql<string>`${importRows.link}`.as("link") })
      .from(importRows)
      .where(
        and(
          eq(importRows.import_id, selectRowId(workspaceId, id)),
          gt(importRows.number, after),
          isNotNull(importRows.link),
        ),
      )
      .orderBy(asc(importRows.number))
      .limit(limit);

/** Stores how far an undo is, unless another run has moved it from `after`; undefined begins it. */
export const updateUndo =
  (workspaceId: number, id: string, after: number | undefined, undo: string): Statement =>
  (orm) =>
    orm.run(sql`update ${importRows} set input = json_set(input, '$.undo', json(${undo}))
      where import_id = ${selectRowId(workspaceId, id)} and number = 0 and (input ->> '$.undo.after') is ${after ?? null}`);

/** Stores that the links of an undo were restored. */
export const updateUndoRestored =
  (workspaceId: number, id: string): Statement =>
  (orm) =>
    orm.run(sql`update ${importRows} set input = json_set(input, '$.undo.restored', json('true'))
      where import_id = ${selectRowId(workspaceId, id)} and number = 0`);
