import { type SQL, sql } from "drizzle-orm";
import {
  type activityGroups,
  clickHours,
  linkDays,
  links,
  type offlineAssets,
  type tags,
} from "../db/schema";
import { foldedBefore, monthOf } from "../lib/folded-months";
import { DAY_MS } from "../lib/time";
import type { Offset } from "../lib/time-zone";

// Parts of the queries of reports: local days, and the links that are counted.

/** Local days, both included, with the hours that they consist of. */
export interface Days {
  firstDay: number;
  lastDay: number;
  from: number;
  to: number;
  offsets: readonly Offset[];
}

/** The links of a group or tag that are counted: the most visited ones. */
export const MAX_COUNTED_LINKS = 500;
/** No local day begins earlier or later than this, compared with the UTC day of the same date. */
const MAX_OFFSET_MS = DAY_MS;

/** D1 binds numbers as floats, whose quotient is not whole. So integers are part of the SQL. */
const integer = (value: number): SQL => sql.raw(String(Math.trunc(value)));

function offsetAt(hour: SQL, offsets: readonly Offset[]): SQL {
  const [first, ...later] = offsets;
  if (later.length === 0) return integer(first?.offset ?? 0);
  const branches = later.map(
    ({ from }, index) => sql`when ${hour} < ${integer(from)} then ${integer(offsets[index]?.offset ?? 0)}`,
  );
  return sql`case ${sql.join(branches, sql` `)} else ${integer(later.at(-1)?.offset ?? 0)} end`;
}

/** The local day of an hour. The row of a folded month belongs to the month's first day in every time zone. */
export const localDay = (hour: SQL, folded: SQL, { offsets }: Days): SQL =>
  sql`(${hour} + case when ${folded} = 1 then 0 else ${offsetAt(hour, offsets)} end) / 86400000`;

/** The hour in a list by hour, unless it is the sum of a month. */
export const hourOrNull = (hour: SQL, folded: SQL, isByHour: boolean): SQL =>
  isByHour ? sql`case when ${folded} = 0 then ${hour} end` : sql`null`;

/** The hours of the days. The row of a folded month is at its first hour in UTC. */
export const whereInDays = (hour: SQL, folded: SQL, { firstDay, lastDay, from, to }: Days): SQL =>
  sql`${hour} >= ${integer(from - MAX_OFFSET_MS)} and ${hour} < ${integer(to + MAX_OFFSET_MS)}
    and case when ${folded} = 1 then ${hour} / 86400000 between ${integer(firstDay)} and ${integer(lastDay)}
      else ${hour} >= ${integer(from)} and ${hour} < ${integer(to)} end`;

/** The row id of a group, tag, asset or link of the workspace. */
export const rowIdOf = (
  table: typeof activityGroups | typeof tags | typeof offlineAssets | typeof links,
  workspaceId: number,
  id: string,
): SQL =>
  sql`(select ${table.id} from ${table} where ${table.public_id} = ${id} and +${table.workspace_id} = ${workspaceId})`;

/** The visited links of a group, the most visited first. The condition is that of the partial index. */
export const visitedInGroup = (workspaceId: number, group: SQL, limit: number): SQL =>
  sql`select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId}
    and ${links.activity_group_id} = ${group} and ${links.deleted_at} is null
    and ${links.activity_group_id} is not null and ${links.visits} > 0
    order by ${links.visits} desc limit ${limit}`;

/** Rows of `link_days` that a statement reads, of all days together. */
const MAX_TOP_ROWS = 10_000;
const MAX_TOP_ROWS_PER_DAY = 1_000;

export const toUtcDay = (at: number): number => at - (at % DAY_MS);

/** The UTC days that a range touches and that have rows: of a folded month its first day only, if it is in the range. */
export function utcDaysOf({ firstDay, lastDay, from, to }: Omit<Days, "offsets">, now: number): number[] {
  const days: number[] = [];
  const folded = foldedBefore(now);
  const isWithin = (day: number) => day >= firstDay * DAY_MS && day <= lastDay * DAY_MS;
  for (let day = toUtcDay(from); day < to; day += DAY_MS)
    if (day >= folded || (day === monthOf(day).from && isWithin(day))) days.push(day);
  return days;
}

/** How many links of each day are read. */
export const topPerDay = (days: readonly number[]): number =>
  Math.min(MAX_TOP_ROWS_PER_DAY, Math.ceil(MAX_TOP_ROWS / Math.max(1, days.length)));

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

/** The most visited links of each UTC day, with their visits in the range, as the columns `link` and `top_visits`. */
export function topOfDays(workspaceId: number, range: Days, now: number): SQL {
  const days = utcDaysOf(range, now);
  return sql`select top.value ->> 0 as link, sum(top.value ->> 1) as top_visits
    from json_each(${JSON.stringify(days)}) as days, json_each((select json_group_array(json_array(link_id, visits))
      from (select ${linkDays.link_id} as link_id, ${visitsWithin(range, now)} as visits from ${linkDays}
        where ${linkDays.day} = days.value and ${linkDays.workspace_id} = ${workspaceId}
        order by ${linkDays.visits} desc limit ${topPerDay(days)}))) as top group by 1`;
}
