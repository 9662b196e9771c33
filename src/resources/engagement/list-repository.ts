import { sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { visitHours } from "../../db/schema/analytics";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";
import type { AssetStatus } from "../../lib/asset-status";

/** What a list of assets is filtered and sorted by. */
export interface AssetSummary {
  id: string;
  name: string;
  place: string | null;
  status: AssetStatus;
}

const summary = sql`asset.public_id as id, asset.name as name, asset.place as place, asset.status as status`;

/** The newest assets of the workspace. */
export const selectSummaries =
  (workspaceId: number, limit: number): Statement<AssetSummary[]> =>
  (orm) =>
    orm.all<AssetSummary>(sql`select ${summary} from ${offlineAssets} as asset
      where asset.workspace_id = ${workspaceId} order by asset.id desc limit ${limit}`);

/** The newest assets of the link with an id, or else with a slug. */
export const selectSummariesOfLink =
  (workspaceId: number, id: string, slugKey: string, limit: number): Statement<AssetSummary[]> =>
  (orm) =>
    orm.all<AssetSummary>(sql`select ${summary} from ${offlineAssets} as asset
      where asset.workspace_id = ${workspaceId} and asset.link_id = coalesce(
        (select ${links.id} from ${links} where ${links.public_id} = ${id} and +${links.workspace_id} = ${workspaceId}),
        (select ${slugs.link_id} from ${slugs} where ${slugs.key} = ${slugKey} and ${slugs.asset} is null))
      order by +asset.id desc limit ${limit}`);

/** Live assets that nobody has scanned since a time, although they were live and the same by then; those that went live last. */
export const selectUnscannedSummaries =
  (workspaceId: number, since: number, limit: number): Statement<AssetSummary[]> =>
  (orm) =>
    orm.all<AssetSummary>(sql`select ${summary}
      from (select * from ${offlineAssets} where workspace_id = ${workspaceId} and status = 'live' and live_at <= ${since}
          order by live_at desc limit ${limit}) as asset
      where asset.updated_at <= ${since}
        and not exists (select 1 from ${visitHours} where ${visitHours.owner_kind} = 'asset' and ${visitHours.owner_id} = asset.id
          and ${visitHours.hour} >= ${since} and ${visitHours.scans} + ${visitHours.after_end} > 0)`);
