import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { chunksBySize } from "../lib/chunks";
import { idsInOrder, newId } from "../lib/ids";
import { type BoundList, fromList, listedAs } from "./bound-list";
import { Literal } from "./literal";
import { orm, prepared, type Statement, toLiteral } from "./prepared";
import { auditLog } from "./schema/audit";

/** Aborts its batch unless a condition holds. */
export type Guard = Statement;

/** The audit entry of a batch, with the guards that the batch depends on. */
export interface AuditedChange {
  workspaceId: number | null;
  actor: string;
  action: string;
  subject: string;
  at: number;
  /**
   * What takes space is refused once the database is nearly full, and while creations are off; a change that claims an address
   * only then. What frees space is allowed even in a full database.
   */
  space?: "takes" | "claims" | "frees";
  /** The previous state: JSON, or a sub-select that returns JSON. */
  before?: SQL | string;
  change?: object;
  /** The public resource in the response. Stored only for a request with an `Idempotency-Key`. */
  answer?: object;
  guards?: readonly Guard[];
  /** The operation id, if the caller needs it before the write, or a form has it: then it may be taken. */
  operation?: string | undefined;
  batch?: string;
  /** The entries of further resources, of which each has an operation of its own. */
  others?: readonly OtherEntry[];
}

/** Workspace and action are those of the first entry, and the operation is a new one, unless they are given. */
interface OtherEntry extends Pick<AuditedChange, "operation" | "subject" | "change"> {
  workspaceId?: number;
  action?: string;
  before?: string;
}

type NewAuditRow = Omit<typeof auditLog.$inferSelect, "id">;

const toJson = (change: object | undefined): string | null =>
  change === undefined ? null : JSON.stringify(change);

const insert = prepared((row: NewAuditRow) => orm.insert(auditLog).values(row));

/**
 * The first statement of every batch that changes data. A retry of a committed batch fails here, on its operation id, so
 * the guards after it need not hold any more.
 */
export function insertAuditRow(operationId: string, change: AuditedChange): Statement {
  const { before = null } = change;
  const row = {
    operation_id: operationId,
    workspace_id: change.workspaceId,
    actor: change.actor,
    action: change.action,
    subject: change.subject,
    change: toJson(change.change),
    at: change.at,
    batch: change.batch ?? null,
  };
  return before === null || typeof before === "string"
    ? insert({ ...row, before })
    : orm.insert(auditLog).values({ ...row, before });
}

export const selectTakenOperation = ({ operation }: AuditedChange) =>
  operation === undefined
    ? undefined
    : orm
        .select({ subject: auditLog.subject, at: auditLog.at })
        .from(auditLog)
        .where(eq(auditLog.operation_id, operation));

export const insertAuditEntries = prepared(
  (actor: string, entries: BoundList, at: number, batch: string | null) => {
    const entry = listedAs("operation", "workspace", "action", "subject", "before", "change");
    return orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, before, change, at, batch)
        select ${entry.operation}, ${entry.workspace}, ${actor}, ${entry.action}, ${entry.subject}, ${entry.before},
          ${entry.change}, ${at}, ${batch} from ${fromList(entries)}`);
  },
);

/**
 * The audit row of a change, its guards, and the rows of the further resources that it changes: a guard must see first that one
 * of their operations is done, since a repeat of the first row alone means that the batch is.
 */
export function insertAuditRows(change: AuditedChange): Statement[] {
  const { actor, at, guards = [], others = [] } = change;
  const nextId = others.length === 0 ? newId : idsInOrder();
  const first = insertAuditRow(change.operation ?? nextId(at), change);
  const rows = others.map((other) => [
    other.operation ?? nextId(at),
    other.workspaceId ?? change.workspaceId,
    other.action ?? change.action,
    other.subject,
    other.before ?? null,
    toJson(other.change),
  ]);
  return [
    first,
    ...joined(guards),
    ...chunksBySize(rows).map((chunk) => insertAuditEntries(actor, chunk, at, change.batch ?? null)),
  ];
}

const ABORT =
  "insert into audit_log (operation_id, actor, action, subject, at) select '', '', null, '', 0 where";

/** Aborts the batch unless the condition holds when it commits: the column refuses null. */
export const abortUnless = (condition: SQL) => orm.run(sql`${sql.raw(ABORT)} (${condition}) is not true`);

export function ensureRow<Table extends SQLiteTable>(
  table: Table,
  row: Partial<Table["$inferSelect"]>,
): Guard {
  const columns = getTableColumns(table);
  const same = Object.entries(row).map(([name, value]) => sql`${columns[name]} is ${value}`);
  return abortUnless(sql`exists (select 1 from ${table} where ${sql.join(same, sql` and `)})`);
}

/** Guards as one statement, which costs less than several. */
function joined(guards: readonly Guard[]): readonly Statement[] {
  if (guards.length < 2) return guards;
  const literals = guards.map(toLiteral);
  const conditions = literals.map(({ sql: text }) => text.slice(ABORT.length)).join(" or");
  const params = literals.flatMap((guard) => guard.params);
  return [new Literal(ABORT + conditions, params)];
}
