import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/list";
import { orm } from "../../db/prepared";
import { auditLog } from "../../db/schema/audit";

const { id: _, workspace_id: __, ...columns } = getTableColumns(auditLog);

export type AuditRow = Omit<typeof auditLog.$inferSelect, "id" | "workspace_id">;

export const selectAuditEntry = (workspaceId: number, operation: string) =>
  orm
    .select(columns)
    .from(auditLog)
    .where(and(eq(auditLog.operation_id, operation), sql`+${auditLog.workspace_id} = ${workspaceId}`));

/** The next change of the same subject after an operation. */
export const selectNextChange = (workspaceId: number, operation: string) =>
  orm.all<{
    change: string | null;
  }>(sql`select next.change from ${auditLog} as own cross join ${auditLog} as next ${SUBJECT_INDEX}
      where own.operation_id = ${operation} and +own.workspace_id = ${workspaceId}
        and next.workspace_id = ${workspaceId} and next.subject = own.subject and next.id > own.id
      order by next.id limit 1`);

/** An entry of a batch, with the next change of the same link. */
export interface BatchRow extends AuditRow {
  id: number;
  /** The `change` of the next entry of the same link; null if it is the last. */
  next_change: string | null;
  has_next: number;
}

const batchColumns = sql`own.id, own.operation_id, own.actor, own.action, own.subject, own.before, own.change, own.at,
        own.batch, next.change as next_change, next.id is not null as has_next`;

const joinNext = (workspaceId: number) =>
  sql`left join ${auditLog} as next on next.id = (select later.id from ${auditLog} as later ${SUBJECT_INDEX}
        where later.workspace_id = ${workspaceId} and later.subject = own.subject and later.id > own.id
        order by later.id limit 1)`;

/** The entries of operations. */
export const selectOperations = (workspaceId: number, operations: readonly string[]) =>
  orm.all<BatchRow>(sql`select ${batchColumns} from ${fromList(boundList(operations))}
      cross join ${auditLog} as own on own.operation_id = ${listed()} and +own.workspace_id = ${workspaceId}
      ${joinNext(workspaceId)}`);

/** The entries of a batch after a row, in their order. */
export const selectBatch = (workspaceId: number, batch: string, after: number, limit: number) =>
  orm.all<BatchRow>(sql`select ${batchColumns}
      from ${auditLog} as own ${BATCH_INDEX} ${joinNext(workspaceId)}
      where own.batch = ${batch} and +own.workspace_id = ${workspaceId} and own.id > ${after}
      order by own.id limit ${limit}`);

/** With a time range the planner would scan the whole range instead of the subject's entries. */
export const SUBJECT_INDEX = sql.raw("indexed by audit_log_subject");
export const BATCH_INDEX = sql.raw("indexed by audit_log_batch");
