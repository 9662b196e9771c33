import { and, asc, desc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { deleteAmong } from "../db/portion";
import { importRows, imports } from "../db/schema";

export type ImportFile = typeof imports.$inferSelect;
export type KeptRow = Pick<typeof importRows.$inferSelect, "number" | "input" | "errors" | "link">;

/** An import that is still being stored has no row count. */
const whereImport = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(imports.workspace_id, workspaceId), eq(imports.public_id, id), gt(imports.row_count, 0));

const selectRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${imports.id} from ${imports} where ${imports.workspace_id} = ${workspaceId} and ${imports.public_id} = ${id})`;

/** The rows after the heading, which is number 0. */
const whereRowOf = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(importRows.import_id, selectRowId(workspaceId, id)), gt(importRows.number, 0));

/** The most imports that a workspace stores, whatever their status. */
export const MAX_IMPORTS = 100;

const selectImportCount = (workspaceId: number): SQL =>
  sql`(select count(*) from ${imports} where ${imports.workspace_id} = ${workspaceId})`;

export const countImports =
  (workspaceId: number): Statement<{ imports: number }[]> =>
  (orm) =>
    orm.all(sql`select ${selectImportCount(workspaceId)} as imports`);

/**
 * Starts to store a file. At the workspace's limit it inserts nothing, so `insertImportRows` fails. Repeats have no
 * effect. `updateRowCount` completes it.
 */
export const insertImport =
  (row: Pick<ImportFile, "public_id" | "workspace_id" | "name" | "created_at">): Statement =>
  (orm) =>
    orm.run(sql`insert into ${imports} (public_id, workspace_id, name, row_count, created_at)
      select ${row.public_id}, ${row.workspace_id}, ${row.name}, 0, ${row.created_at}
      where ${selectImportCount(row.workspace_id)} < ${MAX_IMPORTS} on conflict do nothing`);

/** Inserts rows, given as JSON lists of number, input and errors. */
export const insertImportRows =
  (workspaceId: number, id: string, rows: string): Statement =>
  (orm) =>
    orm.run(sql`insert into ${importRows} (workspace_id, import_id, number, input, errors)
      select ${workspaceId}, ${selectRowId(workspaceId, id)}, value ->> 0, value ->> 1, value ->> 2 from json_each(${rows})
      where true on conflict do nothing`);

export const updateRowCount =
  (workspaceId: number, id: string, rowCount: number): Statement =>
  (orm) =>
    orm
      .update(imports)
      .set({ row_count: rowCount })
      .where(and(eq(imports.workspace_id, workspaceId), eq(imports.public_id, id)));

export const selectImport =
  (workspaceId: number, id: string): Statement<ImportFile[]> =>
  (orm) =>
    orm.select().from(imports).where(whereImport(workspaceId, id));

export const selectNewestImports =
  (workspaceId: number, most: number): Statement<ImportFile[]> =>
  (orm) =>
    orm
      .select()
      .from(imports)
      .where(and(eq(imports.workspace_id, workspaceId), gt(imports.row_count, 0)))
      .orderBy(desc(imports.id))
      .limit(most);

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

/** The digest of a file's rows, which its heading stores. */
const selectDigest = (importId: SQL): SQL =>
  sql`(select input ->> '$.digest' from ${importRows} where import_id = ${importId} and number = 0)`;

/** True of an import `begun` that has or may get links from rows with this digest. */
const whereMadeFrom = (workspaceId: number, digest: SQL): SQL =>
  sql`begun.workspace_id = ${workspaceId} and begun.started_at is not null and ${selectDigest(sql`begun.id`)} = ${digest}
    and (begun.finished_at is null
      or exists (select 1 from ${importRows} where import_id = begun.id and link is not null))`;

/** The started import with rows of this digest, if it has links or is running. */
export const selectImportByDigest =
  (workspaceId: number, digest: string): Statement<{ id: string }[]> =>
  (orm) =>
    orm.all(sql`select public_id as id from ${imports} as begun
      where ${whereMadeFrom(workspaceId, sql`${digest}`)} order by begun.id limit 1`);

/** Another started import with the same rows as this one. */
export const selectImportOfSameRows =
  (workspaceId: number, id: string): Statement<{ id: string }[]> =>
  (orm) =>
    orm.all(sql`select public_id as id from ${imports} as begun
      where begun.public_id <> ${id} and ${whereMadeFrom(workspaceId, selectDigest(selectRowId(workspaceId, id)))}
      order by begun.id limit 1`);

/** Marks an import as started, unless another import has the same rows. */
export const updateStarted =
  (workspaceId: number, id: string, at: number): Statement =>
  (orm) =>
    orm
      .update(imports)
      .set({ started_at: at })
      .where(
        and(
          whereImport(workspaceId, id),
          isNull(imports.started_at),
          sql`not exists (select 1 from ${imports} as begun where begun.public_id <> ${id}
            and ${whereMadeFrom(workspaceId, selectDigest(selectRowId(workspaceId, id)))})`,
        ),
      );

export const updateFinished =
  (workspaceId: number, id: string, at: number): Statement =>
  (orm) =>
    orm
      .update(imports)
      .set({ finished_at: at })
      .where(and(whereImport(workspaceId, id), isNull(imports.finished_at)));

/** Deletes a file and its rows; created links stay. */
export const deleteImport = (workspaceId: number, id: string): Statement[] => [
  (orm) => orm.delete(importRows).where(eq(importRows.import_id, selectRowId(workspaceId, id))),
  (orm) => orm.delete(imports).where(and(eq(imports.workspace_id, workspaceId), eq(imports.public_id, id))),
];

/** The most files whose rows are deleted at once. */
const MAX_OLD_IMPORTS = 20;

/** Deletes a portion of the rows of the oldest files, and files without rows. */
export function deleteImportsBefore(at: number): [rows: Statement, files: Statement] {
  const old = sql`select ${imports.id} from ${imports} where ${imports.created_at} < ${at}
    order by ${imports.created_at} limit ${sql.raw(`${MAX_OLD_IMPORTS}`)}`;
  return [
    deleteAmong(importRows, importRows.import_id, old),
    (orm) =>
      orm
        .delete(imports)
        .where(
          sql`${imports.id} in (${old}) and not exists (select 1 from ${importRows} where ${importRows.import_id} = ${imports.id})`,
        ),
  ];
}
