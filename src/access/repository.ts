import { eq, type SQL, sql } from "drizzle-orm";
import { ensureRow } from "../db/audit";
import { orm, prepared } from "../db/prepared";
import { workspaces } from "../db/schema/access";
import { activityGroups } from "../db/schema/activity-groups";
import { offlineAssets } from "../db/schema/engagement";
import { links } from "../db/schema/links";
import { WORKSPACE_COLUMNS, type WorkspaceRow } from "./statements";

const OWNED = { group: activityGroups, link: links, asset: offlineAssets };

export type Owned = keyof typeof OWNED;

export const selectWorkspaceOf = (kind: Owned, id: string) => {
  const thing = OWNED[kind];
  const owner = orm.select({ id: thing.workspace_id }).from(thing).where(eq(thing.public_id, id));
  return orm.select(WORKSPACE_COLUMNS).from(workspaces).where(eq(workspaces.id, owner));
};

export const insertWorkspace = prepared((row: typeof workspaces.$inferInsert) =>
  orm.insert(workspaces).values(row),
);

export const updateSuspension = (workspaceId: number, suspendedAt: number | null, at: number) =>
  orm
    .update(workspaces)
    .set({ suspended_at: suspendedAt, updated_at: at })
    .where(eq(workspaces.id, workspaceId));

/** What owners switch on and off. */
export const WORKSPACE_SWITCHES = ["scans_name_asset", "shares_reports", "shows_name"] as const;

/** The fields that owners can change. */
export type WorkspaceFields = Pick<
  WorkspaceRow,
  "name" | "time_zone" | "colour" | (typeof WORKSPACE_SWITCHES)[number]
>;

/** True while these columns of a workspace are as they were read. */
export const ensureWorkspaceUnchanged = (row: WorkspaceRow, names: readonly (keyof WorkspaceRow)[]) =>
  ensureRow(workspaces, Object.fromEntries((["id", ...names] as const).map((name) => [name, row[name]])));

export const updateWorkspace = (workspaceId: number, fields: Partial<WorkspaceFields>, at: number) =>
  orm
    .update(workspaces)
    .set({ ...fields, updated_at: at })
    .where(eq(workspaces.id, workspaceId));

/** The fields that owners can change, as JSON for the audit log. */
export const selectWorkspaceSnapshot = (workspaceId: number): SQL =>
  sql`(select json_object('name', ${workspaces.name}, 'time_zone', ${workspaces.time_zone},
    'scans_name_asset', ${workspaces.scans_name_asset}, 'shares_reports', ${workspaces.shares_reports},
    'shows_name', ${workspaces.shows_name}, 'colour', ${workspaces.colour})
    from ${workspaces} where ${workspaces.id} = ${workspaceId})`;
