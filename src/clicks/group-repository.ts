import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, clickHours, links, offlineAssets, scanHours } from "../db/schema";
import { type Days, MAX_COUNTED_LINKS, rowIdOf, visitedInGroup, whereInDays } from "./scope-statements";

/** The links of a group among which those without visits are looked for. */
export const MAX_LISTED_LINKS = 1_000;
/** The assets of a group among which the most scanned ones are looked for. */
const MAX_COUNTED_ASSETS = 500;

const groupRowId = (workspaceId: number, id: string): SQL => rowIdOf(activityGroups, workspaceId, id);

/** The links of a group as its index orders them: active ones before archived ones. */
const linksInGroup = (workspaceId: number, group: string): SQL =>
  sql`select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId}
    and ${links.activity_group_id} = ${groupRowId(workspaceId, group)} and ${links.deleted_at} is null
    and ${links.activity_group_id} is not null
    order by ${links.archived}, ${links.public_id} limit ${MAX_LISTED_LINKS}`;

export interface QuietLinkRow {
  id: string;
  slug: string;
  title: string | null;
  channel: string | null;
}

/** A page of a group's links without clicks and scans in a range, the newest first, archived ones last. */
export const selectQuietLinks =
  (
    workspaceId: number,
    group: string,
    days: Days,
    { limit, offset }: { limit: number; offset: number },
  ): Statement<QuietLinkRow[]> =>
  (orm) =>
    orm.all(sql`select ${links.public_id} as id, ${links.slug} as slug, ${links.title} as title, ${links.channel} as channel
      from (${linksInGroup(workspaceId, group)}) as listed cross join ${links} on ${links.id} = listed.id
      where not exists (select 1 from ${clickHours} where ${clickHours.link_id} = listed.id
        and ${clickHours.people} + ${clickHours.scans} > 0
        and ${whereInDays(sql`${clickHours.hour}`, sql`${clickHours.folded}`, days)})
      order by ${links.archived}, ${links.public_id} desc limit ${limit} offset ${offset}`);

export interface GroupAssetRow {
  id: string;
  name: string;
  place: string | null;
  status: "draft" | "live" | "retired";
  /** The link that it leads to. */
  link: string;
  slug: string;
  title: string | null;
  scans: number;
}

/** The assets of a group's links with their scans in a range. */
export const selectGroupAssets =
  (workspaceId: number, group: string, days: Days): Statement<GroupAssetRow[]> =>
  (orm) =>
    orm.all(sql`with assets as materialized (
        select ${offlineAssets.id} as id
        from (select id from (${visitedInGroup(workspaceId, groupRowId(workspaceId, group), MAX_COUNTED_LINKS)})
            union select id from (${linksInGroup(workspaceId, group)})) as listed
          cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${workspaceId} and ${offlineAssets.link_id} = listed.id
        limit ${MAX_COUNTED_ASSETS})
      select ${offlineAssets.public_id} as id, ${offlineAssets.name} as name, ${offlineAssets.place} as place,
        ${offlineAssets.status} as status, ${links.public_id} as link, ${links.slug} as slug, ${links.title} as title,
        counted.scans as scans
      from (select assets.id as id, coalesce((select sum(${scanHours.people}) from ${scanHours}
            where ${scanHours.asset_id} = assets.id
              and ${whereInDays(sql`${scanHours.hour}`, sql`${scanHours.folded}`, days)}), 0) as scans
          from assets) as counted
        cross join ${offlineAssets} on ${offlineAssets.id} = counted.id
        cross join ${links} on ${links.id} = ${offlineAssets.link_id}`);

interface VisitedLinkRow extends QuietLinkRow {
  clicks: number;
  scans: number;
}

/** A group's links with visits in a range, the most visited first, without their days. */
export const selectVisitedLinks =
  (workspaceId: number, group: string, days: Days): Statement<VisitedLinkRow[]> =>
  (orm) => {
    const visits = sql`sum(${clickHours.people} + ${clickHours.scans})`;
    return orm.all(sql`select ${links.public_id} as id, ${links.slug} as slug, ${links.title} as title,
        ${links.channel} as channel, sum(${clickHours.people}) as clicks, sum(${clickHours.scans}) as scans
      from (${visitedInGroup(workspaceId, groupRowId(workspaceId, group), MAX_COUNTED_LINKS)}) as counted
        cross join ${links} on ${links.id} = counted.id
        cross join ${clickHours} on ${clickHours.link_id} = counted.id
      where ${whereInDays(sql`${clickHours.hour}`, sql`${clickHours.folded}`, days)}
      group by ${links.id} having ${visits} > 0 order by ${visits} desc, ${links.id}`);
  };
