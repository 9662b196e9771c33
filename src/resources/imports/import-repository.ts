import { and, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { abortUnless } from "../../db/audit";
import { deleteAmong } from "../../db/chunk";
import type { Guard, Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { members, workspaces } from "../../db/schema/access";
import { auditLog } from "../../db/schema/audit";
import { importRows, imports } from "../../db/schema/imports";
import { SUBJECT_INDEX } from "../audit/audit-statements";
import { type EarlierImport, MEGABYTE } from "./import-file";
import { selectRowId, whereLastSent } from "./import-statements";

export type ImportFile = typeof imports.$inferSelect;

/** An import that is still being stored has no row count. */
const whereImport = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(imports.workspace_id, workspaceId), eq(imports.public_id, id), gt(imports.row_count, 0));

/** The most imports, and megabytes of their rows, that a workspace stores, whatever their status. */
export const MAX_IMPORTS = 100;

export const MAX_STORED_MEGABYTES = 50;

/** What a workspace stores. */
export interface StoredImports {
  imports: number;
  bytes: number;
}

const selectStored = (workspaceId: number): SQL =>
  sql`select count(*) as imports, coalesce(sum(${imports.bytes}), 0) as bytes from ${imports}
    where ${imports.workspace_id} = ${workspaceId}`;

export const selectStoredImports = (workspaceId: number) => orm.all<StoredImports>(selectStored(workspaceId));

export type NewImport = Pick<
  ImportFile,
  "public_id" | "workspace_id" | "name" | "bytes" | "digest" | "about" | "created_at"
>;

/**
 * Starts to store a file. Beyond a limit of the workspace it inserts nothing, so `insertImportRows` fails. Repeats have no
 * effect. `updateRowCount` completes it.
 */
export const insertImport = (row: NewImport) =>
  orm.run(sql`insert into ${imports} (public_id, workspace_id, name, row_count, bytes, digest, about, created_at)
      select ${row.public_id}, ${row.workspace_id}, ${row.name}, 0, ${row.bytes}, ${row.digest}, ${row.about},
        ${row.created_at}
      from (${selectStored(row.workspace_id)}) as stored
      where stored.imports < ${MAX_IMPORTS} and stored.bytes + ${row.bytes} <= ${MAX_STORED_MEGABYTES * MEGABYTE}
      on conflict do nothing`);

/** Completes a file. One in which no row creates or changes a link is finished at once. */
export const updateRowCount = (
  workspaceId: number,
  id: string,
  rowCount: number,
  finishedAt: number | null,
) =>
  orm
    .update(imports)
    .set({ row_count: rowCount, finished_at: finishedAt })
    .where(and(eq(imports.workspace_id, workspaceId), eq(imports.public_id, id)));

/** Changes an import that is stored, if `and` holds. */
const update = (
  workspaceId: number,
  id: string,
  fields: SQLiteUpdateSetSource<typeof imports>,
  condition?: SQL,
) =>
  orm
    .update(imports)
    .set(fields)
    .where(and(whereImport(workspaceId, id), condition));

export const selectImport = (workspaceId: number, id: string) =>
  orm.select().from(imports).where(whereImport(workspaceId, id));

const { about: _, ...listedColumns } = getTableColumns(imports);

export type ListedImport = Omit<ImportFile, "about">;

export const selectNewestImports = (workspaceId: number, most: number) =>
  orm
    .select(listedColumns)
    .from(imports)
    .where(and(eq(imports.workspace_id, workspaceId), gt(imports.row_count, 0), whereLastSent))
    .orderBy(desc(imports.id))
    .limit(most);

/** True of an import `begun` that has or may get links from rows with this digest, and has not been undone. */
const whereMadeFrom = (workspaceId: number, digest: string): SQL =>
  sql`begun.workspace_id = ${workspaceId} and begun.started_at is not null and begun.undone_at is null
    and begun.digest = ${digest}
    and (begun.finished_at is null
      or exists (select 1 from ${importRows} where import_id = begun.id and link is not null))`;

/** The started import with rows of this digest, if it has links or is running. */
export const selectImportByDigest = (workspaceId: number, digest: string) =>
  orm.all<
    Pick<EarlierImport, "id" | "dates">
  >(sql`select public_id as id, about ->> '$.reading.dates.order' as dates from ${imports} as begun
      where ${whereMadeFrom(workspaceId, digest)} order by begun.id limit 1`);

/** Holds for an import that nobody has started or discarded, unless another import has the same rows. */
export const ensureStartable = (workspaceId: number, id: string, digest: string): Guard =>
  abortUnless(sql`exists (select 1 from ${imports} where ${whereImport(workspaceId, id)} and ${imports.started_at} is null)
    and not exists (select 1 from ${imports} as begun where ${whereMadeFrom(workspaceId, digest)})`);

export const updateStarted = (workspaceId: number, id: string, at: number) =>
  update(workspaceId, id, { started_at: at });

/** Workspaces beyond these wait until an import of theirs is among the oldest. */
const MAX_RUNNING_IMPORTS = 500;

/** The length of `member:`, with which an actor who is a person begins. */
const MEMBER_PREFIX = "member:".length;

/** The first of the actors of an import who may edit links still: the person who started it, else who went on with it. */
const selectActor = (workspaceId: SQL, id: SQL): SQL =>
  sql`(select ${auditLog.actor} from ${auditLog} ${SUBJECT_INDEX} where ${auditLog.workspace_id} = ${workspaceId}
    and ${auditLog.subject} = ${id} and exists (select 1 from ${members} where ${members.workspace_id} = ${workspaceId}
      and ${members.email} = substr(${auditLog.actor}, ${MEMBER_PREFIX + 1}) and ${members.role} <> 'viewer')
    order by ${auditLog.id} limit 1)`;

/** The actor in whose name the schedule goes on with an import; null if it waits for somebody to go on. */
export const selectImportActor = (workspaceId: number, id: string) =>
  orm.all<{ actor: string | null }>(sql`select ${selectActor(sql`${workspaceId}`, sql`${id}`)} as actor`);

/** The import of each workspace that has been running longest, without those that wait for somebody to go on. */
export const selectRunningImports = () =>
  orm.all<{
    id: string;
    workspace: string;
    actor: string;
  }>(sql`select oldest.public_id as id, ${workspaces.slug} as workspace, oldest.actor
      from (select public_id, workspace_id, actor, min(started_at) from
          (select public_id, workspace_id, started_at,
              ${selectActor(sql`running.workspace_id`, sql`running.public_id`)} as actor from ${imports} as running
            where started_at is not null and finished_at is null and actor is not null
            order by started_at limit ${MAX_RUNNING_IMPORTS})
          group by workspace_id) as oldest
        cross join ${workspaces} on ${workspaces.id} = oldest.workspace_id and ${workspaces.suspended_at} is null
      order by ${workspaces.id}`);

export const updateFinished = (workspaceId: number, id: string, at: number) =>
  update(workspaceId, id, { finished_at: at }, isNull(imports.finished_at));

export const updateUndone = (workspaceId: number, id: string, at: number) =>
  update(workspaceId, id, { undone_at: at }, isNull(imports.undone_at));

/** Stores that the links of an undo were restored. */
export const updateRestored = (workspaceId: number, id: string) =>
  update(workspaceId, id, {
    undone_at: null,
    about: sql`json_set(${imports.about}, '$.restored', json('true'))`,
  });

/** Deletes a file and its rows; created links stay. */
export const deleteImport = (workspaceId: number, id: string): Statement[] => [
  orm.delete(importRows).where(eq(importRows.import_id, selectRowId(workspaceId, id))),
  orm.delete(imports).where(and(eq(imports.workspace_id, workspaceId), eq(imports.public_id, id))),
];

/** The most files whose rows are deleted at once. */
const MAX_OLD_IMPORTS = 20;

/** Deletes a chunk of the rows of the oldest files, and files without rows. */
export function deleteImportsBefore(at: number): [rows: Statement, files: Statement] {
  const old = sql`select ${imports.id} from ${imports} where ${imports.created_at} < ${at}
    order by ${imports.created_at} limit ${sql.raw(`${MAX_OLD_IMPORTS}`)}`;
  return [
    deleteAmong(importRows, importRows.import_id, old),
    orm
      .delete(imports)
      .where(
        sql`${imports.id} in (${old}) and not exists (select 1 from ${importRows} where ${importRows.import_id} = ${imports.id})`,
      ),
  ];
}
