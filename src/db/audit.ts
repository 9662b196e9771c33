import { and, or, type SQL, sql } from "drizzle-orm";
import type { Change } from "./client";
import { BoundQuery, type PreparedQuery, prepare, prepared, type Statement } from "./prepared";
import { auditLog } from "./schema";
import { shapeOf, withPlaceholders } from "./shape";

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
  return computedRow(row, guards.length === 0 ? sql`${action}` : guarded, before ?? sql`${null}`);
}

const MAX_SHAPES = 200;
/** Prepared statements by the shape of what they compute. */
const byShape = new Map<string, PreparedQuery>();

/** Inserts a row whose `action` and `before` are computed: put into SQL once for each shape of these. */
const computedRow =
  (row: PlainRow, action: SQL, before: SQL): Statement =>
  (orm) => {
    const ofAction = shapeOf(action, "action");
    const ofBefore = shapeOf(before, "before");
    if (ofAction === undefined || ofBefore === undefined) {
      return orm.insert(auditLog).values({ ...row, action, before });
    }
    const key = `${ofAction.key}\0\0${ofBefore.key}`;
    let query = byShape.get(key);
    if (query === undefined) {
      const columns = Object.keys(row).map((column) => [column, sql.placeholder(column)]);
      query = prepare(
        orm.insert(auditLog).values({
          ...(Object.fromEntries(columns) as unknown as PlainRow),
          action: withPlaceholders(action, "action"),
          before: withPlaceholders(before, "before"),
        }),
      );
      if (byShape.size < MAX_SHAPES) byShape.set(key, query);
    }
    return new BoundQuery<unknown>(query, { ...row, ...ofAction.values, ...ofBefore.values });
  };
