import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import { clickDays, clickHours, clickPacks, links, offlineAssets } from "../db/schema";
import type { DayRow, HourRow } from "./months";

// The statements that put months of clicks into one row each.

/** A link that has clicks by the hour or by the day in some month. */
export interface UnfoldedRow {
  link_id: number;
  at: number;
}

/** The oldest rows by the hour before a moment, at most so many. */
export const unfoldedHours =
  (before: number, limit: number): Statement<UnfoldedRow[]> =>
  (orm) =>
    orm.all(sql`select link_id, hour as at from ${clickHours} where folded = 0 and hour < ${before}
      order by hour limit ${limit}`);

/** The oldest rows by the day before a moment, at most so many. */
export const unfoldedDays =
  (before: number, limit: number): Statement<UnfoldedRow[]> =>
  (orm) =>
    orm.all(sql`select link_id, day as at from ${clickDays} where folded = 0 and day < ${before}
      order by day limit ${limit}`);

/** Links in a month, and how many of their rows are read at once. */
export interface Portion {
  links: readonly number[];
  from: number;
  to: number;
}

const within = ({ links: ids, from, to }: Portion, at: "hour" | "day"): SQL =>
  sql`link_id in (select value from json_each(${JSON.stringify(ids)}))
    and ${sql.raw(at)} >= ${from} and ${sql.raw(at)} < ${to}`;

export const hoursOf =
  (portion: Portion, limit: number): Statement<HourRow[]> =>
  (orm) =>
    orm.all(sql`select workspace_id, link_id, hour, people, bots from ${clickHours}
      where ${within(portion, "hour")} order by link_id, hour limit ${limit}`);

export const daysOf =
  (portion: Portion, limit: number): Statement<DayRow[]> =>
  (orm) =>
    orm.all(sql`select workspace_id, link_id, day, dimension, value, people from ${clickDays}
      where ${within(portion, "day")} order by link_id, day, dimension, value limit ${limit}`);

/** When assets of the links first went live in the month. */
export const liveTimesOf =
  ({ links: ids, from, to }: Portion): Statement<{ link_id: number; live_at: number }[]> =>
  (orm) =>
    orm.all(sql`select ${links.id} as link_id, ${offlineAssets.live_at} as live_at
      from ${fromList(toList(ids))} cross join ${links} on ${links.id} = ${item()}
      cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${links.workspace_id} and ${offlineAssets.link_id} = ${links.id}
      where ${offlineAssets.live_at} >= ${from} and ${offlineAssets.live_at} < ${to}`);

/** The rows of a portion up to the last one that was read. */
const hoursUpTo = (portion: Portion, last: HourRow): SQL =>
  sql`${within(portion, "hour")} and (link_id, hour) <= (${last.link_id}, ${last.hour})`;

const daysUpTo = (portion: Portion, last: DayRow): SQL =>
  sql`${within(portion, "day")}
    and (link_id, day, dimension, value) <= (${last.link_id}, ${last.day}, ${last.dimension}, ${last.value})`;

/** Aborts the batch where the rows are not as they were read; its id is kept with the packs', so a repeat aborts too. */
const assertAsRead = (id: string, at: number, state: SQL, expected: string): Statement => {
  return (orm) =>
    orm.run(
      sql`insert into ${clickPacks} (id, written_at) select ${id}, case when (${state}) = ${expected} then ${at} end`,
    );
};

/** Puts hours that were read in the place of a portion's, in one batch. */
export const replaceHours = (
  id: string,
  at: number,
  portion: Portion,
  read: readonly HourRow[],
  last: HourRow,
  folded: readonly HourRow[],
): Statement[] => [
  assertAsRead(
    id,
    at,
    sql`select count(*) || ' ' || sum(people) || ' ' || sum(bots) from ${clickHours} where ${hoursUpTo(portion, last)}`,
    `${read.length} ${total(read, "people")} ${total(read, "bots")}`,
  ),
  (orm) => orm.run(sql`delete from ${clickHours} where ${hoursUpTo(portion, last)}`),
  (orm) =>
    orm.run(sql`insert into ${clickHours} (workspace_id, link_id, hour, people, bots, folded)
      select value ->> 'workspace_id', value ->> 'link_id', value ->> 'hour', value ->> 'people', value ->> 'bots', 1
      from json_each(${JSON.stringify(folded)})`),
];

/** Puts days that were read in the place of a portion's, in one batch. */
export const replaceDays = (
  id: string,
  at: number,
  portion: Portion,
  read: readonly DayRow[],
  last: DayRow,
  folded: readonly DayRow[],
): Statement[] => [
  assertAsRead(
    id,
    at,
    sql`select count(*) || ' ' || sum(people) from ${clickDays} where ${daysUpTo(portion, last)}`,
    `${read.length} ${total(read, "people")}`,
  ),
  (orm) => orm.run(sql`delete from ${clickDays} where ${daysUpTo(portion, last)}`),
  (orm) =>
    orm.run(sql`insert into ${clickDays} (workspace_id, link_id, day, dimension, value, people, folded)
      select value ->> 'workspace_id', value ->> 'link_id', value ->> 'day', value ->> 'dimension', value ->> 'value',
        value ->> 'people', 1 from json_each(${JSON.stringify(folded)})`),
];

const total = <Column extends string>(
  rows: readonly Readonly<Record<Column, number>>[],
  column: Column,
): number => rows.reduce((sum, row) => sum + row[column], 0);
