import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/bound-list";
import { orm } from "../../db/prepared";
import { links, slugs } from "../../db/schema/links";

/** The id of the link at a position, in the order of creation; the first position is 1. */
export const selectLinkAt = (workspaceId: number, place: number) =>
  orm
    .select({ public_id: links.public_id })
    .from(links)
    .where(and(eq(links.workspace_id, workspaceId), isNull(links.deleted_at)))
    .orderBy(asc(links.public_id))
    .limit(1)
    .offset(place - 1);

export const selectOldSlugs = (workspaceId: number, ids: readonly string[]) =>
  orm.all<{ link: string; key: string }>(sql`select ${links.public_id} as link, ${slugs.key} as key
      from ${fromList(boundList(ids))} cross join ${links} cross join ${slugs}
      where ${links.public_id} = ${listed()} and +${links.workspace_id} = ${workspaceId}
        and ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${links.id}
        and ${slugs.key} <> ${links.slug_key} and ${slugs.asset} is null
      order by ${slugs.key}`);
