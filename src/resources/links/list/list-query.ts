import { and, type SQL, sql } from "drizzle-orm";
import { linksCounted, linksOfWorkspace } from "../../../access/workspace-statements";
import { orm, type Statement } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { activityGroups } from "../../../db/schema/activity-groups";
import { links, linkTotals } from "../../../db/schema/links";
import { tags } from "../../../db/schema/tags";
import { VALUE_FIELD_NAMES } from "../../../lib/link-fields";
import type { Position } from "../../../lib/paging";
import { SHORT_HOST } from "../../../lib/slug-text";
import { SEARCH_TABLE } from "../search-table";
import { type LinkFilter, type ListSort, NO_FILTER, toDimensions } from "./list-filter";
import { orderBy, whereAfter } from "./list-order";
import type { Counted, Plan, StoredSize } from "./list-plan";
import { readFrom } from "./list-source";
import { ARCHIVED, selectRowId, whereLinks } from "./list-where";
import { whereMatchesFilter } from "./search-query";

const storedTotal = (status: LinkFilter["status"]): SQL =>
  linksCounted(status, linkTotals.active, linkTotals.archived);

/** The stored total of each filter. All filters are one parameter; two names of one tag give one row. */
function selectDimensions(workspaceId: number, filter: LinkFilter): SQL {
  const { status, tags: named, group, domain } = filter;
  const asked = [
    ...named.map((tag) => ({ kind: "tag", ...tag })),
    ...(group === undefined ? [] : [{ kind: "group", ...group }]),
    ...VALUE_FIELD_NAMES.map((kind) => ({ kind, key: filter[kind] })),
    { kind: "domain", key: domain === SHORT_HOST ? undefined : domain },
  ].filter((one) => !("key" in one) || one.key !== undefined);
  const name = { id: sql`value ->> 'id'`, slug: sql`value ->> 'slug'` };
  return sql`select distinct named.kind as "index", named.key as key, coalesce(${storedTotal(status)}, 0) as size
    from (select value ->> 'kind' as kind, case value ->> 'kind'
        when 'tag' then ${selectRowId(tags, workspaceId, name)}
        when 'group' then ${selectRowId(activityGroups, workspaceId, name)}
        else value ->> 'key' end as key
      from json_each(${JSON.stringify(asked)})) as named
    left join ${linkTotals} on ${linkTotals.workspace_id} = ${workspaceId} and ${linkTotals.kind} = named.kind
      and ${linkTotals.key} = cast(named.key as text)`;
}

/** How many links there are, of the short host if the filter says so, and then how many each filter has. */
export const selectSizes = (workspaceId: number, filter: LinkFilter) => {
  const onDomains = sql`(select coalesce(sum(${storedTotal(filter.status)}), 0) from ${linkTotals}
    where ${linkTotals.workspace_id} = ${workspaceId} and ${linkTotals.kind} = 'domain')`;
  return orm.all<StoredSize>(sql`select 'all' as "index", null as key, ${linksOfWorkspace(filter.status)} -
      ${filter.domain === SHORT_HOST ? onDomains : sql`0`} as size
    from ${workspaces} where ${workspaces.id} = ${workspaceId}
    union all select * from (${selectDimensions(workspaceId, filter)})`);
};

/** Counts the links of a set, up to the smallest stored total of the other filters, or to `most`. */
export function countSet(workspaceId: number, filter: LinkFilter, set: Counted, most?: number) {
  const smallest =
    toDimensions(filter).length === 0
      ? sql`-1`
      : sql`(select min(size) from (${selectDimensions(workspaceId, filter)}))`;
  const count = (rows: SQL, limit: SQL) =>
    sql`select count(*) as size from (select 1 from ${rows} limit ${limit})`;
  const { status, external_id_prefix } = filter;
  const own = whereLinks(workspaceId, { ...NO_FILTER, external_id_prefix }, links.public_id);
  const prefixed = count(
    sql`${links} indexed by links_list_external_id where ${and(own, sql`${links.archived} in ${ARCHIVED[status]}`)}`,
    most === undefined ? smallest : sql`${most}`,
  );
  if (set === "external_id_prefix") return orm.all<{ size: number }>(prefixed);
  const matches = sql`${SEARCH_TABLE} where ${whereMatchesFilter(workspaceId, filter)}`;
  return orm.all<{ size: number }>(
    count(matches, external_id_prefix === undefined ? smallest : sql`(${prefixed})`),
  );
}

export const countLinks = (workspaceId: number, plan: Plan, sort: ListSort) => {
  const { candidates, from, where } = readFrom(workspaceId, plan, sort);
  const looked = plan.most === undefined ? sql`0` : sql`(select count(*) from candidate)`;
  return orm.all<{
    total: number;
    looked: number;
  }>(sql`${candidates} select count(*) as total, ${looked} as looked from ${from} where ${where}`);
};

/** Which rows a page has: those after a position, if there is one, without the first `offset`. */
interface Pagination {
  after: Position | undefined;
  offset: number;
  limit: number;
  /** The link that the text of a search names comes first. */
  exactFirst?: boolean;
}

/** Links, or their sizes: `selectLinks` or `selectLinkSizes`. */
export type Select<Row> = (end: SQL) => Statement<Row[]>;

/** A page of a list. The caller asks for one row more than it shows, to know whether there is another page. */
export const selectLinkPage = <Row>(
  workspaceId: number,
  plan: Plan,
  sort: ListSort,
  { after, offset, limit, exactFirst = false }: Pagination,
  select: Select<Row>,
): Statement<Row[]> => {
  const { status, link = null } = plan.filter;
  const exact = exactFirst ? sql`${links.id} is ${link} desc, ` : sql.empty();
  const page = sql`limit ${limit} offset ${offset}`;
  const read = (own: LinkFilter["status"], end: SQL): SQL => {
    const of = readFrom(workspaceId, { ...plan, filter: { ...plan.filter, status: own } }, sort);
    return sql`${of.candidates} select ${links.id} as id from ${of.from} where ${and(of.where, whereAfter(after, sort, of.id))}
      order by ${exact}${orderBy(sort, of.id)} ${end}`;
  };
  const first = sql`limit ${offset + limit}`;
  const ids =
    status === "all" && readFrom(workspaceId, plan, sort).isApart
      ? sql`select ${links.id} from ${links} where ${links.id} in (select id from (${read("active", first)})
          union all select id from (${read("archived", first)})) order by ${orderBy(sort)} ${page}`
      : read(status, page);
  // Only ids are sorted: sorting whole links would read the tags of each.
  return select(sql`where +${links.workspace_id} = ${workspaceId} and ${links.id} in (${ids})
    order by ${exact}${orderBy(sort)} limit ${limit}`);
};
