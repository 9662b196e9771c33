import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import { clickDays, clickHours, clickPacks, links, offlineAssets } from "../db/schema";
import type { DayRow, HourRow } from "./months";

export interface UnfoldedRow {
  link_id: number;
  at: number;
}

export const selectUnfoldedHours =
  (before: number, limit: number): Statement<UnfoldedRow[]> =>
  (orm) =>
    orm.all(sql`select link_id, hour as at from ${clickHours} where folded = 0 and hour < ${before}
      order by hour limit ${limit}`);

export const selectUnfoldedDays =
  (before: number, limit: number): Statement<UnfoldedRow[]> =>
  (orm) =>
    orm.all(sql`select link_id, day as at from ${clickDays} where folded = 0 and day < ${before}
      order by day limit ${limit}`);

/** Links (row ids) and a month to fold. */
export interface Portion {
  links: readonly number[];
  from: number;
  to: number;
}

const whereWithin = ({ links: ids, from, to }: Portion, at: "hour" | "day"): SQL =>
  sql`link_id in (select value from json_each(${JSON.stringify(ids)}))
    and ${sql.raw(at)} >= ${from} and ${sql.raw(at)} < ${to}`;

export const selectHours =
  (portion: Portion, limit: number): Statement<HourRow[]> =>
  (orm) =>
    orm.all(sql`select workspace_id, link_id, hour, people, bots from ${clickHours}
      where ${whereWithin(portion, "hour")} order by link_id, hour limit ${limit}`);

export const selectDays =
  (portion: Portion, limit: number): Statement<DayRow[]> =>
  (orm) =>
    orm.all(sql`select workspace_id, link_id, day, dimension, value, people from ${clickDays}
      where ${whereWithin(portion, "day")} order by link_id, day, dimension, value limit ${limit}`);

/** When the links' assets first went live, if within the month. */
export const selectLiveTimes =
  ({ links: ids, from, to }: Portion): Statement<{ link_id: number; live_at: number }[]> =>
  (orm) =>
    orm.all(sql`select ${links.id} as link_id, ${offlineAssets.live_at} as live_at
      from ${fromList(toList(ids))} cross join ${links} on ${links.id} = ${item()}
      cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${links.workspace_id} and ${offlineAssets.link_id} = ${links.id}
      where ${offlineAssets.live_at} >= ${from} and ${offlineAssets.live_at} < ${to}`);

const whereHoursUpTo = (portion: Portion, last: HourRow): SQL =>
  sql`${whereWithin(portion, "hour")} and (link_id, hour) <= (${last.link_id}, ${last.hour})`;

const whereDaysUpTo = (portion: Portion, last: DayRow): SQL =>
  sql`${whereWithin(portion, "day")}
    and (link_id, day, dimension, value) <= (${last.link_id}, ${last.day}, ${last.dimension}, ${last.value})`;

/** Aborts the batch if the rows have changed since the read. Its id is stored as a pack's, so a retry aborts too. */
const abortUnlessUnchanged = (id: string, at: number, state: SQL, expected: string): Statement => {
  return (orm) =>
    orm.run(
      sql`insert into ${clickPacks} (id, written_at) select ${id}, case when (${state}) = ${expected} then ${at} end`,
    );
};

/** Replaces the rows up to `last` with `folded`, in one batch. */
export const replaceHours = (
  id: string,
  at: number,
  portion: Portion,
  read: readonly HourRow[],
  last: HourRow,
  folded: readonly HourRow[],
): Statement[] => [
  abortUnlessUnchanged(
    id,
    at,
    sql`select count(*) || ' ' || sum(people) || ' ' || sum(bots) from ${clickHours} where ${whereHoursUpTo(portion, last)}`,
    `${read.length} ${total(read, "people")} ${total(read, "bots")}`,
  ),
  (orm) => orm.run(sql`delete from ${clickHours} where ${whereHoursUpTo(portion, last)}`),
  (orm) =>
    orm.run(sql`insert into ${clickHours} (workspace_id, link_id, hour, people, bots, folded)
      select value ->> 'workspace_id', value ->> 'link_id', value ->> 'hour', value ->> 'people', value ->> 'bots', 1
      from json_each(${JSON.stringify(folded)})`),
];

/** Replaces the rows up to `last` with `folded`, in one batch. */
export const replaceDays = (
  id: string,
  at: number,
  portion: Portion,
  read: readonly DayRow[],
  last: DayRow,
  folded: readonly DayRow[],
): Statement[] => [
  abortUnlessUnchanged(
    id,
    at,
    sql`select count(*) || ' ' || sum(people) from ${clickDays} where ${whereDaysUpTo(portion, last)}`,
    `${read.length} ${total(read, "people")}`,
  ),
  (orm) => orm.run(sql`delete from ${clickDays} where ${whereDaysUpTo(portion, last)}`),
  (orm) =>
    orm.run(sql`insert into ${clickDays} (workspace_id, link_id, day, dimension, value, people, folded)
      select value ->> 'workspace_id', value ->> 'link_id', value ->> 'day', value ->> 'dimension', value ->> 'value',
        value ->> 'people', 1 from json_each(${JSON.stringify(folded)})`),
];

const total = <Column extends string>(
  rows: readonly Readonly<Record<Column, number>>[],
  column: Column,
): number => rows.reduce((sum, row) => sum + row[column], 0);
