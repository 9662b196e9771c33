import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { links } from "../../../db/schema/links";
import { linkTags, tags } from "../../../db/schema/tags";
import { selectBrokenLinkIds } from "../../destinations/destination-statements";
import { SEARCH_ROW_ID, SEARCH_TABLE } from "../search-table";
import { type LinkFilter, type ListSort, NO_FILTER, type Word } from "./list-filter";
import { toColumn } from "./list-order";
import { type Index, MAX_LISTED_LINKS, type Plan } from "./list-plan";
import { ARCHIVED, inIds, selectRowId, whereLinks } from "./list-where";
import { MATCHED_LINK_ID, toExpression, whereMatches, whereMatchesFilter } from "./search-query";

// Where the links of a set are read. `indexed by` says which index, since SQLite may take one that has all links.

interface Source {
  from: SQL;
  where?: SQL | undefined;
  id: SQLiteColumn;
  /** Reads the newest links first without sorting. */
  newest?: SQL;
  /** Whether the index has the links of each status in order, but not all of them. */
  isApart?: boolean;
}

const linksBy = (index: string): SQL => sql`${links} indexed by ${sql.raw(index)}`;
const linksByRow = sql`${links} not indexed`;
const andLinks = (id: SQL): SQL => sql`cross join ${linksByRow} on ${links.id} = ${id}`;

/** The sets that no index has in the order of their creation. */
const UNORDERED: Partial<Record<Index, SQL>> = {
  import: linksBy("links_public_id_unique"),
  slug: linksByRow,
  link: linksByRow,
  external_id: linksBy("links_workspace_external_id"),
  taken_down: linksBy("links_taken_down"),
};

/** The indexes of all links, by the column of the order. */
const ORDERS = {
  created_at: "created",
  updated_at: "updated",
  slug: "slug",
  title: "title",
  visits: "visits",
};

/** The row ids of links that have a word in their text, or a tag or group with the word in its name. */
const selectNamed = (
  workspaceId: number,
  status: LinkFilter["status"],
  { text, tagIds, groupIds }: Word,
  most: number,
): SQL =>
  sql`select id from (select ${MATCHED_LINK_ID} as id from ${SEARCH_TABLE}
      where ${whereMatches(workspaceId, status, sql`${toExpression([text])}`)} order by ${SEARCH_ROW_ID} desc limit ${most})
    union select id from (select ${linkTags.link_id} as id from ${linkTags} where ${linkTags.workspace_id} = ${workspaceId}
      and ${linkTags.tag_id} in ${inIds(tagIds)} limit ${most})
    union select id from (select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId}
      and ${links.deleted_at} is null and ${links.activity_group_id} in ${inIds(groupIds)} limit ${most})`;

const selectIds = (workspaceId: number, { set, filter, most = MAX_LISTED_LINKS }: Plan): SQL =>
  set.word === undefined
    ? selectBrokenLinkIds(workspaceId, most)
    : selectNamed(workspaceId, filter.status, set.word, most);

function sourceOf(workspaceId: number, plan: Plan, sort: ListSort): Source {
  const { set, filter } = plan;
  const { index, tag } = set;
  const archived = ARCHIVED[filter.status];
  const id = links.public_id;
  const newest = sql`order by ${id} desc`;
  const unordered = UNORDERED[index];
  if (unordered !== undefined) return { from: unordered, id };
  switch (index) {
    case "tag":
      return {
        from: sql`${linkTags} ${andLinks(sql`${linkTags.link_id}`)}`,
        where: sql`${linkTags.workspace_id} = ${workspaceId} and ${linkTags.link_archived} in ${archived}
          and ${linkTags.tag_id} = ${selectRowId(tags, workspaceId, tag ?? { rowId: 0 })}`,
        id: linkTags.link_public_id,
        newest: sql`order by ${linkTags.link_public_id} desc`,
        isApart: true,
      };
    case "search":
      return {
        from: sql`${SEARCH_TABLE} ${andLinks(MATCHED_LINK_ID)}`,
        where: whereMatchesFilter(workspaceId, filter),
        id,
        newest: sql`order by ${SEARCH_ROW_ID} desc`,
        isApart: true,
      };
    case "names":
    case "broken":
      return { from: sql`(${selectIds(workspaceId, plan)}) as found ${andLinks(sql`found.id`)}`, id };
    case "external_id_prefix":
      return { from: linksBy("links_list_external_id"), where: sql`${links.archived} in ${archived}`, id };
    case "all": {
      const isWhole = filter.status === "all" && /created_at$/.test(sort);
      const name = isWhole ? "all" : ORDERS[toColumn(sort)];
      return { from: linksBy(`links_list_${name}`), id, newest, isApart: !isWhole };
    }
    default:
      return { from: linksBy(`links_list_${index}`), id, newest, isApart: true };
  }
}

/** The most visited links that a list by visits looks at besides the newest of its set. */
const MAX_MOST_VISITED = 2_000;

/** The row ids of the links that a plan with a limit looks at. A search also looks at the link that its text names. */
function selectCandidates(workspaceId: number, plan: Plan, sort: ListSort): SQL {
  const { set, filter, most } = plan;
  const { index } = set;
  const own = index in filter ? { [index]: filter[index as keyof LinkFilter] } : {};
  const read = (status: LinkFilter["status"]): SQL => {
    const source = sourceOf(workspaceId, { ...plan, filter: { ...filter, status } }, "-created_at");
    const found = { ...NO_FILTER, ...own, status, created: filter.created };
    return sql`select id from (select ${links.id} as id from ${source.from}
      where ${and(source.where, whereLinks(workspaceId, found, source.id))} ${source.newest ?? sql.empty()} limit ${most})`;
  };
  const { isApart } = sourceOf(workspaceId, plan, "-created_at");
  const candidates =
    filter.status === "all" && isApart
      ? sql`${read("active")} union all ${read("archived")} limit ${most}`
      : read(filter.status);
  if (filter.words !== undefined)
    return sql`select ${filter.link ?? null} as id where id is not null union select id from (${candidates})`;
  if (sort !== "-visits") return candidates;
  return sql`select id from (${candidates}) union select id from (select ${links.id} as id from ${links}
    where ${links.workspace_id} = ${workspaceId} and ${links.archived} = 0 and ${links.deleted_at} is null
    and ${links.visits} > 0 order by ${links.visits} desc limit ${MAX_MOST_VISITED})`;
}

export function readFrom(workspaceId: number, plan: Plan, sort: ListSort): Source & { candidates: SQL } {
  const { set, filter, most } = plan;
  const others = { ...filter, tags: filter.tags.filter((tag) => tag !== set.tag) };
  if (most !== undefined)
    return {
      candidates: sql`with candidate as materialized (${selectCandidates(workspaceId, plan, sort)})`,
      from: sql`candidate ${andLinks(sql`candidate.id`)}`,
      where: whereLinks(workspaceId, filter, links.public_id),
      id: links.public_id,
    };
  const source = sourceOf(workspaceId, plan, sort);
  return {
    ...source,
    candidates: sql.empty(),
    where: and(source.where, whereLinks(workspaceId, others, source.id)),
  };
}
