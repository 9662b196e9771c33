import { sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, linkDays, links, linkTags, tags } from "../db/schema";
import { type Days, topOfDays, topPerDay, utcDaysOf } from "./scope-statements";

// Sums of many tags or groups at once, by the most visited links of each UTC day.

interface SumRow {
  id: string;
  visits: number;
}

export const selectVisitsOfTags =
  (workspaceId: number, days: Days, now: number): Statement<SumRow[]> =>
  (orm) =>
    orm.all(sql`select ${tags.public_id} as id, tagged.visits as visits
      from (select ${linkTags.tag_id} as tag, sum(top.top_visits) as visits
          from (${topOfDays(workspaceId, days, now)}) as top
            cross join ${linkTags} on ${linkTags.link_id} = top.link group by 1) as tagged
        cross join ${tags} on ${tags.id} = tagged.tag`);

export const selectVisitsOfGroups =
  (workspaceId: number, days: Days, now: number): Statement<SumRow[]> =>
  (orm) =>
    orm.all(sql`select ${activityGroups.public_id} as id, grouped.visits as visits
      from (select ${links.activity_group_id} as grouping, sum(top.top_visits) as visits
          from (${topOfDays(workspaceId, days, now)}) as top
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
