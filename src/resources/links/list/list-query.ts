import { and, type SQL, sql } from "drizzle-orm";
import { linksCounted, linksOfWorkspace } from "../../../access/workspace-statements";
import { orm, type Statement } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { activityGroups } from "../../../db/schema/activity-groups";
import { links, linkTotals } from "../../../db/schema/links";
import { linkTags, tags } from "../../../db/schema/tags";
import { VALUE_FIELD_NAMES } from "../../../lib/link-fields";
import type { Position } from "../../../lib/paging";
import { SHORT_HOST } from "../../../lib/slug-text";
import { SEARCH_TABLE } from "../search-table";
import { selectCandidates, tablesOf } from "./candidates";
import { isInOrder, isMerged } from "./indexes";
import { isPrefixed, type LinkFilter, type ListSort, toDimensions } from "./list-filter";
import { type Order, orderBy, whereAfter } from "./list-order";
import type { FilterTotal, Plan } from "./list-plan";
import { type From, selectRowId, whereLinks, wherePrefixed, whereTotal } from "./list-where";
import { whereMatchesFilter } from "./matches";

const storedTotal = (status: LinkFilter["status"]): SQL =>
  linksCounted(status, linkTotals.active, linkTotals.archived);

/** The stored total of each filter. The names of all tags are one parameter; two names of one tag give one row. */
function selectTotals(workspaceId: number, filter: LinkFilter): SQL {
  const { status, tags: named, group, domain } = filter;
  const values = VALUE_FIELD_NAMES.flatMap((name) =>
    filter[name] === undefined ? [] : [[name, filter[name]]],
  );
  const tagId = selectRowId(tags, workspaceId, {
    id: sql`named.value ->> 'id'`,
    slug: sql`named.value ->> 'slug'`,
  });
  const asked = [
    ...(named.length === 0
      ? []
      : [
          sql`select distinct 'tag' as kind, ${tagId} as key from json_each(${JSON.stringify(named)}) as named`,
        ]),
    ...(group === undefined
      ? []
      : [sql`select 'group' as kind, ${selectRowId(activityGroups, workspaceId, group)} as key`]),
    ...(values.length === 0
      ? []
      : [sql`select value ->> 0 as kind, value ->> 1 as key from json_each(${JSON.stringify(values)})`]),
    ...(domain === undefined || domain === SHORT_HOST
      ? []
      : [sql`select 'domain' as kind, ${domain} as key`]),
  ];
  return sql`select filter.kind as kind, filter.key as key, coalesce(${storedTotal(status)}, 0) as total
    from (${sql.join(asked, sql` union all `)}) as filter
    left join ${linkTotals} on ${whereTotal(workspaceId, sql`filter.kind`, sql`filter.key`)}`;
}

export const selectFilterTotals = (workspaceId: number, filter: LinkFilter) =>
  orm.all<FilterTotal>(selectTotals(workspaceId, filter));

/** How many links are on the short host: all but those of each domain. */
export const selectShortHostTotal = (workspaceId: number, status: LinkFilter["status"]) =>
  orm.all<{ total: number }>(sql`select ${linksOfWorkspace(status)}
      - (select coalesce(sum(${storedTotal(status)}), 0) from ${linkTotals}
        where ${linkTotals.workspace_id} = ${workspaceId} and ${linkTotals.kind} = 'domain') as total
    from ${workspaces} where ${workspaces.id} = ${workspaceId}`);

/** Counts rows, up to the smallest of the totals. */
function countUpTo(totals: readonly SQL[], rows: SQL): SQL {
  const all = sql.join([...totals], sql` union all `);
  const bound = totals.length === 0 ? sql.empty() : sql`limit (select min(total) from (${all}))`;
  return sql`select count(*) as total from (select 1 from ${rows} ${bound})`;
}

const storedTotals = (workspaceId: number, filter: LinkFilter): SQL[] =>
  toDimensions(filter).length === 0 ? [] : [sql`select total from (${selectTotals(workspaceId, filter)})`];

const countOfPrefix = (workspaceId: number, filter: LinkFilter, most?: number): SQL =>
  countUpTo(
    [...storedTotals(workspaceId, filter), ...(most === undefined ? [] : [sql`select ${most} as total`])],
    sql`${links} where ${wherePrefixed(workspaceId, filter)}`,
  );

/** How many links have an external id with the prefix, counted up to the smallest total of another filter, or to `most`. */
export const countPrefixed = (workspaceId: number, filter: LinkFilter, most?: number) =>
  orm.all<{ total: number }>(countOfPrefix(workspaceId, filter, most));

/** How many links contain the text, counted up to the smallest total of another filter. */
export const countSearched = (workspaceId: number, filter: LinkFilter) => {
  const totals = isPrefixed(filter)
    ? [countOfPrefix(workspaceId, filter)]
    : storedTotals(workspaceId, filter);
  const matches = whereMatchesFilter(workspaceId, filter);
  return orm.all<{ total: number }>(countUpTo(totals, sql`${SEARCH_TABLE} where ${matches}`));
};

/** Where a plan reads its links from, after the common table expression that it needs. */
function fromPlan(workspaceId: number, plan: Plan, sort: ListSort): { from: From; candidates: SQL } {
  if (plan.most === undefined) return { from: plan.index, candidates: sql.empty() };
  const ids = selectCandidates(workspaceId, plan, sort);
  return { from: "candidates", candidates: sql`with candidate as materialized (${ids})` };
}

/** How many links a list has, and how many were looked at if the plan has a limit. */
export const countLinks = (workspaceId: number, plan: Plan, sort: ListSort) => {
  const { from, candidates } = fromPlan(workspaceId, plan, sort);
  const looked = from === "candidates" ? sql`(select count(*) from candidate)` : sql`0`;
  return orm.all<{
    total: number;
    looked: number;
  }>(sql`${candidates} select count(*) as total, ${looked} as looked from ${tablesOf(from)}
      where ${whereLinks(workspaceId, plan.filter, from)}`);
};

/** Which rows a page has: those after a position, if there is one, without the first `offset`. */
export interface Pagination {
  after: Position | undefined;
  offset: number;
  limit: number;
  /** The link that the text of a search names comes first. */
  exactFirst?: boolean;
}

/** The ids of the first links of each status, as many as a page may have of one. */
function selectFirstOfEach(
  workspaceId: number,
  { filter, index }: Plan,
  sort: ListSort,
  { after, offset, limit }: Pagination,
): SQL {
  const first = (status: "active" | "archived"): SQL => {
    const order = { sort, from: index, status };
    const where = and(whereLinks(workspaceId, { ...filter, status }, index), whereAfter(after, order));
    return sql`select id from (select ${links.id} as id from ${tablesOf(index)} where ${where}
      order by ${orderBy(order)} limit ${offset + limit})`;
  };
  return sql`${first("active")} union all ${first("archived")}`;
}

/** Links, or their sizes: `selectLinks` or `selectLinkSizes`. */
export type Select<Row> = (end: SQL) => Statement<Row[]>;

/** A page of a list. The caller asks for one row more than it shows, to know whether there is another page. */
export const selectLinkPage = <Row>(
  workspaceId: number,
  plan: Plan,
  sort: ListSort,
  page: Pagination,
  select: Select<Row>,
): Statement<Row[]> => {
  const { filter, index, most } = plan;
  const { status } = filter;
  const { from, candidates } = fromPlan(workspaceId, plan, sort);
  const order = { sort, from, status };
  const where = and(whereLinks(workspaceId, filter, from), whereAfter(page.after, order));
  // The builder has no `indexed by`, without which SQLite may read all links of a time of creation.
  if (most === undefined && filter.created === undefined && isInOrder(index, sort, status)) {
    const ofTag =
      index === "tag" ? sql`inner join ${linkTags} on ${linkTags.link_id} = ${links.id}` : sql.empty();
    return select(
      sql`${ofTag} where ${where} order by ${orderBy(order)} limit ${page.limit} offset ${page.offset}`,
    );
  }
  // Only ids are sorted: sorting whole links would read the tags of each.
  const exact = page.exactFirst === true ? sql`${links.id} is ${filter.exactId} desc, ` : sql.empty();
  const sorted = (by: Order) => sql`${exact}${orderBy(by)}`;
  const unordered = { ...order, from: "candidates" as const };
  const [found, foundOrder] =
    most === undefined && isMerged(index, sort, status)
      ? [sql`${links} where ${links.id} in (${selectFirstOfEach(workspaceId, plan, sort, page)})`, unordered]
      : [sql`${tablesOf(from)} where ${where}`, order];
  const ids = sql`${candidates} select ${links.id} from ${found}
      order by ${sorted(foundOrder)} limit ${page.limit} offset ${page.offset}`;
  return select(sql`where +${links.workspace_id} = ${workspaceId} and ${links.id} in (${ids})
    order by ${sorted(unordered)} limit ${page.limit}`);
};
