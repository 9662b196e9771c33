import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import {
  activityGroups,
  clickDays,
  clickHours,
  links,
  linkTags,
  offlineAssets,
  scanHours,
  tags,
  workspaceDays,
  workspaceHours,
} from "../db/schema";
import type { Dimension } from "./gathering";
import { OTHER_REFERRERS } from "./referrer";
import {
  type Days,
  hourOrNull,
  localDay,
  MAX_COUNTED_LINKS,
  rowIdOf,
  visitedInGroup,
  whereInDays,
} from "./scope-statements";

/** What visits are counted of: the workspace, a link (deleted or not), the links of a group or tag, or an asset. */
export type VisitScope =
  | { workspace: true }
  | { link: string }
  | { group: string }
  | { tag: string }
  | { asset: string };

/** The links of a tag among which the most visited ones are looked for. */
const MAX_TAGGED_LINKS = 2_000;
/** The most visited links of a workspace, among which those of a larger tag are looked for too. */
const MAX_MOST_VISITED = 1_000;
/** More than there are country codes. */
const MAX_VALUES = 700;
const visitedInNamedGroup = (workspaceId: number, id: string, limit: number): SQL =>
  visitedInGroup(workspaceId, rowIdOf(activityGroups, workspaceId, id), limit);

const taggedLinks = (workspaceId: number, id: string, limit: number): SQL =>
  sql`select ${linkTags.link_id} as id from ${linkTags} where ${linkTags.workspace_id} = ${workspaceId}
    and ${linkTags.tag_id} = ${rowIdOf(tags, workspaceId, id)}
    order by ${linkTags.link_archived}, ${linkTags.link_public_id} limit ${limit}`;

/** The visited links of a tag, the most visited first. Of a tag with more than 2,000 links not all are looked at. */
const visitedWithTag = (workspaceId: number, id: string, limit: number): SQL =>
  sql`select ${links.id} as id from ${links} where ${links.id} in (
      select id from (${taggedLinks(workspaceId, id, MAX_TAGGED_LINKS)})
      union select most.id from (select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId}
          and ${links.archived} = 0 and ${links.deleted_at} is null and ${links.visits} > 0
          order by ${links.visits} desc limit ${MAX_MOST_VISITED}) as most
        cross join ${linkTags} on ${linkTags.link_id} = most.id
          and ${linkTags.tag_id} = ${rowIdOf(tags, workspaceId, id)})
    and +${links.visits} > 0 order by +${links.visits} desc limit ${limit}`;

/** The row id of the scope, or its counted links. */
function selectOwners(workspaceId: number, scope: Exclude<VisitScope, { workspace: true }>): SQL {
  if ("link" in scope) return rowIdOf(links, workspaceId, scope.link);
  if ("asset" in scope) return rowIdOf(offlineAssets, workspaceId, scope.asset);
  if ("group" in scope)
    return sql`(select id from (${visitedInNamedGroup(workspaceId, scope.group, MAX_COUNTED_LINKS)}))`;
  return sql`(select id from (${visitedWithTag(workspaceId, scope.tag, MAX_COUNTED_LINKS)}))`;
}

/** Empty if the workspace has no such link, group, tag or asset. */
export const selectVisited =
  (workspaceId: number, scope: Exclude<VisitScope, { workspace: true }>): Statement<{ id: string }[]> =>
  (orm) => {
    const [table, id] =
      "link" in scope
        ? [links, scope.link]
        : "group" in scope
          ? [activityGroups, scope.group]
          : "tag" in scope
            ? [tags, scope.tag]
            : [offlineAssets, scope.asset];
    return orm.all(sql`select ${table.public_id} as id from ${table}
      where ${table.public_id} = ${id} and +${table.workspace_id} = ${workspaceId}`);
  };

/** Whether a group or tag has more visited links than are counted, or more links than are looked at. */
export const selectIsCut =
  (
    workspaceId: number,
    scope: Extract<VisitScope, { group: string } | { tag: string }>,
  ): Statement<{ is_cut: 0 | 1 }[]> =>
  (orm) => {
    const limit = MAX_COUNTED_LINKS + 1;
    return "group" in scope
      ? orm.all(sql`select count(*) > ${MAX_COUNTED_LINKS} as is_cut
          from (${visitedInNamedGroup(workspaceId, scope.group, limit)})`)
      : orm.all(sql`select (select count(*) from (${visitedWithTag(workspaceId, scope.tag, limit)})) > ${MAX_COUNTED_LINKS}
          or (select count(*) from (${taggedLinks(workspaceId, scope.tag, MAX_TAGGED_LINKS + 1)})) > ${MAX_TAGGED_LINKS} as is_cut`);
  };

export interface VisitsRow {
  /** The local day. */
  day: number;
  /** Null in a list by day, and for a folded month. */
  hour: number | null;
  clicks: number;
  scans: number;
  late: number;
  bots: number;
}

/** Visits by local day, or by hour. The hours of `skipped` are left out, except in folded months. */
export const selectVisitsByTime =
  (
    workspaceId: number,
    scope: VisitScope,
    days: Days,
    isByHour: boolean,
    skipped?: { from: number; to: number },
  ): Statement<VisitsRow[]> =>
  (orm) => {
    const table = "workspace" in scope ? workspaceHours : "asset" in scope ? scanHours : clickHours;
    const owner =
      "workspace" in scope
        ? sql`${workspaceHours.workspace_id} = ${workspaceId}`
        : "asset" in scope
          ? sql`${scanHours.asset_id} = ${selectOwners(workspaceId, scope)}`
          : sql`${clickHours.link_id} in ${selectOwners(workspaceId, scope)}`;
    const [hour, folded] = [sql`${table.hour}`, sql`${table.folded}`];
    const whereCounted =
      skipped === undefined || skipped.from === skipped.to
        ? sql.empty()
        : sql`and not (${folded} = 0 and ${hour} >= ${skipped.from} and ${hour} < ${skipped.to})`;
    // All visits by the code of an asset are scans.
    const counts =
      "asset" in scope
        ? sql`0 as clicks, sum(${table.people}) as scans`
        : sql`sum(${table.people}) as clicks, sum(${"workspace" in scope ? workspaceHours.scans : clickHours.scans}) as scans`;
    return orm.all(sql`select ${localDay(hour, folded, days)} as day, ${hourOrNull(hour, folded, isByHour)} as hour, ${counts},
        sum(${table.late}) as late, sum(${table.bots}) as bots
      from ${table} where ${owner} and ${whereInDays(hour, folded, days)} ${whereCounted}
      group by 1, 2 order by 1, 2`);
  };

/** People by origin on UTC days, highest first per dimension. Values past the first 700 count as `OTHER_REFERRERS`. */
export const selectVisitOrigins =
  (
    workspaceId: number,
    scope: Exclude<VisitScope, { asset: string }>,
    from: number,
    to: number,
  ): Statement<{ dimension: Dimension; value: string; people: number }[]> =>
  (orm) => {
    const table = "workspace" in scope ? workspaceDays : clickDays;
    const owner =
      "workspace" in scope
        ? sql`${workspaceDays.workspace_id} = ${workspaceId}`
        : sql`${clickDays.link_id} in ${selectOwners(workspaceId, scope)}`;
    return orm.all(sql`select dimension, case when place <= ${MAX_VALUES} then value else ${OTHER_REFERRERS} end as value,
        sum(people) as people
      from (select ${table.dimension} as dimension, ${table.value} as value, sum(${table.people}) as people,
          row_number() over (partition by ${table.dimension}
            order by sum(${table.people}) desc, ${table.value}) as place
        from ${table} where ${owner} and ${table.day} >= ${from} and ${table.day} < ${to} group by 1, 2)
      group by 1, 2 order by 1, 3 desc, 2`);
  };

interface LinkVisitsRow {
  link: string;
  day: number;
  hour: number | null;
  clicks: number;
  scans: number;
}

/** Clicks and scans of links by local day, or by hour. */
export const selectVisitsOfLinks =
  (workspaceId: number, ids: readonly string[], days: Days, isByHour: boolean): Statement<LinkVisitsRow[]> =>
  (orm) => {
    const [hour, folded] = [sql`${clickHours.hour}`, sql`${clickHours.folded}`];
    return orm.all(sql`select ${links.public_id} as link, ${localDay(hour, folded, days)} as day, ${hourOrNull(hour, folded, isByHour)} as hour,
        sum(${clickHours.people}) as clicks, sum(${clickHours.scans}) as scans
      from ${fromList(toList(ids))} cross join ${links} on ${links.public_id} = ${item()}
          and +${links.workspace_id} = ${workspaceId}
        cross join ${clickHours} on ${clickHours.link_id} = ${links.id}
      where ${whereInDays(hour, folded, days)} group by 1, 2, 3`);
  };
