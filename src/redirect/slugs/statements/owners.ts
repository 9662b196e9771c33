import { and, eq, isNull, sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { boundList, fromList, listed } from "../../../db/list";
import { prepared } from "../../../db/prepared";
import { links, slugs } from "../../../db/schema/links";

export interface SlugOwnerRow {
  /** 1 if this workspace owns the slug. */
  own: number;
  taken_down: number;
  /** 1 for the code of an asset, which no link can use. */
  code: number;
  /** Public id of the slug's link; null for a tombstone, a code or another workspace's slug. */
  link: string | null;
}

const ownerColumns = (workspaceId: number) => ({
  own: sql<number>`${slugs.workspace_id} = ${workspaceId}`,
  taken_down: sql<number>`${slugs.taken_down_at} is not null`,
  code: sql<number>`${slugs.asset} is not null`,
  link: links.public_id,
});

const joinLinkOfSlug = (workspaceId: number) =>
  and(eq(links.workspace_id, workspaceId), eq(links.id, slugs.link_id), isNull(slugs.asset));

/** The owner of a slug; no row for an unused slug. Shows no link of another workspace. */
export const selectSlugOwner = prepared(
  (workspaceId: number, key: string): Statement<SlugOwnerRow[]> =>
    (orm) =>
      orm
        .select(ownerColumns(workspaceId))
        .from(slugs)
        .leftJoin(links, joinLinkOfSlug(workspaceId))
        .where(eq(slugs.key, key)),
);

/** The link of this workspace that a slug opens. */
export const selectLinkOfSlug =
  (workspaceId: number, key: string): Statement<{ id: string; slug: string; title: string | null }[]> =>
  (orm) =>
    orm
      .select({ id: links.public_id, slug: links.slug, title: links.title })
      .from(slugs)
      .innerJoin(links, joinLinkOfSlug(workspaceId))
      .where(eq(slugs.key, key));

/** The links of this workspace that slugs open. */
export const selectLinksOfSlugs =
  (
    workspaceId: number,
    keys: readonly string[],
  ): Statement<
    { key: string; id: string; slug: string; title: string | null; archived_at: number | null }[]
  > =>
  (orm) =>
    orm
      .select({
        key: slugs.key,
        id: links.public_id,
        slug: links.slug,
        title: links.title,
        archived_at: links.archived_at,
      })
      .from(fromList(boundList(keys)))
      .crossJoin(slugs)
      .innerJoin(links, joinLinkOfSlug(workspaceId))
      .where(eq(slugs.key, listed()));

export const selectSlugOwners =
  (workspaceId: number, keys: readonly string[]): Statement<(SlugOwnerRow & { key: string })[]> =>
  (orm) =>
    orm
      .select({
        key: slugs.key,
        ...ownerColumns(workspaceId),
      })
      .from(fromList(boundList(keys)))
      .crossJoin(slugs)
      .leftJoin(links, joinLinkOfSlug(workspaceId))
      .where(eq(slugs.key, listed()));
