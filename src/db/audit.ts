import { and, or, type SQL, sql } from "drizzle-orm";
import { type Argument, type Guard, PreparedGuard, prepared, type Statement } from "./prepared";
import { auditLog } from "./schema";

/** What a batch changes, for the audit log. */
export interface Change {
  workspaceId: number | null;
  actor: string;
  action: string;
  /** The public id of what is changed, or its name where it has none. */
  subject: string;
  at: number;
  /** The state before, as JSON, or as a sub-select that gives it. */
  before?: SQL | string;
  change?: object;
  /** The public resource that the request answers with, kept where the request may be repeated. */
  answer?: object;
  guards?: readonly Guard[];
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
}

/** A repeat of a batch that took effect must fail on its operation id, not on guards that its own first try has changed. */
const isDone = (operationId: string): SQL =>
  sql`exists (select 1 from ${auditLog} where ${auditLog.operation_id} = ${operationId})`;

/** A guard that fails leaves `action` null, which aborts the batch. */
const insert = (row: AuditRow, before: SQL | string | null, guards: readonly SQL[]): Statement => {
  const { operation_id: id, action } = row;
  const guarded =
    guards.length === 0 ? action : sql`case when ${or(and(...guards), isDone(id))} then ${action} end`;
  return (orm) => orm.insert(auditLog).values({ ...row, action: guarded, before });
};

type Insert = (row: AuditRow, ...args: readonly Argument[]) => Statement;

/** By the names of the guards. */
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
export function auditRow(operationId: string, change: Change): Statement {
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
