import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { clickDays, clickHours, clickPacks, scanHours } from "../db/schema";
import type { DayRow, HourRow } from "./months";

/** A table of hours: of which column its rows are, and what they count. */
interface HourTable<Count extends string> {
  table: typeof clickHours | typeof scanHours;
  owner: "link_id" | "asset_id";
  counts: readonly Count[];
}

export const CLICK_HOURS: HourTable<"people" | "bots" | "scans" | "late"> = {
  table: clickHours,
  owner: "link_id",
  counts: ["people", "bots", "scans", "late"],
};

export const SCAN_HOURS: HourTable<"people" | "bots" | "late"> = {
  table: scanHours,
  owner: "asset_id",
  counts: ["people", "bots", "late"],
};

export interface UnfoldedRow {
  kind: "clicks" | "scans" | "days";
  /** Row id of the link or asset. */
  owner: number;
  at: number;
}

/** The oldest unfolded rows of each table, in one statement because their number is limited per invocation. */
export const selectUnfolded =
  (before: number, limit: number): Statement<UnfoldedRow[]> =>
  (orm) =>
    orm.all(sql`select * from (select 'clicks' as kind, link_id as owner, hour as at from ${clickHours}
        where folded = 0 and hour < ${before} order by hour limit ${limit})
      union all select * from (select 'scans', asset_id, hour from ${scanHours}
        where folded = 0 and hour < ${before} order by hour limit ${limit})
      union all select * from (select 'days', link_id, day from ${clickDays}
        where folded = 0 and day < ${before} order by day limit ${limit})`);

/** Links or assets (row ids) and a month to fold. */
export interface Portion {
  owners: readonly number[];
  from: number;
  to: number;
}

const name = sql.raw;

const whereWithin = (
  { owners, from, to }: Portion,
  owner: HourTable<string>["owner"],
  at: "hour" | "day",
): SQL =>
  sql`${name(owner)} in (select value from json_each(${JSON.stringify(owners)}))
    and ${name(at)} >= ${from} and ${name(at)} < ${to}`;

export const selectHours =
  <Count extends string>(
    { table, owner, counts }: HourTable<Count>,
    portion: Portion,
    limit: number,
  ): Statement<(Omit<HourRow<Count>, "counts"> & Record<Count, number>)[]> =>
  (orm) =>
    orm.all(sql`select workspace_id, ${name(owner)} as owner, hour, ${name(counts.join(", "))} from ${table}
      where ${whereWithin(portion, owner, "hour")} order by ${name(owner)}, hour limit ${limit}`);

export const selectDays =
  (portion: Portion, limit: number): Statement<DayRow[]> =>
  (orm) =>
    orm.all(sql`select workspace_id, link_id, day, dimension, value, people from ${clickDays}
      where ${whereWithin(portion, "link_id", "day")} order by link_id, day, dimension, value limit ${limit}`);

/** Aborts the batch if the rows have changed since the read. Its id is stored as a pack's, so a retry aborts too. */
const abortUnlessUnchanged = (id: string, at: number, state: SQL, expected: readonly number[]): Statement => {
  return (orm) =>
    orm.run(
      sql`insert into ${clickPacks} (id, written_at) select ${id}, case when (${state}) = ${expected.join(" ")} then ${at} end`,
    );
};

/** Replaces the rows up to `last` with `folded`, in one batch. */
export function replaceHours<Count extends string>(
  { table, owner, counts }: HourTable<Count>,
  id: string,
  at: number,
  portion: Portion,
  read: readonly HourRow<Count>[],
  last: HourRow<Count>,
  folded: readonly HourRow<Count>[],
): Statement[] {
  const upToLast = sql`${whereWithin(portion, owner, "hour")}
    and (${name(owner)}, hour) <= (${last.owner}, ${last.hour})`;
  const sums = name(["count(*)", ...counts.map((count) => `sum(${count})`)].join(" || ' ' || "));
  const rows = folded.map((row) => [
    row.workspace_id,
    row.owner,
    row.hour,
    ...counts.map((count) => row.counts[count]),
  ]);
  const columns = ["workspace_id", owner, "hour", ...counts];
  return [
    abortUnlessUnchanged(id, at, sql`select ${sums} from ${table} where ${upToLast}`, [
      read.length,
      ...counts.map((count) => read.reduce((sum, row) => sum + row.counts[count], 0)),
    ]),
    (orm) => orm.run(sql`delete from ${table} where ${upToLast}`),
    (orm) =>
      orm.run(sql`insert into ${table} (${name(columns.join(", "))}, folded)
        select ${name(columns.map((_, index) => `value ->> ${index}`).join(", "))}, 1
        from json_each(${JSON.stringify(rows)})`),
  ];
}

const whereDaysUpTo = (portion: Portion, last: DayRow): SQL =>
  sql`${whereWithin(portion, "link_id", "day")}
    and (link_id, day, dimension, value) <= (${last.link_id}, ${last.day}, ${last.dimension}, ${last.value})`;

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
    [read.length, read.reduce((sum, { people }) => sum + people, 0)],
  ),
  (orm) => orm.run(sql`delete from ${clickDays} where ${whereDaysUpTo(portion, last)}`),
  (orm) =>
    orm.run(sql`insert into ${clickDays} (workspace_id, link_id, day, dimension, value, people, folded)
      select value ->> 'workspace_id', value ->> 'link_id', value ->> 'day', value ->> 'dimension', value ->> 'value',
        value ->> 'people', 1 from json_each(${JSON.stringify(folded)})`),
];
