import { and, or, type SQL, sql } from "drizzle-orm";
import { type Argument, type Guard, PreparedGuard, prepared, type Statement } from "./prepared";
import { auditLog } from "./schema/audit";

/** The audit entry of a batch, with the guards that the batch depends on. */
export interface AuditedChange {
  workspaceId: number | null;
  actor: string;
  action: string;
  /** Public id of the changed resource, or its name if it has no id. */
  subject: string;
  at: number;
  /** The previous state: JSON, or a sub-select that returns JSON. */
  before?: SQL | string;
  change?: object;
  /** The public resource in the response. Stored only for a request with an `Idempotency-Key`. */
  answer?: object;
  guards?: readonly Guard[];
  /** The operation id, if the caller needs it before the write. It must be new. */
  operation?: string;
  /** Id of the first operation of a change of many. */
  batch?: string;
}

interface AuditRow {
  [column: string]: string | number | null;
  operation_id: string;
  workspace_id: number | null;
  actor: string;
  action: string;
  subject: string;
  before: string | null;
  change: string | null;
  at: number;
  batch: string | null;
}

/** True on a retry of a committed batch, which must fail on its operation id: its guards may no longer hold. */
const whereCommitted = (operationId: string): SQL =>
  sql`exists (select 1 from ${auditLog} where ${auditLog.operation_id} = ${operationId})`;

/** A failed guard makes `action` null. The column refuses null, so the batch aborts. */
const insert = (row: AuditRow, before: SQL | string | null, guards: readonly SQL[]): Statement => {
  const { operation_id: id, action } = row;
  const guarded =
    guards.length === 0
      ? action
      : sql`case when ${or(and(...guards), whereCommitted(id))} then ${action} end`;
  return (orm) => orm.insert(auditLog).values({ ...row, action: guarded, before });
};

type Insert = (row: AuditRow, ...args: readonly Argument[]) => Statement;

/** Keyed by the names of the guards. */
const inserts = new Map<string, Insert>();

function insertFor(guards: readonly PreparedGuard[]): Insert {
  const names = guards.map(({ name }) => name).join();
  const known = inserts.get(names);
  if (known !== undefined) return known;
  const made: Insert = prepared((row: AuditRow, ...args: readonly Argument[]) => {
    const left = [...args];
    return insert(
      row,
      row.before,
      guards.map(({ write, args: own }) => write(...left.splice(0, own.length))),
    );
  });
  inserts.set(names, made);
  return made;
}

/** The first statement of every batch that changes data. */
export function insertAuditRow(operationId: string, change: AuditedChange): Statement {
  const { guards = [], before = null } = change;
  const row: AuditRow = {
    operation_id: operationId,
    workspace_id: change.workspaceId,
    actor: change.actor,
    action: change.action,
    subject: change.subject,
    before: null,
    change: change.change === undefined ? null : JSON.stringify(change.change),
    at: change.at,
    batch: change.batch ?? null,
  };
  const known = guards.filter((guard) => guard instanceof PreparedGuard);
  if (known.length < guards.length || (before !== null && typeof before !== "string")) {
    return insert(
      row,
      before,
      guards.map((guard) => guard.getSQL()),
    );
  }
  return insertFor(known)({ ...row, before }, ...known.flatMap(({ args }) => args));
}
