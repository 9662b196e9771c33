import { type SQL, sql } from "drizzle-orm";
import { importRows } from "../../../db/schema/imports";
import { links } from "../../../db/schema/links";
import { linkTags } from "../../../db/schema/tags";
import { eachField, VALUE_FIELD_NAMES, VALUE_FIELDS } from "../../../lib/link-fields";
import { selectBrokenLinkIds } from "../../destinations/destination-statements";
import { SEARCH_ROW_ID, SEARCH_TABLE } from "../search-table";
import type { Index } from "./indexes";
import { type LinkFilter, type ListSort, NO_FILTER } from "./list-filter";
import type { Plan } from "./list-plan";
import { columnsIn, type From, inIds, whereLinks } from "./list-where";
import { MATCHED_LINK_ID, toExpression, whereMatches, whereMatchesFilter } from "./matches";

// The links that an index finds, all of them or the newest.

const linksBy = (index: string): SQL => sql`${links} indexed by ${sql.raw(index)}`;

/** The tables that an index reads; a cross join keeps their order. Of itself SQLite may take an index of all links. */
const JOINED: Partial<Record<From, SQL>> = {
  tag: sql`${linkTags} cross join ${links} on ${links.id} = ${linkTags.link_id}`,
  search: sql`${SEARCH_TABLE} cross join ${links} on ${links.id} = ${MATCHED_LINK_ID}`,
  import: sql`${importRows} cross join ${links} on ${links.public_id} = ${importRows.link}`,
  ...eachField({ ...VALUE_FIELDS, group: "", domain: "" }, (name) => linksBy(`links_list_${name}`)),
  external_id: linksBy("links_workspace_external_id"),
  taken_down: linksBy("links_taken_down"),
  candidates: sql`candidate cross join ${links} on ${links.id} = candidate.id`,
};

export const tablesOf = (from: From): SQL => JOINED[from] ?? sql`${links}`;

/** The part of a filter that an index finds, and the time of creation. Of several tags, the index finds the first. */
function ofIndex({ status, ...filter }: LinkFilter, index: Index): LinkFilter {
  const { group, domain, importId, externalIdPrefix, isTakenDown, slugs, externalIds, created } = filter;
  const parts: Partial<Record<Index, Partial<LinkFilter>>> = {
    tag: { tags: filter.tags.slice(0, 1) },
    group: { group },
    ...eachField(VALUE_FIELDS, (name) => ({ [name]: filter[name] })),
    domain: { domain },
    import: { importId },
    slug: { slugs },
    external_id: { externalIds },
    external_id_prefix: { externalIdPrefix },
    taken_down: { isTakenDown },
  };
  return { ...NO_FILTER, status, created, ...parts[index] };
}

/** Indexes that have the links of each status apart, in the order of their creation. */
const HAS_ORDER_BY_STATUS: ReadonlySet<Index> = new Set([
  "tag",
  "search",
  "group",
  ...VALUE_FIELD_NAMES,
  "domain",
]);

/** The order that reads the newest links of an index first, without sorting where the index has it. */
const newestIn = (index: Index): SQL =>
  index === "external_id_prefix" ? sql.empty() : sql`order by ${columnsIn(index).id} desc`;

/** The row ids of the newest links in the search index that match. Deleted links are not in it. */
const selectMatches = (matches: SQL, most: number): SQL =>
  sql`select id from (select ${MATCHED_LINK_ID} as id from ${SEARCH_TABLE}
    where ${matches} order by ${SEARCH_ROW_ID} desc limit ${most})`;

/** The row ids of links that have the first word in their text, or a tag or group with the word in its name. */
function selectNamed(workspaceId: number, filter: LinkFilter, most: number): SQL {
  const [{ text = "", tagIds = [], groupIds = [] } = {}] = filter.words;
  const matches = whereMatches(workspaceId, filter.status, sql`${toExpression([text])}`);
  return sql`${selectMatches(matches, most)}
    union select id from (select ${linkTags.link_id} as id from ${linkTags} where ${linkTags.workspace_id} = ${workspaceId}
      and ${linkTags.tag_id} in ${inIds(tagIds)} limit ${most})
    union select id from (select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId}
      and ${links.deleted_at} is null and ${links.activity_group_id} in ${inIds(groupIds)} limit ${most})`;
}

/** The row ids of links that an index finds, up to `most`, the newest first, and archived ones last where it has both apart. */
function selectNewestIds(workspaceId: number, filter: LinkFilter, index: Index, most: number): SQL {
  if (index === "names") return selectNamed(workspaceId, filter, most);
  if (index === "broken")
    return sql`select id from (${selectBrokenLinkIds(workspaceId, most)}) limit ${most}`;
  const own = ofIndex(filter, index);
  const tables =
    index === "order"
      ? linksBy(own.status === "all" ? "links_list_all" : "links_list_created")
      : tablesOf(index);
  const read = (status: LinkFilter["status"]): SQL =>
    index === "search"
      ? selectMatches(whereMatchesFilter(workspaceId, { ...filter, status }), most)
      : sql`select id from (select ${links.id} as id from ${tables}
          where ${whereLinks(workspaceId, { ...own, status }, index)} ${newestIn(index)} limit ${most})`;
  if (own.status !== "all" || !HAS_ORDER_BY_STATUS.has(index)) return read(own.status);
  return sql`${read("active")} union all ${read("archived")} limit ${most}`;
}

/** The most visited links that a list by visits looks at besides the newest of its index. */
const MAX_MOST_VISITED = 2_000;

/** The row ids of the links that a plan with a limit looks at. A search also looks at the link that its text names. */
export function selectCandidates(
  workspaceId: number,
  { filter, index, most = 0 }: Plan,
  sort: ListSort,
): SQL {
  const newest = sql`select id from (${selectNewestIds(workspaceId, filter, index, most)})`;
  if (filter.words.length > 0)
    return sql`select ${filter.exactId} as id where ${filter.exactId} is not null union ${newest}`;
  if (sort !== "-visits") return newest;
  return sql`${newest} union select id from (select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId}
    and ${links.archived} = 0 and ${links.deleted_at} is null and ${links.visits} > 0
    order by ${links.visits} desc limit ${MAX_MOST_VISITED})`;
}
