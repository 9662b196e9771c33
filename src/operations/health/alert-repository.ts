import { sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { workspaces } from "../../db/schema/access";
import { alerts } from "../../db/schema/alerts";
import { offlineAssets } from "../../db/schema/engagement";
import { links } from "../../db/schema/links";

/** A destination that is broken, or was broken until now. */
interface BrokenDestination {
  url: string;
  /** The first failure of those in a row. */
  since: number | null;
  is_broken: number;
}

/** A live asset whose link has such a destination. */
export interface LiveAssetRow {
  /** The destination's index. */
  position: number;
  workspace_row_id: number;
  workspace: string;
  link_id: string;
  slug: string;
  asset_id: string;
  name: string;
  /** All live assets of the workspace with the destination. */
  live_assets: number;
  /** The key of the alert by which the workspace's operator knows that it is broken; null without one. */
  reported_key: string | null;
}

/**
 * The live assets of workspaces that need an alert: of a broken destination if none reported it, of one that is no longer
 * broken if one did. Up to `each` for a destination and workspace, by destination, workspace and link.
 */
export const selectAssetsToReport =
  (destinations: readonly BrokenDestination[], each: number, limit: number): Statement<LiveAssetRow[]> =>
  (orm) => {
    const key = sql`'broken:' || ${links.public_id} || ':' || (given.value ->> 'since')`;
    return orm.all<LiveAssetRow>(sql`select position, workspace_row_id, workspace, link_id, slug, asset_id, name,
        live_assets, reported_key
      from (select given.key as position, given.value ->> 'is_broken' as is_broken,
          ${workspaces.id} as workspace_row_id, ${workspaces.slug} as workspace, ${links.public_id} as link_id,
          ${links.slug} as slug, ${offlineAssets.public_id} as asset_id, ${offlineAssets.name} as name,
          count(*) over same as live_assets,
          row_number() over (partition by given.key, ${workspaces.id} order by ${links.id}, ${offlineAssets.id}) as number,
          max((select ${alerts.key} from ${alerts} where ${alerts.key} = ${key})) over same as reported_key
        from json_each(${JSON.stringify(destinations)}) as given
        cross join ${links} on ${links.destination_url} = given.value ->> 'url' and ${links.deleted_at} is null
          and ${links.taken_down_at} is null
        cross join ${workspaces} on ${workspaces.id} = ${links.workspace_id} and ${workspaces.suspended_at} is null
        cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${links.workspace_id}
          and ${offlineAssets.link_id} = ${links.id} and ${offlineAssets.status} = 'live'
        window same as (partition by given.key, ${workspaces.id}))
      where number <= ${each} and (reported_key is null) = is_broken
      order by position, workspace_row_id, number limit ${limit}`);
  };
