import { sql } from "drizzle-orm";
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
