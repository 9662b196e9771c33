import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import {
  activityGroups,
  destinationHealth,
  links,
  linkTags,
  linkTotals,
  tags,
  workspaces,
} from "../../db/schema";
import type { Position } from "../../lib/paging";
import { type LinkRow, selectLinks } from "../repository";
import type { LinkSort } from "../schema";
import { SEARCH_TABLE } from "../search-table";
import { isPrefixed, type LinkFilter, toDimensions } from "./filter";
import { MATCHED_LINK_ID, whereMatches } from "./matches";
import { orderBy, whereAfter } from "./order";
import { type FilterTotal, type Index, isInOrder, type Plan } from "./plan";
import { selectRowId, whereLinks, wherePrefixed, whereTotal } from "./where";

const TOTAL = {
  active: sql`${linkTotals.active}`,
  archived: sql`${linkTotals.archived}`,
  all: sql`${linkTotals.active} + ${linkTotals.archived}`,
};

/** The stored total of each filter. The names of all tags are one parameter; two names of one tag give one row. */
function selectTotals(workspaceId: number, { status, tags: named, group, channel }: LinkFilter): SQL {
  const tagId = selectRowId(tags, workspaceId, {
    id: sql`named.value ->> 'id'`,
    slug: sql`named.value ->> 'slug'`,
  });
  const filters = [
    ...(named.length === 0
      ? []
      : [
          sql`select distinct 'tag' as kind, ${tagId} as key from json_each(${JSON.stringify(named)}) as named`,
        ]),
    ...(group === undefined
      ? []
      : [sql`select 'group' as kind, ${selectRowId(activityGroups, workspaceId, group)} as key`]),
    ...(channel === undefined ? [] : [sql`select 'channel' as kind, ${channel} as key`]),
  ];
  return sql`select filter.kind as kind, filter.key as key, coalesce(${TOTAL[status]}, 0) as total
    from (${sql.join(filters, sql` union all `)}) as filter
    left join ${linkTotals} on ${whereTotal(workspaceId, sql`filter.kind`, sql`filter.key`)}`;
}

export const selectFilterTotals =
  (workspaceId: number, filter: LinkFilter): Statement<FilterTotal[]> =>
  (orm) =>
    orm.all<FilterTotal>(selectTotals(workspaceId, filter));

/** Counts rows, up to the smallest of the totals. */
function countUpTo(totals: readonly SQL[], rows: SQL): SQL {
  const all = sql.join([...totals], sql` union all `);
  const bound = totals.length === 0 ? sql.empty() : sql`limit (select min(total) from (${all}))`;
  return sql`select count(*) as total from (select 1 from ${rows} ${bound})`;
}

const storedTotals = (workspaceId: number, filter: LinkFilter): SQL[] =>
  toDimensions(filter).length === 0 ? [] : [sql`select total from (${selectTotals(workspaceId, filter)})`];

const countOfPrefix = (workspaceId: number, filter: LinkFilter): SQL =>
  countUpTo(storedTotals(workspaceId, filter), sql`${links} where ${wherePrefixed(workspaceId, filter)}`);

/** How many links have an external id with the prefix, counted up to the smallest total of another filter. */
export const countPrefixed =
  (workspaceId: number, filter: LinkFilter): Statement<{ total: number }[]> =>
  (orm) =>
    orm.all<{ total: number }>(countOfPrefix(workspaceId, filter));

/** How many links contain the text, counted up to the smallest total of another filter. */
export const countSearched =
  (workspaceId: number, filter: LinkFilter): Statement<{ total: number }[]> =>
  (orm) => {
    const totals = isPrefixed(filter)
      ? [countOfPrefix(workspaceId, filter)]
      : storedTotals(workspaceId, filter);
    const matches = whereMatches(workspaceId, filter.status, filter.search ?? "");
    return orm.all<{ total: number }>(countUpTo(totals, sql`${SEARCH_TABLE} where ${matches}`));
  };

/** How many destinations are broken, in all workspaces, counted up to one more than the workspace has links. */
export const countBroken =
  (workspaceId: number): Statement<{ total: number }[]> =>
  (orm) =>
    orm.all<{ total: number }>(sql`select count(*) as total from (select 1 from ${destinationHealth}
      where ${destinationHealth.state} = 'broken' limit (select ${workspaces.active_links} + ${workspaces.archived_links} + 1
        from ${workspaces} where ${workspaces.id} = ${workspaceId}))`);

/** The tables that an index reads; a cross join keeps their order. */
const TABLES: Record<Index, SQL> = {
  tag: sql`${linkTags} cross join ${links} on ${links.id} = ${linkTags.link_id}`,
  search: sql`${SEARCH_TABLE} cross join ${links} on ${links.id} = ${MATCHED_LINK_ID}`,
  group: sql`${links}`,
  channel: sql`${links}`,
  slug: sql`${links}`,
  external_id: sql`${links}`,
  external_id_prefix: sql`${links}`,
  broken: sql`${destinationHealth} cross join ${links} on ${links.destination_url} = ${destinationHealth.url}`,
  order: sql`${links}`,
};

export const countLinks =
  (workspaceId: number, { filter, index }: Plan): Statement<{ total: number }[]> =>
  (orm) =>
    orm.all<{ total: number }>(
      sql`select count(*) as total from ${TABLES[index]} where ${whereLinks(workspaceId, filter, index)}`,
    );

/** Which rows a page has: those after a position, if there is one, without the first `offset`. */
export interface Pagination {
  after: Position | undefined;
  offset: number;
  limit: number;
}

/** A page of a list. The caller asks for one row more than it shows, to know whether there is another page. */
export const selectLinkPage =
  (
    workspaceId: number,
    { filter, index }: Plan,
    sort: LinkSort,
    { after, offset, limit }: Pagination,
  ): Statement<LinkRow[]> =>
  (orm) => {
    const order = { sort, index, status: filter.status };
    const where = and(whereLinks(workspaceId, filter, index), whereAfter(after, order));
    if (isInOrder(index, sort, filter.status)) {
      const selecting = selectLinks(orm);
      const joined =
        index === "tag" ? selecting.innerJoin(linkTags, eq(linkTags.link_id, links.id)) : selecting;
      return joined.where(where).orderBy(orderBy(order)).limit(limit).offset(offset);
    }
    // Only ids are sorted: sorting whole links would read the tags of each.
    const ids = sql`select ${links.id} from ${TABLES[index]} where ${where}
      order by ${orderBy(order)} limit ${limit} offset ${offset}`;
    return selectLinks(orm)
      .where(sql`+${links.workspace_id} = ${workspaceId} and ${links.id} in (${ids})`)
      .orderBy(orderBy({ ...order, index: "search" }))
      .limit(limit);
  };
