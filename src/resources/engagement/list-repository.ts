import { type SQL, sql } from "drizzle-orm";
import { assetsInGroup } from "../../analytics/statements";
import { orm } from "../../db/prepared";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";
import { type AssetSummary, summary } from "./statements";

/** The newest assets of the workspace. */
export const selectSummaries = (workspaceId: number, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary} from ${offlineAssets} as asset
      where asset.workspace_id = ${workspaceId} order by asset.id desc limit ${limit}`);

/** The newest assets of the link with an id, or else with a slug. */
export const selectSummariesOfLink = (workspaceId: number, id: string, slugKey: SQL, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary} from ${offlineAssets} as asset
      where asset.workspace_id = ${workspaceId} and asset.link_id = coalesce(
        (select ${links.id} from ${links} where ${links.public_id} = ${id} and +${links.workspace_id} = ${workspaceId}),
        (select ${slugs.link_id} from ${slugs} where ${slugs.key} = ${slugKey} and ${slugs.asset} is null))
      order by +asset.id desc limit ${limit}`);

/** The newest assets of the links that are in a group now. */
export const selectSummariesOfGroup = (workspaceId: number, group: string, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary}
      from (${assetsInGroup(workspaceId, group)}) as listed
        cross join ${offlineAssets} as asset on asset.id = listed.id
      order by asset.id desc limit ${limit}`);
