import { and, type SQL, sql } from "drizzle-orm";
import { selectBrokenLinkIds } from "../../../db/broken-links";
import type { Statement } from "../../../db/client";
import { importRows } from "../../../db/schema/imports";
import { links } from "../../../db/schema/links";
import { linkTags } from "../../../db/schema/tags";
import { SEARCH_ROW_ID, SEARCH_TABLE } from "../search-table";
import { type LinkFilter, type ListSort, NO_FILTER } from "./filter";
import { MATCHED_LINK_ID } from "./matches";
import type { Index, Plan } from "./plan";
import { columnsIn, whereContains, whereLinks } from "./where";

// The links that an index finds, all of them or the newest.

/** The tables that an index reads; a cross join keeps their order. */
export const TABLES: Record<Index, SQL> = {
  tag: sql`${linkTags} cross join ${links} on ${links.id} = ${linkTags.link_id}`,
  search: sql`${SEARCH_TABLE} cross join ${links} on ${links.id} = ${MATCHED_LINK_ID}`,
  group: sql`${links}`,
  channel: sql`${links}`,
  import: sql`${importRows} cross join ${links} on ${links.public_id} = ${importRows.link}`,
  slug: sql`${links}`,
  external_id: sql`${links}`,
  external_id_prefix: sql`${links}`,
  broken: sql`${links}`,
  taken_down: sql`${links}`,
  order: sql`${links}`,
};

/** The part of a filter that an index finds. Of several tags, the index finds the first. */
function ofIndex({ status, ...filter }: LinkFilter, index: Index): LinkFilter {
  const { group, channel, importId, externalIdPrefix, isTakenDown, search, tags: wanted } = filter;
  const parts: Partial<Record<Index, Partial<LinkFilter>>> = {
    tag: { tags: wanted.slice(0, 1) },
    search: { search },
    group: { group },
    channel: { channel },
    import: { importId },
    external_id_prefix: { externalIdPrefix },
    taken_down: { isTakenDown },
  };
  return { ...NO_FILTER, status, ...parts[index] };
}

/** Indexes that have the links of both statuses in the order of their creation, or in no order of use. */
const hasOneOrder = (index: Index): boolean => !["tag", "search", "group", "channel"].includes(index);

/** The order that reads the newest links of an index first, without sorting where the index has it. */
function newestIn(index: Index): SQL {
  if (index === "external_id_prefix") return sql.empty();
  return sql`order by ${index === "search" ? SEARCH_ROW_ID : columnsIn(index).id} desc`;
}

/** The row ids of links that an index finds, up to `most`, the newest first, and archived ones last where it has both apart. */
export function selectNewestIds(workspaceId: number, filter: LinkFilter, index: Index, most: number): SQL {
  if (index === "broken")
    return sql`select id from (${selectBrokenLinkIds(workspaceId, most)}) limit ${most}`;
  const own = ofIndex(filter, index);
  const read = (
    status: LinkFilter["status"],
  ): SQL => sql`select id from (select ${links.id} as id from ${TABLES[index]}
    where ${whereLinks(workspaceId, { ...own, status }, index)} ${newestIn(index)} limit ${most})`;
  if (own.status !== "all" || hasOneOrder(index)) return read(own.status);
  return sql`${read("active")} union all ${read("archived")} limit ${most}`;
}

/** The most visited links that a list by visits looks at besides the newest of its index. */
const MAX_MOST_VISITED = 2_000;

/** The row ids of the links that a plan with a limit looks at. */
function selectCandidates(workspaceId: number, { filter, index, most = 0 }: Plan, sort: ListSort): SQL {
  const newest = sql`select id from (${selectNewestIds(workspaceId, filter, index, most)})`;
  if (sort !== "-visits") return newest;
  return sql`${newest} union select id from (select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId}
    and ${links.archived} = 0 and ${links.deleted_at} is null and ${links.visits} > 0
    order by ${links.visits} desc limit ${MAX_MOST_VISITED})`;
}

/** Links that are looked for among a limited number of candidates. */
export interface Among {
  /** The row ids of the candidates, as `id`. */
  candidates: SQL;
  where: SQL | undefined;
}

/** The links that pass the filter, among those that a plan with a limit looks at. */
export function amongNewest(workspaceId: number, plan: Plan, sort: ListSort): Among {
  const { search, ...filter } = plan.filter;
  const others = whereLinks(workspaceId, { ...filter, search: undefined }, "search");
  return {
    candidates: selectCandidates(workspaceId, plan, sort),
    where: and(others, search === undefined ? undefined : whereContains(search)),
  };
}

const read = ({ candidates, where }: Among, columns: SQL): SQL =>
  sql`with candidate as materialized (${candidates}) ${columns} from candidate
    cross join ${links} on ${links.id} = candidate.id where ${where}`;

/** The row ids of a page of the links among candidates. */
export const selectIdsAmong = (
  { candidates, where }: Among,
  order: SQL,
  { after, limit, offset }: { after: SQL | undefined; limit: number; offset: number },
): SQL =>
  sql`${read({ candidates, where: and(where, after) }, sql`select ${links.id}`)} order by ${order} limit ${limit} offset ${offset}`;

/** How many candidates there are, and how many of them are found. */
export const countAmong =
  (among: Among): Statement<{ total: number; looked: number }[]> =>
  (orm) =>
    orm.all(read(among, sql`select count(*) as total, (select count(*) from candidate) as looked`));
