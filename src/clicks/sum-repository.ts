import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, clickHours, linkDays, links, linkTags, tags } from "../db/schema";
import { foldedBefore } from "../lib/folded-months";
import { DAY_MS } from "../lib/time";
import { type Days, topOfDays, topPerDay, toUtcDay, utcDaysOf } from "./scope-statements";

// Sums of many tags or groups at once, by the most visited links of each UTC day.

interface SumRow {
  id: string;
  visits: number;
}

/**
 * The visits of a link on a UTC day, as far as the range has its hours. Of a day that it has in part, the fewer hours are
 * read.
 */
function visitsWithin({ from, to }: Days, now: number): SQL {
  const hours = (begin: number, end: number): SQL =>
    begin >= end
      ? sql`0`
      : sql`coalesce((select sum(${clickHours.people} + ${clickHours.scans}) from ${clickHours}
          where ${clickHours.link_id} = ${linkDays.link_id} and +${clickHours.folded} = 0
            and ${clickHours.hour} >= ${begin} and ${clickHours.hour} < ${end}), 0)`;
  const parts = [...new Set([toUtcDay(from), toUtcDay(to - 1)])].flatMap((day) => {
    const nextDay = day + DAY_MS;
    const begin = Math.max(from, day);
    // There are no visits in the future.
    const end = to > now ? nextDay : Math.min(to, nextDay);
    if (day < foldedBefore(now) || end - begin === DAY_MS) return [];
    const visits =
      end - begin <= DAY_MS / 2
        ? hours(begin, end)
        : sql`${linkDays.visits} - ${hours(day, begin)} - ${hours(end, nextDay)}`;
    return [sql`when ${linkDays.day} = ${day} then ${visits}`];
  });
  if (parts.length === 0) return sql`${linkDays.visits}`;
  return sql`case ${sql.join(parts, sql` `)} else ${linkDays.visits} end`;
}

const topWithin = (workspaceId: number, days: Days, now: number): SQL =>
  topOfDays(workspaceId, utcDaysOf(days, now), visitsWithin(days, now));

export const selectVisitsOfTags =
  (workspaceId: number, days: Days, now: number): Statement<SumRow[]> =>
  (orm) =>
    orm.all(sql`select ${tags.public_id} as id, tagged.visits as visits
      from (select ${linkTags.tag_id} as tag, sum(top.top_visits) as visits
          from (${topWithin(workspaceId, days, now)}) as top
            cross join ${linkTags} on ${linkTags.link_id} = top.link group by 1) as tagged
        cross join ${tags} on ${tags.id} = tagged.tag`);

export const selectVisitsOfGroups =
  (workspaceId: number, days: Days, now: number): Statement<SumRow[]> =>
  (orm) =>
    orm.all(sql`select ${activityGroups.public_id} as id, grouped.visits as visits
      from (select ${links.activity_group_id} as grouping, sum(top.top_visits) as visits
          from (${topWithin(workspaceId, days, now)}) as top
            cross join ${links} on ${links.id} = top.link and ${links.deleted_at} is null
          group by 1) as grouped
        cross join ${activityGroups} on ${activityGroups.id} = grouped.grouping`);

/** Whether more links were visited on a day than are read of it. */
export const selectHasFullDay =
  (workspaceId: number, range: Days, now: number): Statement<{ is_cut: 0 | 1 }[]> =>
  (orm) => {
    const days = utcDaysOf(range, now);
    return orm.all(sql`select exists (select 1 from json_each(${JSON.stringify(days)}) as days
      where (select count(*) from (select 1 from ${linkDays} where ${linkDays.day} = days.value
        and ${linkDays.workspace_id} = ${workspaceId} limit ${topPerDay(days) + 1})) > ${topPerDay(days)}) as is_cut`);
  };
