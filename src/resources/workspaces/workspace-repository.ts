import { eq } from "drizzle-orm";
import { WORKSPACE_COLUMNS, type WorkspaceRow } from "../../access/workspace-statements";
import { ensureRow } from "../../db/audit";
import { orm, prepared } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { offlineAssets } from "../../db/schema/engagement";
import { links } from "../../db/schema/links";
import { WORKSPACE_SWITCHES } from "./workspace-schema";

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

const CHANGED_FIELDS = [
  "name",
  "time_zone",
  ...WORKSPACE_SWITCHES,
  "colour",
  "own_networks",
  "link_limit",
] as const;

export type WorkspaceFields = Pick<WorkspaceRow, (typeof CHANGED_FIELDS)[number]>;

export const toFields = (row: WorkspaceRow): WorkspaceFields =>
  Object.fromEntries(CHANGED_FIELDS.map((name) => [name, row[name]])) as WorkspaceFields;

export const ensureWorkspaceUnchanged = (
  { id }: WorkspaceRow,
  fields: Partial<WorkspaceFields> | Pick<WorkspaceRow, "suspended_at">,
) => ensureRow(workspaces, { id, ...fields });

export const updateWorkspaceRow = (
  workspaceId: number,
  fields: Partial<WorkspaceFields & Pick<WorkspaceRow, "earlier_zones">> | Pick<WorkspaceRow, "suspended_at">,
  at: number,
) =>
  orm
    .update(workspaces)
    .set({ ...fields, updated_at: at })
    .where(eq(workspaces.id, workspaceId));
