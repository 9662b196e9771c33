import { type SQL, sql } from "drizzle-orm";
import { orm } from "../db/prepared";
import { visitHours } from "../db/schema/analytics";
import { links } from "../db/schema/links";
import { linkTags, tags } from "../db/schema/tags";
import type { Range } from "../lib/range";
import type { Offset } from "../lib/time-zone";
import { storedId } from "../lib/ulid-text";
import { assetsInGroup } from "./count-statements";
import { type Days, daysOf, mostVisited } from "./day-statements";
import {
  OWNER_TABLES,
  type OwnerKind,
  type Owners,
  ownerById,
  ownerOf,
  ownersByIds,
  type ReportSubject,
} from "./owners";
import { OTHER_REFERRERS } from "./referrer";
import { MAX_RANKED_ASSETS, MAX_VISITED_LINKS } from "./report-limits";
import type { Origin, VisitCounts } from "./visit-buffer";

// The SQL of all reports. Rows of `visit_hours` are looked up by owner: a select with the row ids of owners as `id`.

/** Hours of visits, with what decides which local day they are on. */
export type Hours = Pick<Range, "from" | "to" | "offsets">;

/** A row of counts: of an hour, of a local day, of an hour of the day, or of the whole range (null). */
export interface CountsRow extends VisitCounts {
  at: number | null;
}

type By = "hour" | "day" | "hour of day" | "range";

/** D1 binds numbers as floats, whose quotient is not whole. So integers are part of the SQL. */
const integer = (value: number): SQL => sql.raw(String(Math.trunc(value)));

function localTime({ offsets }: Hours): SQL {
  const [first, ...later] = offsets;
  const branches = later.map(
    ({ from }, index) => sql`when hour < ${integer(from)} then ${integer((offsets[index] as Offset).offset)}`,
  );
  const last = integer((later.at(-1) ?? first)?.offset ?? 0);
  return branches.length === 0
    ? sql`(hour + ${last})`
    : sql`(hour + case ${sql.join(branches, sql` `)} else ${last} end)`;
}

const timeBy = (by: By, hours: Hours): SQL =>
  ({
    hour: sql`hour`,
    day: sql`${localTime(hours)} / 86400000`,
    "hour of day": sql`${localTime(hours)} / 3600000 % 24`,
    range: sql`null`,
  })[by];

/**
 * The counts of owners by `key`, a column of theirs, and by time. Without a key they are of all owners together. Rows have
 * the other columns of the owners too, for keys that name one owner.
 */
const countsOf = (kind: OwnerKind, owners: Owners, hours: Hours, by: By, columns = sql.empty()): SQL =>
  sql`select ${columns} ${timeBy(by, hours)} as at, sum(counted.clicks) as clicks, sum(counted.scans) as scans,
      sum(counted.bots) as bots, sum(counted.after_end) as after_end
    from (${owners}) as owner cross join ${visitHours} as counted on counted.owner_kind = ${kind}
      and counted.owner_id = owner.id and hour >= ${hours.from} and hour < ${hours.to}`;

/** The counts of all owners together, by time. Without visits there are no rows. */
export const selectTimeSeries = (kind: OwnerKind, owners: Owners, hours: Hours, by: By) =>
  orm.all<CountsRow>(sql`${countsOf(kind, owners, hours, by)} group by 1 having count(*) > 0 order by 1`);

export const selectCountsByKey = <Key extends string | null>(
  kind: OwnerKind,
  owners: Owners,
  hours: Hours,
  by: By,
) =>
  orm.all<CountsRow & { key: Key }>(
    sql`${countsOf(kind, owners, hours, by, sql`owner.key as key,`)} group by 1, 2 order by 2`,
  );

/** All clicks and scans of a subject since the beginning. Empty if there is no such owner. */
export const selectTotals = (workspaceId: number, subject: ReportSubject) => {
  const [kind, owner] = ownerOf(workspaceId, subject);
  const clicks = kind === "asset" ? sql`0` : sql`${OWNER_TABLES[kind as "link"].clicks}`;
  const { id, scans } = OWNER_TABLES[kind];
  return orm.all<{
    clicks: number;
    scans: number;
  }>(sql`select ${clicks} as clicks, ${scans} as scans from ${OWNER_TABLES[kind]}
      where ${id} = (select id from (${owner}))`);
};

export const selectTotalsOfLinks = (workspaceId: number, ids: readonly string[]) =>
  orm.all<{
    id: string;
    clicks: number;
    scans: number;
  }>(sql`select ${links.public_id} as id, ${links.clicks} as clicks, ${links.scans} as scans
      from (${ownersByIds("link", workspaceId, ids)}) as listed cross join ${links} on ${links.id} = listed.id`);

/** Links of the workspace or of a group that have visits since a time, at most one more than are counted. */
function visitedLinks(workspaceId: number, group: string | undefined, from: number): SQL {
  const ofGroup =
    group === undefined
      ? sql.empty()
      : sql`and ${links.activity_group_id} is not null
          and ${links.activity_group_id} = (select id from (${ownerById("group", workspaceId, group)}))`;
  return sql`select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId} ${ofGroup}
    and ${links.deleted_at} is null and ${links.last_counted_day} is not null
    and ${links.last_counted_day} >= ${integer(from)} limit ${MAX_VISITED_LINKS + 1}`;
}

export const selectIsTooMany = (workspaceId: number, group: string | undefined, from: number) =>
  orm.all<{ is_too_many: 0 | 1 }>(sql`select count(*) > ${MAX_VISITED_LINKS} as is_too_many
      from (${visitedLinks(workspaceId, group, from)})`);

/** The links that are counted: none if there are too many. */
const countedLinks = (workspaceId: number, group: string | undefined, from: number): SQL => {
  const visited = visitedLinks(workspaceId, group, from);
  return sql`select id from (${visited}) where (select count(*) from (${visited})) <= ${MAX_VISITED_LINKS}`;
};

export const linksByKey = (owners: Owners, key: "public_id" | "channel"): SQL =>
  sql`select ${links.id} as id, ${links[key]} as key
    from (${owners}) as visited cross join ${links} on ${links.id} = visited.id`;

export const linksOfGroup = (
  workspaceId: number,
  group: string,
  from: number,
  key: "public_id" | "channel",
): SQL => linksByKey(countedLinks(workspaceId, group, from), key);

export const countedAssets = (workspaceId: number, group: string): SQL =>
  assetsInGroup(workspaceId, group, sql`limit ${MAX_RANKED_ASSETS}`);

export const linksOfTag = (workspaceId: number, tag: string, from: number): SQL =>
  sql`select distinct visited.id as id from (${countedLinks(workspaceId, undefined, from)}) as visited
    cross join ${linkTags} on ${linkTags.link_id} = visited.id cross join ${tags} on ${tags.id} = ${linkTags.tag_id}
    where coalesce(${tags.replaced_by}, ${tags.id}) =
      (select id from ${tags} where public_id = ${storedId(tag)} and +workspace_id = ${workspaceId})`;

/** The clicks and scans of all tags. Each link's hours are read once, however many tags it wears. */
export const selectVisitsOfTags = (workspaceId: number, hours: Hours) => {
  const visited = countsOf(
    "link",
    countedLinks(workspaceId, undefined, hours.from),
    hours,
    "range",
    sql`owner.id as link,`,
  );
  const worn = sql`select distinct visited.link, visited.clicks + visited.scans as visits,
        coalesce(own.replaced_by, own.id) as tag
      from (${visited} group by 1) as visited cross join ${linkTags} on ${linkTags.link_id} = visited.link
        cross join ${tags} as own on own.id = ${linkTags.tag_id}`;
  return orm.all<{
    id: string;
    visits: number;
  }>(sql`select ${tags.public_id} as id, sum(worn.visits) as visits
      from (${worn}) as worn cross join ${tags} on ${tags.id} = worn.tag group by ${tags.id}`);
};

/** More than there are country codes. */
const MAX_VALUES = 700;

export interface OriginRow {
  dimension: Origin | "rule";
  value: string;
  visits: number;
}

/** The days of owners by origin and rule. Those who show them leave out what a later release may count. */
const originsOf = (kind: OwnerKind, owners: Owners, days: Days): SQL =>
  sql`${daysOf(kind, owners, days)} cross join json_each(counted.origins) as dimension cross join json_each(dimension.value) as origin`;

/** Clicks and scans by origin and rule, highest first per dimension. Values past the first 700 count as `OTHER_REFERRERS`. */
export const selectOrigins = (kind: OwnerKind, owners: Owners, days: Days) =>
  orm.all<OriginRow>(sql`select dimension, case when place <= ${MAX_VALUES} then value else ${OTHER_REFERRERS} end as value,
        sum(visits) as visits
      from (select dimension.key as dimension, origin.key as value, sum(origin.value) as visits,
          row_number() over (partition by dimension.key order by sum(origin.value) desc, origin.key) as place
        from ${originsOf(kind, owners, days)} group by 1, 2)
      group by 1, 2 order by 1, 3 desc, 2`);

/** Clicks and scans of an owner that is no link by the start of the day and origin, highest first per dimension. */
export const selectOriginsByDay = (kind: OwnerKind, owner: Owners, days: Days) =>
  orm.all<
    Omit<OriginRow, "dimension"> & { day: number; dimension: Origin }
  >(sql`select counted.day as day, dimension.key as dimension, origin.key as value, origin.value as visits
      from ${originsOf(kind, owner, days)} order by 1, 2, 4 desc, 3`);

/** A link, with its slug as its name, or a group. */
interface RankedRow extends CountsRow {
  key: string;
  name: string;
  title: string | null;
  /** Empty on the short host, and of a group. */
  domain: string;
}

export const selectMostVisited = (workspaceId: number, kind: "link" | "group", range: Range) => {
  const columns = sql`owner.key as key, owner.name as name, owner.title as title, owner.domain as domain,`;
  const candidates = mostVisited(workspaceId, kind, range);
  return orm.all<RankedRow>(sql`${countsOf(kind, candidates, range, "range", columns)} group by 1`);
};
