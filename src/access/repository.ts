import { asc, eq, type SQL, sql } from "drizzle-orm";
import { abortUnless } from "../db/audit";
import type { Guard, Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { workspaces } from "../db/schema/access";
import { activityGroups } from "../db/schema/activity-groups";
import { offlineAssets } from "../db/schema/engagement";
import { links } from "../db/schema/links";

export type WorkspaceRow = typeof workspaces.$inferSelect;

export const selectWorkspaceBySlug = prepared(
  (slug: string): Statement<WorkspaceRow[]> =>
    (orm) =>
      orm.select().from(workspaces).where(eq(workspaces.slug, slug)),
);

const OWNED = { group: activityGroups, link: links, asset: offlineAssets };

export type Owned = keyof typeof OWNED;

export const selectWorkspaceOf =
  (kind: Owned, id: string): Statement<WorkspaceRow[]> =>
  (orm) => {
    const thing = OWNED[kind];
    const owner = orm.select({ id: thing.workspace_id }).from(thing).where(eq(thing.public_id, id));
    return orm.select().from(workspaces).where(eq(workspaces.id, owner));
  };

export const selectWorkspaces = (): Statement<WorkspaceRow[]> => (orm) =>
  orm.select().from(workspaces).orderBy(asc(workspaces.slug));

export const insertWorkspace = prepared(
  (row: typeof workspaces.$inferInsert): Statement =>
    (orm) =>
      orm.insert(workspaces).values(row),
);

export const updateSuspension =
  (workspaceId: number, suspendedAt: number | null, at: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ suspended_at: suspendedAt, updated_at: at })
      .where(eq(workspaces.id, workspaceId));

/** The fields that owners can change. */
export type WorkspaceFields = Pick<WorkspaceRow, "name" | "time_zone">;

export const updateWorkspace =
  (workspaceId: number, fields: Partial<WorkspaceFields>, at: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ ...fields, updated_at: at })
      .where(eq(workspaces.id, workspaceId));

/** The fields that owners can change, as JSON for the audit log. */
export const selectWorkspaceSnapshot = (workspaceId: number): SQL =>
  sql`(select json_object('name', ${workspaces.name}, 'time_zone', ${workspaces.time_zone})
    from ${workspaces} where ${workspaces.id} = ${workspaceId})`;

/** True while the workspace has fewer than `limit` tags. */
export const ensureRoomForTag = (workspaceId: number, limit: number): Guard =>
  abortUnless(
    sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId} and ${workspaces.tag_count} < ${limit})`,
  );

export interface Usage {
  link_limit: number | null;
  active_links: number;
  archived_links: number;
  tag_count: number;
  /** Claimed slugs, tombstones included. */
  slug_claims: number;
}

export const selectUsage = prepared(
  (workspaceId: number): Statement<Usage[]> =>
    (orm) =>
      orm
        .select({
          link_limit: workspaces.link_limit,
          active_links: workspaces.active_links,
          archived_links: workspaces.archived_links,
          tag_count: workspaces.tag_count,
          slug_claims: workspaces.slug_claims,
        })
        .from(workspaces)
        .where(eq(workspaces.id, workspaceId)),
);

/** The workspace's number of links with a status, without deleted ones. */
export const selectLinkTotal =
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

export const updateTagCount =
  (workspaceId: number, difference: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ tag_count: sql`${workspaces.tag_count} + ${difference}` })
      .where(eq(workspaces.id, workspaceId));
