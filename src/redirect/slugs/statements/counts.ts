import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { boundList, fromList, listed } from "../../../db/list";
import { workspaces } from "../../../db/schema/access";
import { slugs } from "../../../db/schema/links";
import { MAX_SLUGS_PER_WORKSPACE, MIN_SLUGS_PER_WORKSPACE, SLUGS_PER_LINK } from "../../../lib/slug-text";
import { selectRowIdOfLink } from "./targets";

/** The number of a link's slugs, counted up to `limit`. Codes of assets are none. */
export const countSlugsOfLink =
  (workspaceId: number, linkId: string, limit: number): Statement<{ slugs: number }[]> =>
  (orm) =>
    orm.all<{ slugs: number }>(sql`select count(*) as slugs from (select 1 from ${slugs}
      where ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${selectRowIdOfLink(workspaceId, linkId)}
        and ${slugs.asset} is null limit ${limit})`);

/** The numbers of slugs of links. Codes of assets are none. */
export const countSlugsOfLinks =
  (workspaceId: number, linkIds: readonly number[]): Statement<{ link_id: number; slugs: number }[]> =>
  (orm) =>
    orm.all(sql`select ${slugs.link_id} as link_id, count(*) as slugs
      from ${fromList(boundList(linkIds))} cross join ${slugs}
      where ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${listed()} and ${slugs.asset} is null
      group by ${slugs.link_id}`);

const SLUG_LIMIT: SQL = sql`min(max(coalesce(${workspaces.link_limit}, ${sql.raw(String(MAX_SLUGS_PER_WORKSPACE))})
  * ${sql.raw(String(SLUGS_PER_LINK))}, ${sql.raw(String(MIN_SLUGS_PER_WORKSPACE))}), ${sql.raw(String(MAX_SLUGS_PER_WORKSPACE))})`;

/** The workspace's slug count plus `more`. Above the limit it is null, which the column refuses, so the batch fails. */
export const addToSlugCount = (more: number): SQL =>
  sql`case when ${workspaces.slug_claims} + ${more} <= ${SLUG_LIMIT}
    then ${workspaces.slug_claims} + ${more} end`;
