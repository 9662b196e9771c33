import { and, eq, sql } from "drizzle-orm";
import { boundList, inList } from "../../db/list";
import { orm } from "../../db/prepared";
import { auditLog } from "../../db/schema/audit";

/** Those of the subjects that a batch of changes has changed. */
export const selectSubjectsOfBatch = (workspaceId: number, batch: string, subjects: readonly string[]) =>
  orm
    .select({ subject: auditLog.subject })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.workspace_id, workspaceId),
        sql`${auditLog.subject} in ${inList(boundList(subjects))}`,
        sql`+${auditLog.batch} = ${batch}`,
      ),
    );

export const selectOperation = (id: string) =>
  orm.select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.operation_id, id));
