import { asc, eq, sql } from "drizzle-orm";
import { abortUnless } from "../db/audit";
import type { Guard, Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { workspaces } from "../db/schema/access";

export type WorkspaceRow = typeof workspaces.$inferSelect;

export const selectWorkspaceBySlug = prepared(
  (slug: string): Statement<WorkspaceRow[]> =>
    (orm) =>
      orm.select().from(workspaces).where(eq(workspaces.slug, slug)),
);

export const selectWorkspaces = (): Statement<WorkspaceRow[]> => (orm) =>
  orm.select().from(workspaces).orderBy(asc(workspaces.slug));

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
