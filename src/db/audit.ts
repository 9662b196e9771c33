import { and, or, type SQL, sql } from "drizzle-orm";
import type { Change, Statement } from "./client";
import { auditLog } from "./schema";

/** A repeat of a batch that took effect must fail on its operation id, not on guards that its own first try has changed. */
const isDone = (operationId: string): SQL =>
  sql`exists (select 1 from ${auditLog} where ${auditLog.operation_id} = ${operationId})`;

/** The first statement of every batch that changes data. A guard that fails leaves `action` null, which aborts the batch. */
export const auditRow =
  (operationId: string, change: Change): Statement =>
  (orm) =>
    orm.insert(auditLog).values({
      operation_id: operationId,
      workspace_id: change.workspaceId,
      actor: change.actor,
      action: change.guards?.length
        ? sql`case when ${or(and(...change.guards), isDone(operationId))} then ${change.action} end`
        : change.action,
      subject: change.subject,
      before: change.before ?? null,
      change: change.change === undefined ? null : JSON.stringify(change.change),
      at: change.at,
    });
