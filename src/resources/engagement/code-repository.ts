import { sql } from "drizzle-orm";
import { primaryPrefix } from "../../access/statements";
import { boundList, fromList, inList, listed } from "../../db/list";
import { orm } from "../../db/prepared";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";

/** The code of a new asset. */
interface NewCode {
  /** Its slug; it is made on the workspace's primary domain. */
  code: string;
  /** Public id. */
  asset: string;
}

/** Makes codes that open their assets' links. Fails if a key is claimed or an asset has a code. */
export const insertCodes = (codes: readonly NewCode[], at: number) =>
  orm.run(sql`insert into ${slugs} (key, workspace_id, link_id, asset, taken_down_at, created_at)
      select ${primaryPrefix(sql`${offlineAssets.workspace_id}`)} || ${listed(0)}, ${offlineAssets.workspace_id}, case when ${links.deleted_at} is null then ${links.id} end,
        ${offlineAssets.public_id}, case when ${links.taken_down_by} = 'operator' then ${links.taken_down_at} end, ${at}
      from ${fromList(boundList(codes.map(({ code, asset }) => [code, asset])))}
        cross join ${offlineAssets} on ${offlineAssets.public_id} = ${listed(1)}
        cross join ${links} on ${links.id} = ${offlineAssets.link_id}
          and +${links.workspace_id} = ${offlineAssets.workspace_id}`);

/** Makes the codes of assets open the links that the assets have now, and queues their pushes. */
export const moveCodes = (workspaceId: number, assets: readonly string[], at: number) =>
  orm
    .update(slugs)
    .set({
      link_id: sql`(select ${offlineAssets.link_id} from ${offlineAssets} where ${offlineAssets.public_id} = ${slugs.asset})`,
      rev: sql`${slugs.rev} + 1`,
      push_at: at,
    })
    .where(sql`${slugs.asset} in ${inList(boundList(assets))} and +${slugs.workspace_id} = ${workspaceId}`);
