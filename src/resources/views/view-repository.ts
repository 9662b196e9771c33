import { asc, eq } from "drizzle-orm";
import { ensureRow } from "../../db/audit";
import { whereOwn } from "../../db/columns";
import { orm } from "../../db/prepared";
import { savedViews } from "../../db/schema/views";

/** The views by name. There are at most 50. */
export const selectViews = (workspaceId: number) =>
  orm
    .select({ id: savedViews.public_id, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(eq(savedViews.workspace_id, workspaceId))
    .orderBy(asc(savedViews.name_key));

export const insertView = (row: typeof savedViews.$inferInsert) => orm.insert(savedViews).values(row);

export const deleteView = (workspaceId: number, id: string) =>
  orm.delete(savedViews).where(whereOwn(savedViews, workspaceId, id));

export const ensureViewExists = (workspaceId: number, id: string) =>
  ensureRow(savedViews, { public_id: id, workspace_id: workspaceId });
