import { and, asc, eq, getTableColumns, isNull, lt, or, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { columnsAs } from "../db/columns";
import { prepared } from "../db/prepared";
import { apiKeys, workspaces } from "../db/schema";

export type WorkspaceRow = typeof workspaces.$inferSelect;
export type ApiKeyRow = typeof apiKeys.$inferSelect;

const apiKeyColumns = columnsAs("key", getTableColumns(apiKeys));
const workspaceColumns = columnsAs("workspace", getTableColumns(workspaces));

export const keyByHash = prepared(
  (hash: string): Statement<{ key: ApiKeyRow; workspace: WorkspaceRow }[]> =>
    (orm) =>
      orm
        .select({ key: apiKeyColumns, workspace: workspaceColumns })
        .from(apiKeys)
        .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspace_id))
        .where(eq(apiKeys.hash, hash)),
);

/** Moves a key's last use forward, at most once in the interval that ends at `notSince`. */
export const recordUse = prepared(
  (keyId: number, at: number, notSince: number): Statement =>
    (orm) =>
      orm
        .update(apiKeys)
        .set({ last_used_at: at })
        .where(
          and(eq(apiKeys.id, keyId), or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, notSince))),
        ),
);

export const workspaceBySlug = prepared(
  (slug: string): Statement<WorkspaceRow[]> =>
    (orm) =>
      orm.select().from(workspaces).where(eq(workspaces.slug, slug)),
);

export const allWorkspaces = (): Statement<WorkspaceRow[]> => (orm) =>
  orm.select().from(workspaces).orderBy(asc(workspaces.slug));

export const insertWorkspace = prepared(
  (row: typeof workspaces.$inferInsert): Statement =>
    (orm) =>
      orm.insert(workspaces).values(row),
);

export const setSuspended =
  (workspaceId: number, suspendedAt: number | null, at: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ suspended_at: suspendedAt, updated_at: at })
      .where(eq(workspaces.id, workspaceId));

/** Holds while the workspace has room for one more link. */
export const hasRoomForLink = (workspaceId: number): Guard =>
  sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId}
    and (${workspaces.link_limit} is null or ${workspaces.active_links} + ${workspaces.archived_links} < ${workspaces.link_limit}))`;

/** Holds while the workspace has room for one more tag. */
export const hasRoomForTag = (workspaceId: number, limit: number): Guard =>
  sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId} and ${workspaces.tag_count} < ${limit})`;

export interface Usage {
  link_limit: number | null;
  active_links: number;
  archived_links: number;
  tag_count: number;
}

export const usage = prepared(
  (workspaceId: number): Statement<Usage[]> =>
    (orm) =>
      orm
        .select({
          link_limit: workspaces.link_limit,
          active_links: workspaces.active_links,
          archived_links: workspaces.archived_links,
          tag_count: workspaces.tag_count,
        })
        .from(workspaces)
        .where(eq(workspaces.id, workspaceId)),
);

/** How many links of a status the workspace has, deleted ones never counted. */
export const linkTotal =
  (workspaceId: number, status: "active" | "archived" | "all"): Statement<{ total: number }[]> =>
  (orm) => {
    const { active_links: active, archived_links: archived } = workspaces;
    const total = {
      active: sql<number>`${active}`,
      archived: sql<number>`${archived}`,
      all: sql<number>`${active} + ${archived}`,
    };
    return orm.select({ total: total[status] }).from(workspaces).where(eq(workspaces.id, workspaceId));
  };

export const countTags =
  (workspaceId: number, difference: 1 | -1): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ tag_count: sql`${workspaces.tag_count} + ${difference}` })
      .where(eq(workspaces.id, workspaceId));

export const insertApiKey = prepared(
  (row: typeof apiKeys.$inferInsert): Statement =>
    (orm) =>
      orm.insert(apiKeys).values(row),
);

export const keysOfWorkspace =
  (workspaceId: number): Statement<ApiKeyRow[]> =>
  (orm) =>
    orm.select().from(apiKeys).where(eq(apiKeys.workspace_id, workspaceId)).orderBy(asc(apiKeys.id));

export const keyById =
  (id: string): Statement<{ key: ApiKeyRow; workspace: WorkspaceRow }[]> =>
  (orm) =>
    orm
      .select({ key: apiKeyColumns, workspace: workspaceColumns })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspace_id))
      .where(eq(apiKeys.public_id, id));

export const setRevoked =
  (keyId: number, at: number): Statement =>
  (orm) =>
    orm
      .update(apiKeys)
      .set({ revoked_at: at })
      .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revoked_at)));
