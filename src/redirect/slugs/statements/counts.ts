import { asc, count, lte, min, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../../db/list";
import { orm } from "../../../db/prepared";
import { slugs } from "../../../db/schema/links";
import { selectRowIdOfLink } from "./targets";

/** The number of a link's slugs, counted up to `limit`. Codes of assets are none. */
export const countSlugsOfLink = (workspaceId: number, linkId: string, limit: number) =>
  orm.all<{ slugs: number }>(sql`select count(*) as slugs from (select 1 from ${slugs}
      where ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${selectRowIdOfLink(workspaceId, linkId)}
        and ${slugs.asset} is null limit ${limit})`);

/** The numbers of slugs of links. Codes of assets are none. */
export const countSlugsOfLinks = (workspaceId: number, linkIds: readonly number[]) =>
  orm.all<{ link_id: number; slugs: number }>(sql`select ${slugs.link_id} as link_id, count(*) as slugs
      from ${fromList(boundList(linkIds))} cross join ${slugs}
      where ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${listed()} and ${slugs.asset} is null
      group by ${slugs.link_id}`);

/** The number of due pushes, counted up to `limit`, and the due time of the oldest. */
export const countDuePushes = (dueAt: number, limit: number) => {
  const due = orm
    .select({ push_at: slugs.push_at })
    .from(slugs)
    .where(lte(slugs.push_at, dueAt))
    .orderBy(asc(slugs.push_at))
    .limit(limit)
    .as("due");
  return orm.select({ due: count(), oldest: min(due.push_at) }).from(due);
};
