import { and, eq, inArray, type SQL, sql, sum } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, clickDays, clickHours, links } from "../db/schema";
import type { Dimension } from "./gathering";
import { MAX_COUNTED_LINKS, visitedInGroup } from "./scope-statements";

/** The links of a report: one link (deleted or not), or a group's current links. */
export type ReportScope = { link: string } | { group: string };

const selectGroupRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${activityGroups.id} from ${activityGroups}
    where ${activityGroups.workspace_id} = ${workspaceId} and ${activityGroups.public_id} = ${id})`;

/** Matches the partial index of a group's links. */
const whereInGroup = (workspaceId: number, id: string): SQL =>
  sql`${links.workspace_id} = ${workspaceId} and ${links.activity_group_id} = ${selectGroupRowId(workspaceId, id)}
    and ${links.deleted_at} is null`;

const whereInScope = (workspaceId: number, scope: ReportScope): SQL =>
  "link" in scope
    ? sql`${links.workspace_id} = ${workspaceId} and ${links.public_id} = ${scope.link}`
    : whereInGroup(workspaceId, scope.group);

const selectRowIds = (workspaceId: number, scope: ReportScope): SQL =>
  sql`(select ${links.id} from ${links} where ${whereInScope(workspaceId, scope)})`;

export const selectScope =
  (workspaceId: number, scope: ReportScope): Statement<{ id: string }[]> =>
  (orm) => {
    const table = "link" in scope ? links : activityGroups;
    const id = "link" in scope ? scope.link : scope.group;
    return orm
      .select({ id: table.public_id })
      .from(table)
      .where(and(eq(table.workspace_id, workspaceId), eq(table.public_id, id)));
  };

const day = sql<number>`${clickHours.hour} - ${clickHours.hour} % 86400000`;

const whereWithin = (from: number, to: number): SQL =>
  sql`${clickHours.hour} >= ${from} and ${clickHours.hour} < ${to}`;

export const selectClicksByDay =
  (
    workspaceId: number,
    scope: ReportScope,
    from: number,
    to: number,
  ): Statement<{ day: number; clicks: number; scans: number; late: number; bots: number }[]> =>
  (orm) =>
    orm
      .select({
        day: day.as("day"),
        clicks: sum(clickHours.people).mapWith(Number).as("clicks_sum"),
        scans: sum(clickHours.scans).mapWith(Number).as("scans_sum"),
        late: sum(clickHours.late).mapWith(Number).as("late_sum"),
        bots: sum(clickHours.bots).mapWith(Number).as("bots_sum"),
      })
      .from(clickHours)
      .where(and(inArray(clickHours.link_id, selectRowIds(workspaceId, scope)), whereWithin(from, to)))
      .groupBy(day)
      .orderBy(day);

/** Clicks and scans by their link's current channel, highest first. */
export const selectClicksByChannel =
  (
    workspaceId: number,
    scope: ReportScope,
    from: number,
    to: number,
    limit: number,
  ): Statement<{ channel: string | null; clicks: number; scans: number }[]> =>
  (orm) =>
    orm.all<{ channel: string | null; clicks: number; scans: number }>(
      sql`select channel, clicks, scans from
        (select ${links.channel} as channel, sum(${clickHours.people}) as clicks, sum(${clickHours.scans}) as scans
          from ${links} cross join ${clickHours} on ${clickHours.link_id} = ${links.id}
          where ${whereInScope(workspaceId, scope)} and ${whereWithin(from, to)} group by 1)
        where clicks + scans > 0 order by clicks + scans desc, channel limit ${limit}`,
    );

/** People by origin, highest first per dimension. */
export const selectClicksByOrigin =
  (
    workspaceId: number,
    scope: ReportScope,
    from: number,
    to: number,
    limit: number,
  ): Statement<{ dimension: Dimension; value: string; people: number }[]> =>
  (orm) =>
    orm.all<{ dimension: Dimension; value: string; people: number }>(
      sql`select dimension, value, people from
        (select ${clickDays.dimension} as dimension, ${clickDays.value} as value, sum(${clickDays.people}) as people,
          row_number() over (partition by ${clickDays.dimension}
            order by sum(${clickDays.people}) desc, ${clickDays.value}) as place
          from ${clickDays} where ${clickDays.link_id} in ${selectRowIds(workspaceId, scope)}
            and ${clickDays.day} >= ${from} and ${clickDays.day} < ${to} group by 1, 2)
        where place <= ${limit} order by dimension, place`,
    );

/** People by day and origin, highest first per dimension, of the links of a group that its page counts. */
export const selectOriginsByDay =
  (
    workspaceId: number,
    group: string,
    from: number,
    to: number,
    limit: number,
  ): Statement<{ day: number; dimension: Dimension; value: string; people: number }[]> =>
  (orm) =>
    orm.all<{ day: number; dimension: Dimension; value: string; people: number }>(
      sql`select ${clickDays.day} as day, ${clickDays.dimension} as dimension, ${clickDays.value} as value,
          sum(${clickDays.people}) as people
        from ${clickDays} where ${clickDays.link_id} in
            (select id from (${visitedInGroup(workspaceId, selectGroupRowId(workspaceId, group), MAX_COUNTED_LINKS)}))
          and ${clickDays.day} >= ${from} and ${clickDays.day} < ${to}
        group by 1, 2, 3 order by 1, 2, 4 desc, 3 limit ${limit}`,
    );

/** A day of a link. */
export interface LinkDayRow {
  id: string;
  archived: 0 | 1;
  slug: string;
  channel: string | null;
  day: number;
  /** A JSON array of the day, people, bots, scans and late. */
  counts: string;
}

/** The next `limit` days of a group's links after `after`, link by link. */
export const selectDaysOfLinks =
  (
    workspaceId: number,
    group: string,
    from: number,
    to: number,
    after: Pick<LinkDayRow, "archived" | "id" | "day"> | undefined,
    limit: number,
  ): Statement<LinkDayRow[]> =>
  (orm) =>
    orm.all<LinkDayRow>(
      sql`select ${links.public_id} as id, ${links.archived} as archived, ${links.slug} as slug, ${links.channel} as channel,
          one.value ->> 0 as day, one.value as counts
        from ${links} cross join json_each((select json_group_array(json_array(day, people, bots, scans, late)) from
          (select ${day} as day, sum(${clickHours.people}) as people, sum(${clickHours.bots}) as bots,
              sum(${clickHours.scans}) as scans, sum(${clickHours.late}) as late from ${clickHours}
            where ${clickHours.link_id} = ${links.id} and ${whereWithin(from, to)} group by 1 order by 1))) as one
        where ${whereInGroup(workspaceId, group)}
          and (${links.archived}, ${links.public_id}) >= (${after?.archived ?? -1}, ${after?.id ?? ""})
          and (${links.public_id} <> ${after?.id ?? ""} or one.value ->> 0 > ${after?.day ?? 0})
        order by ${links.archived}, ${links.public_id}, one.key limit ${limit}`,
    );
