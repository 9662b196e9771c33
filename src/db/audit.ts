import { and, or, type SQL, sql } from "drizzle-orm";
import type { Change } from "./client";
import { prepared, type Statement } from "./prepared";
import { auditLog } from "./schema";

/** A repeat of a batch that took effect must fail on its operation id, not on guards that its own first try has changed. */
const isDone = (operationId: string): SQL =>
  sql`exists (select 1 from ${auditLog} where ${auditLog.operation_id} = ${operationId})`;

interface PlainRow {
  [column: string]: string | number | null;
  operation_id: string;
  workspace_id: number | null;
  actor: string;
  action: string;
  subject: string;
  before: null;
  change: string | null;
  at: number;
}

const plainRow = prepared(
  (row: PlainRow): Statement =>
    (orm) =>
      orm.insert(auditLog).values(row),
);

/** The first statement of every batch that changes data. A guard that fails leaves `action` null, which aborts the batch. */
export function auditRow(operationId: string, change: Change): Statement {
  const { guards = [], before, action } = change;
  const row = {
    operation_id: operationId,
    workspace_id: change.workspaceId,
    actor: change.actor,
    action,
    subject: change.subject,
    before: null,
    change: change.change === undefined ? null : JSON.stringify(change.change),
    at: change.at,
  };
  if (guards.length === 0 && before === undefined) return plainRow(row);
  const guarded = sql`case when ${or(and(...guards), isDone(operationId))} then ${action} end`;
  return (orm) =>
    orm
      .insert(auditLog)
      .values({ ...row, action: guards.length === 0 ? action : guarded, before: before ?? null });
}
