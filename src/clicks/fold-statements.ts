import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import {
  clickDays,
  clickHours,
  clickPacks,
  linkDays,
  scanHours,
  workspaceDays,
  workspaceHours,
} from "../db/schema";
import type { DayRow, HourRow } from "./months";

/** A table of hours: of which column its rows are, and what they count. */
interface HourTable<Count extends string> {
  table: typeof clickHours | typeof scanHours | typeof workspaceHours;
  owner: "link_id" | "asset_id" | "workspace_id";
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

export const WORKSPACE_HOURS: HourTable<"people" | "bots" | "scans" | "late"> = {
  table: workspaceHours,
  owner: "workspace_id",
  counts: ["people", "bots", "scans", "late"],
};

/** A table of days: of which column its rows are. */
interface DayTable {
  table: typeof clickDays | typeof workspaceDays;
  owner: "link_id" | "workspace_id";
}

export const CLICK_DAYS: DayTable = { table: clickDays, owner: "link_id" };
export const WORKSPACE_DAYS: DayTable = { table: workspaceDays, owner: "workspace_id" };

export interface UnfoldedRow {
  kind: "clicks" | "scans" | "days" | "workspace hours" | "workspace days";
  /** Row id of the link, asset or workspace. */
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
        where folded = 0 and day < ${before} order by day limit ${limit})
      union all select * from (select 'workspace hours', workspace_id, hour from ${workspaceHours}
        where folded = 0 and hour < ${before} order by hour limit ${limit})
      union all select * from (select 'workspace days', workspace_id, day from ${workspaceDays}
        where folded = 0 and day < ${before} order by day limit ${limit})`);

/** Links, assets or workspaces (row ids) and a month to fold. */
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
  ({ table, owner }: DayTable, portion: Portion, limit: number): Statement<DayRow[]> =>
  (orm) =>
    orm.all(sql`select workspace_id, ${name(owner)} as owner, day, dimension, value, people from ${table}
      where ${whereWithin(portion, owner, "day")} order by ${name(owner)}, day, dimension, value limit ${limit}`);

/** Aborts the batch if the rows have changed since the read. Its id is stored as a pack's, so a retry aborts too. */
const abortUnlessUnchanged = (id: string, at: number, state: SQL, expected: readonly number[]): Statement => {
  return (orm) =>
    orm.run(
      sql`insert into ${clickPacks} (id, written_at) select ${id}, case when (${state}) = ${expected.join(" ")} then ${at} end`,
    );
};

/** The columns of a row's workspace and owner, and their values. */
const ownerColumns = (owner: HourTable<string>["owner"]): string[] =>
  owner === "workspace_id" ? [owner] : ["workspace_id", owner];

const ownerValues = (
  owner: HourTable<string>["owner"],
  row: { workspace_id: number; owner: number },
): number[] => (owner === "workspace_id" ? [row.workspace_id] : [row.workspace_id, row.owner]);

const elements = (columns: readonly string[]): SQL =>
  name(columns.map((_, index) => `value ->> ${index}`).join(", "));

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
    ...ownerValues(owner, row),
    row.hour,
    ...counts.map((count) => row.counts[count]),
  ]);
  const columns = [...ownerColumns(owner), "hour", ...counts];
  return [
    abortUnlessUnchanged(id, at, sql`select ${sums} from ${table} where ${upToLast}`, [
      read.length,
      ...counts.map((count) => read.reduce((sum, row) => sum + row.counts[count], 0)),
    ]),
    (orm) => orm.run(sql`delete from ${table} where ${upToLast}`),
    (orm) =>
      orm.run(sql`insert into ${table} (${name(columns.join(", "))}, folded)
        select ${elements(columns)}, 1 from json_each(${JSON.stringify(rows)})`),
    ...(table === clickHours ? replaceLinkDays(portion) : []),
  ];
}

/** Makes the days of links in a month one row, from what is left of their hours. */
const replaceLinkDays = (portion: Portion): Statement[] => [
  (orm) => orm.run(sql`delete from ${linkDays} where ${whereWithin(portion, "link_id", "day")}`),
  (orm) =>
    orm.run(sql`insert into ${linkDays} (workspace_id, link_id, day, visits)
      select workspace_id, link_id, ${portion.from}, sum(people + scans) from ${clickHours}
      where ${whereWithin(portion, "link_id", "hour")} group by link_id having sum(people + scans) > 0`),
];

/** Replaces the rows up to `last` with `folded`, in one batch. */
export function replaceDays(
  { table, owner }: DayTable,
  id: string,
  at: number,
  portion: Portion,
  read: readonly DayRow[],
  last: DayRow,
  folded: readonly DayRow[],
): Statement[] {
  const upToLast = sql`${whereWithin(portion, owner, "day")} and (${name(owner)}, day, dimension, value)
    <= (${last.owner}, ${last.day}, ${last.dimension}, ${last.value})`;
  const columns = [...ownerColumns(owner), "day", "dimension", "value", "people"];
  const rows = folded.map((row) => [
    ...ownerValues(owner, row),
    row.day,
    row.dimension,
    row.value,
    row.people,
  ]);
  return [
    abortUnlessUnchanged(id, at, sql`select count(*) || ' ' || sum(people) from ${table} where ${upToLast}`, [
      read.length,
      read.reduce((sum, { people }) => sum + people, 0),
    ]),
    (orm) => orm.run(sql`delete from ${table} where ${upToLast}`),
    (orm) =>
      orm.run(sql`insert into ${table} (${name(columns.join(", "))}, folded)
        select ${elements(columns)}, 1 from json_each(${JSON.stringify(rows)})`),
  ];
}
