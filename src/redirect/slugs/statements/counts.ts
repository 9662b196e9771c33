import { asc, count, lte, min, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../../db/list";
import { orm } from "../../../db/prepared";
import { links, slugs } from "../../../db/schema/links";

/** The numbers of slugs of links, by public id; no row for a link without slugs. Codes of assets are none. */
export const countSlugsOfLinks = (workspaceId: number, linkIds: readonly string[]) =>
  orm.all<{ link: string; slugs: number }>(sql`select ${links.public_id} as link, count(*) as slugs
      from ${fromList(boundList(linkIds))} cross join ${links} cross join ${slugs}
      where ${links.public_id} = ${listed()} and +${links.workspace_id} = ${workspaceId}
        and ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${links.id} and ${slugs.asset} is null
      group by ${links.public_id}`);

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
