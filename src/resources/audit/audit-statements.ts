import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { boundList, fromList, listed } from "../../db/bound-list";
import { orm } from "../../db/prepared";
import { auditLog } from "../../db/schema/audit";

/** Every operator: without a name, or with one behind a colon. */
export const OPERATOR = "operator";

export const whereActor = (column: SQLiteColumn | SQL, actor: string): SQL =>
  actor === OPERATOR
    ? sql`(${column} = ${OPERATOR} or ${column} like ${`${OPERATOR}:%`})`
    : sql`${column} = ${actor}`;

const { id: _, workspace_id: __, ...columns } = getTableColumns(auditLog);

export type AuditRow = Omit<typeof auditLog.$inferSelect, "id" | "workspace_id">;

export const selectAuditEntry = (workspaceId: number, operation: string) =>
  orm
    .select(columns)
    .from(auditLog)
    .where(and(eq(auditLog.operation_id, operation), sql`+${auditLog.workspace_id} = ${workspaceId}`));

/** The finished ones of these operations, each with its subject. */
export const selectDoneOperations = (ids: readonly string[]) =>
  orm
    .select({ id: auditLog.operation_id, subject: auditLog.subject })
    .from(fromList(boundList(ids)))
    .crossJoin(auditLog)
    .where(sql`${auditLog.operation_id} = ${listed()}`);

/**
 * The batch of all entries of an import, and the operation of the first one. The undo of the import has the batch `id`, and its
 * rows have operations between `id.` and `id/`.
 */
export const batchOfImport = (id: string): string => `${id}:import`;

export const selectNextChange = (workspaceId: number, operation: string) =>
  orm.all<{
    change: string | null;
  }>(sql`select next.change from ${auditLog} as own cross join ${auditLog} as next ${SUBJECT_INDEX}
      where own.operation_id = ${operation} and +own.workspace_id = ${workspaceId}
        and next.workspace_id = ${workspaceId} and next.subject = own.subject and next.id > own.id
      order by next.id limit 1`);

const entryColumns = sql`own.operation_id, own.actor, own.action, own.subject, own.before, own.change, own.at,
        own.batch, next.change as next_change, next.id is not null as has_next`;

const joinNext = (workspaceId: number) =>
  sql`left join ${auditLog} as next on next.id = (select later.id from ${auditLog} as later ${SUBJECT_INDEX}
        where later.workspace_id = ${workspaceId} and later.subject = own.subject and later.id > own.id
        order by later.id limit 1)`;

/** Reads the entries that `selectBatch` or `selectEntriesOfImport` selects. */
export const readEntries = (entries: SQL) =>
  orm.all<AuditRow & { next_change: string | null; has_next: number }>(entries);

export const selectBatch = (workspaceId: number, batch: string, after: string, limit: number): SQL =>
  sql`select ${entryColumns}
      from ${auditLog} as own ${BATCH_INDEX} ${joinNext(workspaceId)}
      where own.batch = ${batch} and +own.workspace_id = ${workspaceId}
        and own.id > coalesce((select id from ${auditLog} where operation_id = ${after} and +workspace_id = ${workspaceId}), 0)
      order by own.id limit ${limit}`;

/** The entries of the rows of an import after an operation, in the order of their operation ids. */
export const selectEntriesOfImport = (workspaceId: number, id: string, after: string, limit: number): SQL =>
  sql`select ${entryColumns} from ${auditLog} as own ${joinNext(workspaceId)}
      where own.operation_id > max(${after}, ${`${id}.`}) and own.operation_id < ${`${id}/`}
        and +own.workspace_id = ${workspaceId}
      order by own.operation_id limit ${limit}`;

/** Named, since with further conditions SQLite may read all entries of a time or workspace instead. */
export const SUBJECT_INDEX = sql.raw("indexed by audit_log_subject");
export const HEADS_INDEX = sql.raw("indexed by audit_log_heads");
export const BATCH_INDEX = sql.raw("indexed by audit_log_batch");
