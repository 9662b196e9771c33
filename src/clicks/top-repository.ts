import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, clickHours, linkDays, links } from "../db/schema";
import { foldedBefore } from "../lib/folded-months";
import { DAY_MS } from "../lib/time";
import {
  type Days,
  hourOrNull,
  localDay,
  MAX_COUNTED_LINKS,
  rowIdOf,
  topOfDays,
  toUtcDay,
  visitedInGroup,
  whereInDays,
} from "./scope-statements";

/** Links or groups beyond those asked for, whose visits are counted exactly. */
const SPARE_CANDIDATES = 10;

interface TopLinkRow {
  id: string;
  slug: string;
  title: string | null;
  clicks: number;
  scans: number;
}

/**
 * The links with the most clicks and scans, looked for among the most visited ones of each day. Their numbers are those
 * of the whole range.
 */
export const selectTopLinks =
  (workspaceId: number, days: Days, now: number, limit: number): Statement<TopLinkRow[]> =>
  (orm) =>
    orm.all(sql`select id, slug, title, clicks, scans from
      (select ${links.public_id} as id, ${links.slug} as slug, ${links.title} as title,
          sum(${clickHours.people}) as clicks, sum(${clickHours.scans}) as scans
        from (select link from (${topOfDays(workspaceId, days, now)})
            order by top_visits desc, link limit ${limit + SPARE_CANDIDATES}) as candidate
          cross join ${links} on ${links.id} = candidate.link and ${links.deleted_at} is null
          cross join ${clickHours} on ${clickHours.link_id} = ${links.id}
        where ${whereInDays(sql`${clickHours.hour}`, sql`${clickHours.folded}`, days)} group by ${links.id})
      where clicks + scans > 0 order by clicks + scans desc, id limit ${limit}`);

interface TopGroupRow {
  id: string;
  name: string;
  clicks_and_scans: number;
}

/** Clicks and scans of links in a range: whole UTC days by their kept sums, the hours at both ends one by one. */
function visitsOf(linkIds: SQL, { firstDay, lastDay, from, to }: Days, now: number): SQL {
  const folded = foldedBefore(now);
  const firstWhole = from < folded ? firstDay * DAY_MS : toUtcDay(from + DAY_MS - 1);
  const end = to <= folded ? (lastDay + 1) * DAY_MS : toUtcDay(to);
  const hours = (begin: number, until: number): SQL =>
    begin < until
      ? sql`+ coalesce((select sum(${clickHours.people} + ${clickHours.scans}) from ${clickHours}
          where ${clickHours.link_id} in (${linkIds}) and +${clickHours.folded} = 0
            and ${clickHours.hour} >= ${begin} and ${clickHours.hour} < ${until}), 0)`
      : sql.empty();
  return sql`coalesce((select sum(${linkDays.visits}) from ${linkDays} where ${linkDays.link_id} in (${linkIds})
      and ${linkDays.day} >= ${firstWhole} and ${linkDays.day} < ${end}), 0)
    ${from < folded ? sql.empty() : hours(from, firstWhole)} ${to <= folded ? sql.empty() : hours(end, to)}`;
}

/** The groups with the most clicks and scans, looked for among the most visited links of each day. */
export const selectTopGroups =
  (workspaceId: number, days: Days, now: number, limit: number): Statement<TopGroupRow[]> =>
  (orm) => {
    const counted = sql`select id from (${visitedInGroup(workspaceId, sql`candidate.row_id`, MAX_COUNTED_LINKS)})`;
    return orm.all(sql`with counted as materialized (select candidate.id as id, candidate.name as name, ${visitsOf(counted, days, now)} as clicks_and_scans
        from (select ${activityGroups.id} as row_id, ${activityGroups.public_id} as id, ${activityGroups.name} as name,
            sum(top.top_visits) as group_visits
          from (${topOfDays(workspaceId, days, now)}) as top
            cross join ${links} on ${links.id} = top.link and ${links.deleted_at} is null
            cross join ${activityGroups} on ${activityGroups.id} = ${links.activity_group_id}
          group by 1 order by group_visits desc, 1 limit ${limit + SPARE_CANDIDATES}) as candidate)
      select id, name, clicks_and_scans from counted where clicks_and_scans > 0 order by clicks_and_scans desc, id limit ${limit}`);
  };

const countedInGroup = (workspaceId: number, group: string): SQL =>
  visitedInGroup(workspaceId, rowIdOf(activityGroups, workspaceId, group), MAX_COUNTED_LINKS);

interface GroupLinkRow {
  id: string;
  slug: string;
  title: string | null;
  channel: string | null;
  day: number;
  hour: number | null;
  clicks: number;
  scans: number;
}

/** A page of a group's links with visits in a range, the most visited first, each with its visits by day or hour. */
export const selectGroupLinks =
  (
    workspaceId: number,
    group: string,
    days: Days,
    isByHour: boolean,
    { limit, offset }: { limit: number; offset: number },
  ): Statement<GroupLinkRow[]> =>
  (orm) => {
    const [hour, folded] = [sql`${clickHours.hour}`, sql`${clickHours.folded}`];
    return orm.all(sql`with visits as materialized (
        select counted.id as link, ${localDay(hour, folded, days)} as day, ${hourOrNull(hour, folded, isByHour)} as hour,
          sum(${clickHours.people}) as clicks, sum(${clickHours.scans}) as scans
        from (${countedInGroup(workspaceId, group)}) as counted cross join ${clickHours} on ${clickHours.link_id} = counted.id
        where ${whereInDays(hour, folded, days)} group by 1, 2, 3),
      best as materialized (select link, sum(clicks + scans) as all_visits from visits group by link having all_visits > 0
        order by all_visits desc, link limit ${limit} offset ${offset})
      select ${links.public_id} as id, ${links.slug} as slug, ${links.title} as title, ${links.channel} as channel,
        visits.day as day, visits.hour as hour, visits.clicks as clicks, visits.scans as scans
      from best cross join ${links} on ${links.id} = best.link join visits on visits.link = best.link
      order by best.all_visits desc, best.link, visits.day, visits.hour`);
  };

/** How many links of a group have visits in a range. */
export const countVisitedLinks =
  (workspaceId: number, group: string, days: Days): Statement<{ links: number }[]> =>
  (orm) =>
    orm.all(sql`select count(*) as links from (${countedInGroup(workspaceId, group)}) as counted
      where exists (select 1 from ${clickHours} where ${clickHours.link_id} = counted.id
        and ${clickHours.people} + ${clickHours.scans} > 0
        and ${whereInDays(sql`${clickHours.hour}`, sql`${clickHours.folded}`, days)})`);

interface ChannelVisitsRow {
  channel: string | null;
  day: number;
  hour: number | null;
  clicks: number;
  scans: number;
}

/** Clicks and scans of a group by the current channel of its links and by local day or hour. */
export const selectVisitsByChannel =
  (workspaceId: number, group: string, days: Days, isByHour: boolean): Statement<ChannelVisitsRow[]> =>
  (orm) => {
    const [hour, folded] = [sql`${clickHours.hour}`, sql`${clickHours.folded}`];
    return orm.all(sql`select ${links.channel} as channel, ${localDay(hour, folded, days)} as day,
        ${hourOrNull(hour, folded, isByHour)} as hour, sum(${clickHours.people}) as clicks, sum(${clickHours.scans}) as scans
      from (${countedInGroup(workspaceId, group)}) as counted cross join ${links} on ${links.id} = counted.id
        cross join ${clickHours} on ${clickHours.link_id} = counted.id
      where ${whereInDays(hour, folded, days)} group by 1, 2, 3`);
  };
