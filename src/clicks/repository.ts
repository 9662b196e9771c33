import { and, desc, eq, gte, inArray, lt, type SQL, sql, sum } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, clickDays, clickHours, clickPacks, links } from "../db/schema";
import type { DayCount, Dimension, HourCount } from "./count";

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
        counted.value ->> 'bots' from json_each(${JSON.stringify(counts)}) as counted
        join ${links} on ${links.public_id} = counted.value ->> 'link' where true`)
      .onConflictDoUpdate({
        target: [clickHours.link_id, clickHours.hour],
        set: {
          people: sql`${clickHours.people} + excluded.people`,
          bots: sql`${clickHours.bots} + excluded.bots`,
        },
      });

export const addDays =
  (counts: readonly DayCount[]): Statement =>
  (orm) =>
    orm
      .insert(clickDays)
      .select(sql`select ${links.workspace_id}, ${links.id}, counted.value ->> 'day', counted.value ->> 'dimension',
        counted.value ->> 'value', counted.value ->> 'people' from json_each(${JSON.stringify(counts)}) as counted
        join ${links} on ${links.public_id} = counted.value ->> 'link' where true`)
      .onConflictDoUpdate({
        target: [clickDays.link_id, clickDays.day, clickDays.dimension, clickDays.value],
        set: { people: sql`${clickDays.people} + excluded.people` },
      });

export const deletePacksBefore =
  (at: number): Statement =>
  (orm) =>
    orm.delete(clickPacks).where(lt(clickPacks.written_at, at));

/** The links of a report: one, or those that a group has now; deleted ones keep their counts. */
export type Counted = { link: string } | { group: string };

const rowIds = (counted: Counted): SQL =>
  "link" in counted
    ? sql`(select ${links.id} from ${links} where ${links.public_id} = ${counted.link})`
    : sql`(select ${links.id} from ${links} join ${activityGroups} on ${activityGroups.id} = ${links.activity_group_id}
        where ${activityGroups.public_id} = ${counted.group} and ${links.workspace_id} = ${activityGroups.workspace_id})`;

export const namesSomething =
  (counted: Counted): Statement<{ id: string }[]> =>
  (orm) =>
    "link" in counted
      ? orm.select({ id: links.public_id }).from(links).where(eq(links.public_id, counted.link))
      : orm
          .select({ id: activityGroups.public_id })
          .from(activityGroups)
          .where(eq(activityGroups.public_id, counted.group));

const day = sql<number>`${clickHours.hour} - ${clickHours.hour} % 86400000`;

export const clicksByDay =
  (counted: Counted, from: number, to: number): Statement<{ day: number; people: number; bots: number }[]> =>
  (orm) =>
    orm
      .select({
        day: day.as("day"),
        people: sum(clickHours.people).mapWith(Number).as("people_sum"),
        bots: sum(clickHours.bots).mapWith(Number).as("bots_sum"),
      })
      .from(clickHours)
      .where(
        and(
          inArray(clickHours.link_id, rowIds(counted)),
          gte(clickHours.hour, from),
          lt(clickHours.hour, to),
        ),
      )
      .groupBy(day)
      .orderBy(day);

export const clicksBy =
  (
    dimension: Dimension,
    counted: Counted,
    from: number,
    to: number,
    most: number,
  ): Statement<{ value: string; people: number }[]> =>
  (orm) => {
    const people = sum(clickDays.people).mapWith(Number);
    return orm
      .select({ value: clickDays.value, people: people.as("people_sum") })
      .from(clickDays)
      .where(
        and(
          inArray(clickDays.link_id, rowIds(counted)),
          eq(clickDays.dimension, dimension),
          gte(clickDays.day, from),
          lt(clickDays.day, to),
        ),
      )
      .groupBy(clickDays.value)
      .orderBy(desc(people), clickDays.value)
      .limit(most);
  };
