import { and, asc, eq, getTableColumns, gt, isNull, sql } from "drizzle-orm";
import { WORKSPACE_COLUMNS } from "../../access/workspace-statements";
import { ensureRow } from "../../db/audit";
import { columnsAs, whereOwn } from "../../db/columns";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { reports } from "../../db/schema/reports";
import { tags } from "../../db/schema/tags";
import type { ReportKind } from "./report-link-schema";

export type ReportRow = typeof reports.$inferSelect;

export const insertReport = (row: typeof reports.$inferInsert) => orm.insert(reports).values(row);

export const deleteReport = (workspaceId: number, id: string) =>
  orm.delete(reports).where(whereOwn(reports, workspaceId, id));

export const ensureReportExists = (workspaceId: number, id: string) =>
  ensureRow(reports, { public_id: id, workspace_id: workspaceId });

export const selectReport = (workspaceId: number, id: string) =>
  orm
    .select()
    .from(reports)
    .where(whereOwn(reports, workspaceId, id));

export const selectReportsOf = (workspaceId: number, kind: ReportKind, subject: string, now: number) =>
  orm
    .select()
    .from(reports)
    .where(
      and(
        eq(reports.workspace_id, workspaceId),
        eq(reports.kind, kind),
        eq(reports.subject, subject),
        sql`+${reports.ends_at} > ${now}`,
      ),
    )
    .orderBy(asc(reports.id));

/** The report with a token that has not ended, with its workspace. Whoever has the token names none. */
export const selectSharedReport = (token: string, now: number) =>
  orm
    .select({
      ...getTableColumns(reports),
      workspace: columnsAs(WORKSPACE_COLUMNS),
    })
    .from(reports)
    .innerJoin(workspaces, eq(workspaces.id, reports.workspace_id))
    .where(
      and(
        eq(reports.token, token),
        gt(reports.ends_at, now),
        eq(workspaces.shares_reports, 1),
        isNull(workspaces.suspended_at),
      ),
    );

const TABLES = { group: activityGroups, tag: tags } as const;

export const selectSubjectName = (workspaceId: number, kind: keyof typeof TABLES, id: string) =>
  orm.all<{ name: string }>(
    sql`select name from ${TABLES[kind]} where public_id = ${id} and +workspace_id = ${workspaceId}`,
  );
