import { sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../db/list";
import { orm } from "../db/prepared";
import { activityGroups } from "../db/schema/activity-groups";
import { visitHours } from "../db/schema/analytics";
import { offlineAssets } from "../db/schema/engagement";
import { activityGroupItems, links, slugs } from "../db/schema/links";
import { storedId } from "../lib/ulid-text";
import { ownerById } from "./owners";
import { linksInGroup } from "./statements";

// What reports say of links, groups and assets besides their visits.

interface LinkNameRow {
  id: string;
  slug: string;
  /** Empty on the short host. */
  domain: string;
  title: string | null;
  channel: string | null;
}

export const selectLinkNames = (workspaceId: number, ids: readonly string[]) =>
  orm.all<LinkNameRow>(sql`select ${links.public_id} as id, ${links.slug} as slug,
        coalesce(${links.domain}, '') as domain, ${links.title} as title, ${links.channel} as channel
      from ${fromList(boundList(ids))} cross join ${links} on ${links.public_id} = ${listed()}
        and +${links.workspace_id} = ${workspaceId}`);

export const selectGroupNames = (workspaceId: number, ids: readonly string[]) =>
  orm.all<{
    id: string;
    name: string;
  }>(sql`select ${activityGroups.public_id} as id, ${activityGroups.name} as name
      from ${fromList(boundList(ids))} cross join ${activityGroups} on ${activityGroups.public_id} = ${listed()}
        and +${activityGroups.workspace_id} = ${workspaceId}`);

/** The links of a group among which those without visits are looked for. */
export const MAX_LISTED_LINKS = 1_000;

export const selectLinksInGroup = (workspaceId: number, group: string) =>
  orm.all<{ link: string; archived: 0 | 1 }>(linksInGroup(workspaceId, group, MAX_LISTED_LINKS + 1));

/** The clicks and scans that the present links of a group had when they joined it, of at most `limit` links. */
export const selectVisitsBrought = (workspaceId: number, group: string, limit: number) =>
  orm.all<{
    visits: number;
    links: number;
  }>(sql`select coalesce(sum(visits_before), 0) as visits, count(*) as links
      from (select visits_before from ${activityGroupItems} where ${activityGroupItems.workspace_id} = ${workspaceId}
        and ${activityGroupItems.activity_group_id} = (select id from (${ownerById("group", workspaceId, group)}))
        and ended_at is null and visits_before > 0 limit ${limit})`);

interface AssetNameRow {
  id: string;
  name: string;
  place: string | null;
  status: "draft" | "live" | "retired";
}

/** The assets that a link has now. */
export const selectAssetsOfLink = (workspaceId: number, link: string, limit: number) =>
  orm.all<AssetNameRow>(sql`select ${offlineAssets.public_id} as id, ${offlineAssets.name} as name,
        ${offlineAssets.place} as place, ${offlineAssets.status} as status
      from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.link_id} = (select id from (${ownerById("link", workspaceId, link)}))
      order by +${offlineAssets.id} limit ${limit}`);

interface CodeRow {
  /** When the code was made; null if there is none. */
  code_at: number | null;
  /** All scans so far. */
  scans: number;
  /** The scans in the hours of a range that were over when the asset first went live. */
  before_live: number;
}

export const selectCode = (workspaceId: number, asset: string, from: number, to: number) =>
  orm.all<CodeRow>(sql`select (select ${slugs.created_at} from ${slugs} where ${slugs.asset} = ${offlineAssets.public_id}) as code_at,
        ${offlineAssets.scans} as scans, coalesce((select sum(hours.scans) from ${visitHours} as hours
          where hours.owner_kind = 'asset' and hours.owner_id = ${offlineAssets.id} and hours.hour >= ${from}
            and hours.hour < ${to} and hours.hour <= ${offlineAssets.live_at} - 3600000), 0) as before_live
      from ${offlineAssets} where ${offlineAssets.public_id} = ${storedId(asset)} and +${offlineAssets.workspace_id} = ${workspaceId}`);
