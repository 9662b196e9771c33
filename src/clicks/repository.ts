import { and, eq, inArray, type SQL, sql, sum } from "drizzle-orm";
import { encodeTime } from "ulidx";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import { deleteBelow } from "../db/portion";
import { activityGroups, clickDays, clickHours, clickPacks, links } from "../db/schema";
import type { DayCount, Dimension, HourCount } from "./gathering";
import { MAX_REFERRERS, NO_REFERRER, OTHER_REFERRERS } from "./referrer";

/** Marks a pack as written; the same pack cannot be written twice. */
export const insertPack =
  (id: string, at: number): Statement =>
  (orm) =>
    orm.insert(clickPacks).values({ id, written_at: at });

export const addHours =
  (counts: readonly HourCount[]): Statement =>
  (orm) =>
    orm
      .insert(clickHours)
      .select(sql`select ${links.workspace_id}, ${links.id}, counted.value ->> 'hour', counted.value ->> 'people',
        counted.value ->> 'bots', 0 from json_each(${JSON.stringify(counts)}) as counted
        join ${links} on ${links.public_id} = counted.value ->> 'link' where true`)
      .onConflictDoUpdate({
        target: [clickHours.link_id, clickHours.hour],
        set: {
          people: sql`${clickHours.people} + excluded.people`,
          bots: sql`${clickHours.bots} + excluded.bots`,
        },
      });

/**
 * Adds counts of days. A link and day has at most 100 referrers: what comes after them is added to `OTHER_REFERRERS`, in
 * the statement itself, so that it holds whatever instances write at once. Each referrer costs one look-up, and each link
 * and day with referrers one count of at most 100 rows.
 */
export const addDays =
  (counts: readonly DayCount[]): Statement =>
  (orm) =>
    orm
      .insert(clickDays)
      .select(sql`with counted as materialized (
          select ${links.workspace_id} as workspace_id, ${links.id} as link_id, given.value ->> 'day' as day,
            given.value ->> 'dimension' as dimension, given.value ->> 'value' as value, given.value ->> 'people' as people
          from json_each(${JSON.stringify(counts)}) as given cross join ${links} on ${links.public_id} = given.value ->> 'link'),
        marked as materialized (select *, dimension <> 'referrer' or value in (${NO_REFERRER}, ${OTHER_REFERRERS})
          or exists (select 1 from ${clickDays} as known where known.link_id = counted.link_id and known.day = counted.day
            and known.dimension = 'referrer' and known.value = counted.value) as has_row from counted),
        rooms as materialized (select link_id, day, ${MAX_REFERRERS} - (select count(*) from (
            select 1 from ${clickDays} as known where known.link_id = fresh.link_id and known.day = fresh.day
              and known.dimension = 'referrer' and known.value not in (${NO_REFERRER}, ${OTHER_REFERRERS})
            limit ${MAX_REFERRERS})) as room
          from (select distinct link_id, day from marked where not has_row) as fresh),
        placed as (select marked.*, room, row_number() over (partition by marked.link_id, marked.day, has_row, dimension
            order by people desc, value) as place
          from marked left join rooms on rooms.link_id = marked.link_id and rooms.day = marked.day)
        select workspace_id, link_id, day, dimension,
          case when has_row or place <= room then value else ${OTHER_REFERRERS} end, sum(people), 0
        from placed where true group by 1, 2, 3, 4, 5`)
      .onConflictDoUpdate({
        target: [clickDays.link_id, clickDays.day, clickDays.dimension, clickDays.value],
        set: { people: sql`${clickDays.people} + excluded.people` },
      });

/** Forgets a portion of the packs that were counted before then: their ids begin with that time. */
export const deletePacksBefore = (at: number): Statement =>
  deleteBelow(clickPacks, clickPacks.id, encodeTime(at, 10));

/** The links of a report: one, deleted or not, or those that a group has now. */
export type Counted = { link: string } | { group: string };

const groupRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${activityGroups.id} from ${activityGroups}
    where ${activityGroups.workspace_id} = ${workspaceId} and ${activityGroups.public_id} = ${id})`;

/** A group's links, by the index that has them alone. */
const inGroup = (workspaceId: number, id: string): SQL =>
  sql`${links.workspace_id} = ${workspaceId} and ${links.activity_group_id} = ${groupRowId(workspaceId, id)}
    and ${links.deleted_at} is null`;

const among = (workspaceId: number, counted: Counted): SQL =>
  "link" in counted
    ? sql`${links.workspace_id} = ${workspaceId} and ${links.public_id} = ${counted.link}`
    : inGroup(workspaceId, counted.group);

const rowIds = (workspaceId: number, counted: Counted): SQL =>
  sql`(select ${links.id} from ${links} where ${among(workspaceId, counted)})`;

export const namesSomething =
  (workspaceId: number, counted: Counted): Statement<{ id: string }[]> =>
  (orm) => {
    const table = "link" in counted ? links : activityGroups;
    const id = "link" in counted ? counted.link : counted.group;
    return orm
      .select({ id: table.public_id })
      .from(table)
      .where(and(eq(table.workspace_id, workspaceId), eq(table.public_id, id)));
  };

const day = sql<number>`${clickHours.hour} - ${clickHours.hour} % 86400000`;

const within = (from: number, to: number): SQL =>
  sql`${clickHours.hour} >= ${from} and ${clickHours.hour} < ${to}`;

export const clicksByDay =
  (
    workspaceId: number,
    counted: Counted,
    from: number,
    to: number,
  ): Statement<{ day: number; people: number; bots: number }[]> =>
  (orm) =>
    orm
      .select({
        day: day.as("day"),
        people: sum(clickHours.people).mapWith(Number).as("people_sum"),
        bots: sum(clickHours.bots).mapWith(Number).as("bots_sum"),
      })
      .from(clickHours)
      .where(and(inArray(clickHours.link_id, rowIds(workspaceId, counted)), within(from, to)))
      .groupBy(day)
      .orderBy(day);

/** People by the channel that their link has now, the most first. */
export const clicksByChannel =
  (
    workspaceId: number,
    counted: Counted,
    from: number,
    to: number,
    most: number,
  ): Statement<{ channel: string | null; people: number }[]> =>
  (orm) =>
    orm.all<{ channel: string | null; people: number }>(
      sql`select channel, people from
        (select ${links.channel} as channel, sum(${clickHours.people}) as people
          from ${links} cross join ${clickHours} on ${clickHours.link_id} = ${links.id}
          where ${among(workspaceId, counted)} and ${within(from, to)} group by 1)
        where people > 0 order by people desc, channel limit ${most}`,
    );

/** People by where they come from, the most first in each dimension. */
export const clicksByOrigin =
  (
    workspaceId: number,
    counted: Counted,
    from: number,
    to: number,
    most: number,
  ): Statement<{ dimension: Dimension; value: string; people: number }[]> =>
  (orm) =>
    orm.all<{ dimension: Dimension; value: string; people: number }>(
      sql`select dimension, value, people from
        (select ${clickDays.dimension} as dimension, ${clickDays.value} as value, sum(${clickDays.people}) as people,
          row_number() over (partition by ${clickDays.dimension}
            order by sum(${clickDays.people}) desc, ${clickDays.value}) as place
          from ${clickDays} where ${clickDays.link_id} in ${rowIds(workspaceId, counted)}
            and ${clickDays.day} >= ${from} and ${clickDays.day} < ${to} group by 1, 2)
        where place <= ${most} order by dimension, place`,
    );

/** People of each day by where they come from, day by day and the most first in each dimension. */
export const originsByDay =
  (
    workspaceId: number,
    counted: Counted,
    from: number,
    to: number,
  ): Statement<{ day: number; dimension: Dimension; value: string; people: number }[]> =>
  (orm) =>
    orm.all<{ day: number; dimension: Dimension; value: string; people: number }>(
      sql`select ${clickDays.day} as day, ${clickDays.dimension} as dimension, ${clickDays.value} as value,
          sum(${clickDays.people}) as people
        from ${clickDays} where ${clickDays.link_id} in ${rowIds(workspaceId, counted)}
          and ${clickDays.day} >= ${from} and ${clickDays.day} < ${to}
        group by 1, 2, 3 order by 1, 2, 4 desc, 3`,
    );

/** A link of a group with its days of clicks, a JSON array. */
export interface LinkDaysRow {
  id: string;
  archived: 0 | 1;
  slug: string;
  channel: string | null;
  days: string;
}

/** The next `most` of a group's links behind `after`, each with its days of clicks. */
export const daysOfLinks =
  (
    workspaceId: number,
    group: string,
    from: number,
    to: number,
    after: Pick<LinkDaysRow, "archived" | "id"> | undefined,
    most: number,
  ): Statement<LinkDaysRow[]> =>
  (orm) =>
    orm.all<LinkDaysRow>(
      sql`select ${links.public_id} as id, ${links.archived} as archived, ${links.slug} as slug, ${links.channel} as channel,
        (select json_group_array(json_object('day', day, 'people', people, 'bots', bots)) from
          (select ${day} as day, sum(${clickHours.people}) as people, sum(${clickHours.bots}) as bots from ${clickHours}
            where ${clickHours.link_id} = ${links.id} and ${within(from, to)} group by 1 order by 1)) as days
        from ${links} where ${inGroup(workspaceId, group)}
          and (${links.archived}, ${links.public_id}) > (${after?.archived ?? -1}, ${after?.id ?? ""})
        order by ${links.archived}, ${links.public_id} limit ${most}`,
    );

/** The people who followed links of the workspace, by link and day. */
export const clicksOfLinksByDay =
  (
    workspaceId: number,
    ids: readonly string[],
    from: number,
    to: number,
  ): Statement<{ link: string; day: number; people: number }[]> =>
  (orm) =>
    orm
      .select({
        link: links.public_id,
        day: day.as("day"),
        people: sum(clickHours.people).mapWith(Number).as("people_sum"),
      })
      .from(fromList(toList(ids)))
      .crossJoin(links)
      .crossJoin(clickHours)
      .where(
        and(
          eq(links.public_id, item()),
          sql`+${links.workspace_id} = ${workspaceId}`,
          eq(clickHours.link_id, links.id),
          within(from, to),
        ),
      )
      .groupBy(links.public_id, day);
