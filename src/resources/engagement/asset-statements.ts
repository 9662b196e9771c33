import { sql } from "drizzle-orm";
import { orm } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import { visitHours } from "../../db/schema/analytics";
import { offlineAssets } from "../../db/schema/engagement";
import { links } from "../../db/schema/links";
import type { AssetStatus } from "./asset-status";

export interface AssetSummary {
  id: string;
  name: string;
  place: string | null;
  status: AssetStatus;
  /** Scans after the end of its link or after it was retired, and the hour of the last one. */
  after_end: number;
  last_after_end: number | null;
}

export const summary = sql`asset.public_id as id, asset.name as name, asset.place as place, asset.status as status,
  asset.after_end as after_end, asset.last_after_end as last_after_end`;

/** The live assets whose scans are looked at, those that went live last. */
const MAX_LIVE_ASSETS = 2_001;

/** Live assets whose link has ended, on its own or with its group, or whose group is completed or archived. */
export const selectAssetsOfEnded = (workspaceId: number, now: number, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary}
      from (select * from ${offlineAssets} where workspace_id = ${workspaceId} and status = 'live'
          order by live_at desc limit ${MAX_LIVE_ASSETS}) as asset
      cross join ${links} on ${links.id} = asset.link_id
      left join ${activityGroups} on ${activityGroups.id} = ${links.activity_group_id}
      where ${links.deleted_at} is null and (${links.ends_at} <= ${now} or ${activityGroups.status} in ('completed', 'archived')
        or (${links.ends_at} is null and ${activityGroups.ends_links} = 1 and ${activityGroups.ends_at} <= ${now}))
      limit ${limit}`);

/** Live assets that nobody has scanned since a time, although they were live and the same by then. */
export const selectUnscannedAssets = (workspaceId: number, since: number, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary}
      from (select * from ${offlineAssets} where workspace_id = ${workspaceId} and status = 'live' and live_at <= ${since}
          order by live_at desc limit ${MAX_LIVE_ASSETS}) as asset
      where asset.updated_at <= ${since}
        and not exists (select 1 from ${visitHours} where ${visitHours.owner_kind} = 'asset' and ${visitHours.owner_id} = asset.id
          and ${visitHours.hour} >= ${since} and ${visitHours.scans} + ${visitHours.after_end} > 0)
      limit ${limit}`);

/** Assets that were scanned after their end since a time, the last one first; with `isUnchanged` none that were changed since. */
export const selectAssetsAfterEnd = (
  workspaceId: number,
  since: number,
  { isUnchanged, limit }: { isUnchanged: boolean; limit: number },
) =>
  orm.all<AssetSummary>(sql`select ${summary} from ${offlineAssets} as asset
      where asset.workspace_id = ${workspaceId} and asset.last_after_end >= ${since}
        ${isUnchanged ? sql`and asset.updated_at <= asset.last_after_end` : sql.empty()}
      order by asset.last_after_end desc limit ${limit}`);
