import { and, eq, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import { prepared } from "../db/prepared";
import { links, slugs } from "../db/schema";

export interface SlugClaimRow {
  /** 1 where the slug is this workspace's. */
  own: number;
  /** 1 where the operator took it down. */
  taken_down: number;
  /** Public id of the link that it opens. */
  link: string | null;
}

const claimColumns = (workspaceId: number) => ({
  own: sql<number>`${slugs.workspace_id} = ${workspaceId}`,
  taken_down: sql<number>`${slugs.taken_down_at} is not null`,
  link: links.public_id,
});

/** Who has this slug: no row, this workspace, or another one, of which nothing is told. */
export const claimOnSlug = prepared(
  (workspaceId: number, key: string): Statement<SlugClaimRow[]> =>
    (orm) =>
      orm
        .select(claimColumns(workspaceId))
        .from(slugs)
        .leftJoin(links, and(eq(links.workspace_id, workspaceId), eq(links.id, slugs.link_id)))
        .where(eq(slugs.key, key)),
);

/** The same of many slugs, each with its key. */
export const claimsOnSlugs =
  (workspaceId: number, keys: readonly string[]): Statement<(SlugClaimRow & { key: string })[]> =>
  (orm) =>
    orm
      .select({
        key: slugs.key,
        ...claimColumns(workspaceId),
      })
      .from(fromList(toList(keys)))
      .crossJoin(slugs)
      .leftJoin(links, and(eq(links.workspace_id, workspaceId), eq(links.id, slugs.link_id)))
      .where(eq(slugs.key, item()));
