import { and, count, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { links, linkTags, linkTotals, workspaces } from "../../db/schema";
import { type LinkRow, selectLinks } from "../repository";
import type { LinkSort } from "../schema";
import { INDEX, LINK_ID, matches } from "../search";
import { orderOf, type Pagination } from "./order";
import {
  contains,
  dimensionsOf,
  type Index,
  isKept,
  isSearched,
  KEPT,
  keyOf,
  type LinkFilter,
  matching,
  wantedTags,
  wayTo,
} from "./where";

/** Rows that are read to find a link by the search index and to sort it. */
const ROWS_A_HIT = 5;

/**
 * A text that no more links contain is cheaper to find and sort as a whole than to look for in the list's order, where
 * links that contain it are spread evenly.
 */
const few = (workspaceId: number, rows: number): SQL =>
  sql`(select cast(max(500, sqrt(${rows} * (${workspaces.active_links} + ${workspaces.archived_links}) / ${ROWS_A_HIT})) as integer)
    from ${workspaces} where ${workspaces.id} = ${workspaceId})`;

/** How many links contain the list's text, counted no further than `most` and one more. */
const hits = (workspaceId: number, { status, search = "" }: LinkFilter, most: SQL): SQL =>
  sql`(select count(*) from (select 1 from ${INDEX} where ${matches(workspaceId, status, search)} limit ${most} + 1))`;

/** The tables by which an index leads to links. */
const FROM: Record<Index, SQL> = {
  tag: sql`${linkTags} cross join ${links} on ${links.id} = ${linkTags.link_id}`,
  search: sql`${INDEX} cross join ${links} on ${links.id} = ${LINK_ID}`,
  group: sql`${links}`,
  channel: sql`${links}`,
  slug: sql`${links}`,
  order: sql`${links}`,
};

/** The row ids that a page of a search needs: of what the first links of its order give, or else of all that it finds. */
function found(workspaceId: number, filter: LinkFilter, sort: LinkSort, page: Pagination): SQL {
  const rows = page.offset + page.limit;
  const { order, place } = orderOf(filter, "search", sort, page.after);
  const all = sql`select ${links.id} from ${FROM.search} where ${and(matching(workspaceId, filter, "search"), place)}
    order by ${order}`;
  // No index has both statuses in these orders.
  if (filter.status === "all" && /title|updated_at/.test(sort)) return sql`${all} limit ${rows}`;
  const inOrder = orderOf(filter, "order", sort, page.after);
  const first = and(matching(workspaceId, { ...filter, search: undefined }, "order"), inOrder.place);
  return sql`with few as materialized (select ${hits(workspaceId, filter, few(workspaceId, rows))} <= ${few(workspaceId, rows)} as yes),
    walked as materialized (select id from
      (select id, slug_key, title_key, destination_key from ${links} where ${first} order by ${inOrder.order} limit ${ROWS_A_HIT} * ${few(workspaceId, rows)})
      where ${contains(filter.search ?? "", [sql`slug_key`, sql`title_key`, sql`destination_key`])}
      limit (select case when yes then 0 else ${rows} end from few))
    select id from walked union all select id from (${all}
      limit (select case when count(*) = ${rows} then 0 else ${rows} end from walked))`;
}

/** The name of the index by which the fewest links are found, as the one row of a table, and what it takes to know. */
function smallest(workspaceId: number, filter: LinkFilter): SQL {
  const sizes = dimensionsOf(filter).map((dimension) =>
    dimension === "tag"
      ? sql`select 'tag' as name, min(size) as size from wanted`
      : sql`select ${dimension} as name, coalesce((select ${KEPT[filter.status]} from ${linkTotals}
          where ${isKept(workspaceId, dimension, keyOf(workspaceId, filter, dimension))}), 0) as size`,
  );
  const searched = sql`union all select 'search', ${hits(workspaceId, filter, sql`(select min(size) from sizes)`)}`;
  return sql`wanted as materialized ${wantedTags(workspaceId, filter)},
    others as materialized (select tag_id from wanted order by size limit -1 offset 1),
    sizes as materialized (${sql.join(sizes, sql` union all `)}),
    way as materialized (select name from (select name, size from sizes ${isSearched(filter) ? searched : sql.empty()})
      order by size limit 1)`;
}

/** The row ids of a list that several indexes lead to, by the smallest alone; of the first that a page needs, where one is given. */
function chosen(workspaceId: number, filter: LinkFilter, paged?: { sort: LinkSort; page: Pagination }): SQL {
  const rows = paged === undefined ? -1 : paged.page.offset + paged.page.limit;
  const indexes: Index[] = [...dimensionsOf(filter), ...(isSearched(filter) ? (["search"] as const) : [])];
  const selections = indexes.map((by) => {
    const { order, place } = orderOf(filter, by, paged?.sort ?? "created_at", paged?.page.after);
    // An index that is not chosen ends before its first row. A join with the choice would cost the others their order.
    return sql`select id from (select ${links.id} from ${FROM[by]}
      where ${and(matching(workspaceId, filter, by, true), place)}
      ${paged === undefined ? sql.empty() : sql`order by ${order}`}
      limit (select case name when ${by} then ${rows} else 0 end from way))`;
  });
  return sql`with ${smallest(workspaceId, filter)} ${sql.join(selections, sql` union all `)}`;
}

/** How many links contain a text, told by the search index alone. */
const foundTotal =
  (workspaceId: number, { status, search = "" }: LinkFilter): Statement<{ total: number }[]> =>
  (orm) =>
    orm.all<{ total: number }>(
      sql`select count(*) as total from ${INDEX} where ${matches(workspaceId, status, search)}`,
    );

/** How many links a list has; `workspace` where the workspace knows it. */
export function totalOf(
  workspaceId: number,
  filter: LinkFilter,
): "workspace" | Statement<{ total: number }[]> {
  const way = wayTo(filter);
  const [dimension] = dimensionsOf(filter);
  if (way === "search") return foundTotal(workspaceId, filter);
  if (way === "choice") {
    return (orm) =>
      orm.all<{ total: number }>(sql`select count(*) as total from (${chosen(workspaceId, filter)})`);
  }
  if (way === "slug" || filter.search !== undefined) return countFound(workspaceId, filter, way);
  if (dimension === undefined) return "workspace";
  return (orm) =>
    orm
      .select({ total: KEPT[filter.status] })
      .from(linkTotals)
      .where(isKept(workspaceId, dimension, keyOf(workspaceId, filter, dimension)));
}

const countFound =
  (workspaceId: number, filter: LinkFilter, by: Index): Statement<{ total: number }[]> =>
  (orm) => {
    const counting = orm.select({ total: count() }).from(links).$dynamic();
    const joined = by === "tag" ? counting.innerJoin(linkTags, eq(linkTags.link_id, links.id)) : counting;
    return joined.where(matching(workspaceId, filter, by));
  };

/** A page of a list: a row more than is shown tells that there is another. */
export const pageOfLinks =
  (workspaceId: number, filter: LinkFilter, sort: LinkSort, page: Pagination): Statement<LinkRow[]> =>
  (orm) => {
    const way = wayTo(filter);
    const ids =
      way === "choice"
        ? chosen(workspaceId, filter, { sort, page })
        : way === "search"
          ? found(workspaceId, filter, sort, page)
          : undefined;
    const { order, place } = orderOf(filter, way === "choice" ? "search" : way, sort, page.after);
    const selecting = selectLinks(orm);
    const joined = way === "tag" ? selecting.innerJoin(linkTags, eq(linkTags.link_id, links.id)) : selecting;
    return joined
      .where(
        ids === undefined && way !== "choice"
          ? and(matching(workspaceId, filter, way), place)
          : sql`+${links.workspace_id} = ${workspaceId} and ${links.id} in (${ids})`,
      )
      .orderBy(order)
      .limit(page.limit)
      .offset(page.offset);
  };
