import { sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../db/bound-list";
import { orm } from "../db/prepared";
import { activityGroups } from "../db/schema/activity-groups";
import { visitHours } from "../db/schema/analytics";
import { offlineAssets } from "../db/schema/engagement";
import { activityGroupItems, links, slugs } from "../db/schema/links";
import type { Range } from "../lib/range";
import { storedId } from "../lib/ulid-text";
import { linksInGroup } from "./count-statements";
import { ownerById } from "./owners";
import type { VisitCounts } from "./visit-buffer";

// What reports say of links, groups and assets besides their visits.

interface LinkNameRow {
  id: string;
  slug: string;
  /** Empty on the short host. */
  domain: string;
  title: string | null;
  channel: string | null;
  archived: 0 | 1;
  taken_down_by: "operator" | "check" | null;
  starts_at: number | null;
  /** Its own end, or that of its group. */
  ends_at: number | null;
}

export const selectLinkNames = (workspaceId: number, ids: readonly string[]) =>
  orm.all<LinkNameRow>(sql`select ${links.public_id} as id, ${links.slug} as slug,
        coalesce(${links.domain}, '') as domain, ${links.title} as title, ${links.channel} as channel,
        ${links.archived} as archived, ${links.taken_down_by} as taken_down_by, ${links.starts_at} as starts_at,
        coalesce(${links.ends_at}, (select ${activityGroups.ends_at} from ${activityGroups}
          where ${activityGroups.id} = ${links.activity_group_id} and ${activityGroups.ends_links} = 1)) as ends_at
      from ${fromList(boundList(ids))} cross join ${links} on ${links.public_id} = ${listed()}
        and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`);

interface LinkTargetRow {
  id: string;
  destination_url: string;
  utm_source: string | null;
  utm_medium: string | null;
}

/** Where links lead, for a page of them: destinations are long. */
export const selectLinkTargets = (workspaceId: number, ids: readonly string[]) =>
  orm.all<LinkTargetRow>(sql`select ${links.public_id} as id, ${links.destination_url} as destination_url,
        ${links.utm_source} as utm_source, ${links.utm_medium} as utm_medium
      from ${fromList(boundList(ids))} cross join ${links} on ${links.public_id} = ${listed()}
        and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`);

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
        and role = 'primary' and ended_at is null and visits_before > 0 limit ${limit})`);

interface ScannedAssetRow extends Omit<VisitCounts, "clicks"> {
  id: string;
  name: string;
  place: string | null;
  status: "draft" | "live" | "retired";
}

/** The assets that a link has now with their counts in a range, the most scanned first. There are at most 200. */
export const selectAssetsOfLink = (
  workspaceId: number,
  link: string,
  { from, to }: Pick<Range, "from" | "to">,
) =>
  orm.all<ScannedAssetRow>(sql`select asset.public_id as id, asset.name as name, asset.place as place, asset.status as status,
        coalesce(sum(counted.scans), 0) as scans, coalesce(sum(counted.after_end), 0) as after_end,
        coalesce(sum(counted.bots), 0) as bots
      from ${offlineAssets} as asset left join ${visitHours} as counted on counted.owner_kind = 'asset'
        and counted.owner_id = asset.id and counted.hour >= ${from} and counted.hour < ${to}
      where asset.workspace_id = ${workspaceId}
        and asset.link_id = (select id from (${ownerById("link", workspaceId, link)}))
      group by +asset.id order by 5 desc, 6 desc, asset.id`);

interface CodeRow {
  code_at: number | null;
  scans: number;
  before_live: number;
}

export const selectCode = (workspaceId: number, asset: string, from: number, to: number) =>
  orm.all<CodeRow>(sql`select (select ${slugs.created_at} from ${slugs} where ${slugs.asset} = ${offlineAssets.public_id}) as code_at,
        ${offlineAssets.scans} as scans, coalesce((select sum(hours.scans) from ${visitHours} as hours
          where hours.owner_kind = 'asset' and hours.owner_id = ${offlineAssets.id} and hours.hour >= ${from}
            and hours.hour < ${to} and hours.hour <= ${offlineAssets.live_at} - 3600000), 0) as before_live
      from ${offlineAssets} where ${offlineAssets.public_id} = ${storedId(asset)} and +${offlineAssets.workspace_id} = ${workspaceId}`);
