import { and, sql } from "drizzle-orm";
import type { Change, Statement } from "./client";
import { auditLog } from "./schema";

/** The first statement of every batch that changes data. A guard that fails leaves `action` null, which aborts the batch. */
export const auditRow =
  (operationId: string, change: Change): Statement =>
  (orm) =>
    orm.insert(auditLog).values({
      operation_id: operationId,
      workspace_id: change.workspaceId,
      actor: change.actor,
      action: change.guards?.length
        ? sql`case when ${and(...change.guards)} then ${change.action} end`
        : change.action,
      subject: change.subject,
      before: change.before ?? null,
      change: change.change === undefined ? null : JSON.stringify(change.change),
      at: change.at,
    });
