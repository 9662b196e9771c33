import { eq, type SQL, sql } from "drizzle-orm";
import type { WorkspaceRow } from "../../access/workspace-statements";
import { ensureRow } from "../../db/audit";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";

export const updateSuspension = (workspaceId: number, suspendedAt: number | null, at: number) =>
  orm
    .update(workspaces)
    .set({ suspended_at: suspendedAt, updated_at: at })
    .where(eq(workspaces.id, workspaceId));

export const WORKSPACE_SWITCHES = ["scans_name_asset", "shares_reports", "shows_name"] as const;

export type WorkspaceFields = Pick<
  WorkspaceRow,
  "name" | "time_zone" | "colour" | (typeof WORKSPACE_SWITCHES)[number]
>;

export const ensureWorkspaceUnchanged = (row: WorkspaceRow, names: readonly (keyof WorkspaceRow)[]) =>
  ensureRow(workspaces, Object.fromEntries((["id", ...names] as const).map((name) => [name, row[name]])));

export const updateWorkspace = (workspaceId: number, fields: Partial<WorkspaceFields>, at: number) =>
  orm
    .update(workspaces)
    .set({ ...fields, updated_at: at })
    .where(eq(workspaces.id, workspaceId));

export const selectWorkspaceSnapshot = (workspaceId: number): SQL =>
  sql`(select json_object('name', ${workspaces.name}, 'time_zone', ${workspaces.time_zone},
    'scans_name_asset', ${workspaces.scans_name_asset}, 'shares_reports', ${workspaces.shares_reports},
    'shows_name', ${workspaces.shows_name}, 'colour', ${workspaces.colour})
    from ${workspaces} where ${workspaces.id} = ${workspaceId})`;
