import { and, asc, count, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, links, linkTags, linkTotals, tags } from "../db/schema";
import type { Position } from "../lib/paging";
import { type LinkRow, selectLinks } from "./repository";
import type { LinkSort } from "./schema";
import { INDEX, isIndexed, LINK_ID, matches } from "./search";

type Status = "active" | "archived" | "all";

/** A filter whose links the workspace counts. */
type Dimension = "tag" | "group" | "channel";

/** What a list is narrowed to; an undefined part is not asked for. */
export interface LinkFilter {
  status: Status;
  /** Each an id in stored form and the slug that it may be instead; the link carries all of them. */
  tags: readonly { id: string; slug: string }[];
  group: { id: string; slug: string } | undefined;
  channel: string | undefined;
  slugKey: string | undefined;
  /** Folded text that the slug, title or destination contains. */
  search: string | undefined;
  /** Whether there is a search index. */
  indexed: boolean;
}

const byIdOrSlug = (
  table: typeof tags | typeof activityGroups,
  workspaceId: number,
  named: { id: SQL | string; slug: SQL | string },
): SQL => sql`coalesce(
  (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.public_id} = ${named.id}),
  (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.slug} = ${named.slug}))`;

const groupOf = (workspaceId: number, { group }: LinkFilter): SQL =>
  group === undefined ? sql`null` : byIdOrSlug(activityGroups, workspaceId, group);

/** The row ids of the named tags, 0 for one that is none; the names are one parameter. */
function tagsIn(workspaceId: number, named: LinkFilter["tags"]): SQL {
  const id = byIdOrSlug(tags, workspaceId, {
    id: sql`named.value ->> 'id'`,
    slug: sql`named.value ->> 'slug'`,
  });
  return sql`(select distinct coalesce(${id}, 0) as tag_id from json_each(${JSON.stringify(named)}) as named)`;
}

/** The one of the named tags that the fewest links carry. */
const rarestTag = (workspaceId: number, named: LinkFilter["tags"]): SQL =>
  sql`(select wanted.tag_id from ${tagsIn(workspaceId, named)} as wanted left join ${linkTotals}
    on ${linkTotals.workspace_id} = ${workspaceId} and ${linkTotals.kind} = 'tag' and ${linkTotals.key} = wanted.tag_id
    order by coalesce(${linkTotals.active} + ${linkTotals.archived}, 0) limit 1)`;

/** True where a link carries every named tag. */
const carriesAll = (workspaceId: number, named: LinkFilter["tags"]): SQL =>
  sql`not exists (select 1 from ${tagsIn(workspaceId, named)} as wanted where wanted.tag_id not in
    (select carried.tag_id from ${linkTags} as carried where carried.link_id = ${links.id}))`;

const contains = (column: SQL, search: string): SQL => sql`instr(${column}, ${search}) > 0`;

const dimensionsOf = ({ tags: wanted, group, channel }: LinkFilter): Dimension[] => [
  ...(wanted.length === 0 ? [] : (["tag"] as const)),
  ...(group === undefined ? [] : (["group"] as const)),
  ...(channel === undefined ? [] : (["channel"] as const)),
];

/** By what the rows of a list are found: one filter's index, the smallest of several, or the order of the list itself. */
type Way = Dimension | "slug" | "smallest" | "index" | "order";

function wayTo(filter: LinkFilter): Way {
  const [dimension, another] = dimensionsOf(filter);
  if (filter.slugKey !== undefined) return "slug";
  if (dimension === undefined) {
    return filter.indexed && filter.search !== undefined && isIndexed(filter.search) ? "index" : "order";
  }
  return another === undefined ? dimension : "smallest";
}

/** Whether the rows are found by an index that has their status, and then their age. */
const isLed = (way: Way): boolean => way !== "smallest" && way !== "slug" && way !== "index";

const flagOf = { active: 0, archived: 1 } as const;

/** A column that an index is found by, or that is only looked at: the unary plus keeps it out of the choice. */
const leading = (column: SQL, leads: boolean): SQL => (leads ? column : sql`+${column}`);

/** The columns that tell a link's status and its age, in the row by which it is found. */
const foundAs = (way: Way) =>
  way === "tag"
    ? { archived: linkTags.link_archived, id: linkTags.link_public_id }
    : { archived: links.archived, id: links.public_id };

const withTag = (workspaceId: number, filter: LinkFilter): SQL =>
  sql`${linkTags.workspace_id} = ${workspaceId} and ${linkTags.tag_id} = ${rarestTag(workspaceId, filter.tags)}`;

const ofStatus = (column: SQL, status: Status): SQL | undefined =>
  status === "all" ? undefined : sql`${column} = ${flagOf[status]}`;

/** The ids of the links that pass the smallest of a list's filters; the selections by another end before their first row. */
function smallestFilter(workspaceId: number, filter: LinkFilter): SQL {
  const own = sql`${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`;
  const selections: Record<Dimension, SQL> = {
    tag: sql`select ${linkTags.link_id} from smallest cross join ${linkTags}
      where dimension = 'tag' and ${withTag(workspaceId, filter)}`,
    group: sql`select ${links.id} from smallest cross join ${links}
      where dimension = 'group' and ${own} and ${links.activity_group_id} = ${groupOf(workspaceId, filter)}`,
    channel: sql`select ${links.id} from smallest cross join ${links}
      where dimension = 'channel' and ${own} and ${links.channel} = ${filter.channel ?? null}`,
  };
  return sql`with smallest as materialized ${smallestDimension(workspaceId, filter)} ${sql.join(
    dimensionsOf(filter).map((dimension) => selections[dimension]),
    sql` union all `,
  )}`;
}

/** So many links are found by the search index and then sorted; a text that more contain soon fills a page in its order. */
const MOST_FOUND = 4_000;

/** The ids of the links that contain a rare text, or of the first that contain a common one. */
function found(workspaceId: number, filter: LinkFilter, sort: LinkSort, page: Pagination): SQL {
  const { status, search = "" } = filter;
  const hits = matches(workspaceId, status, search);
  const walked = { ...filter, indexed: false };
  const { order, place } = orderOf(walked, sort, page.after);
  return sql`with rare as materialized (select count(*) <= ${MOST_FOUND} as yes
      from (select 1 from ${INDEX} where ${hits} limit ${MOST_FOUND + 1}))
    select ${LINK_ID} from rare cross join ${INDEX} where yes and ${hits}
    union all select id from (select ${links.id} from ${links}
      where ${and(matching(workspaceId, walked), place)}
      order by ${sql.join(order, sql`, `)}
      limit (select case when yes then 0 else ${page.limit + page.offset} end from rare))`;
}

/** What a list selects, of the links with these row ids where they are given. The tag's rows lead to its links. */
function matching(workspaceId: number, filter: LinkFilter, ids?: SQL): SQL | undefined {
  const { status, tags: wanted, group, channel, slugKey, search } = filter;
  const way = wayTo(filter);
  return and(
    sql`${leading(sql`${links.workspace_id}`, way !== "smallest" && way !== "index")} = ${workspaceId}`,
    isNull(links.deleted_at),
    way === "smallest" ? sql`${links.id} in (${smallestFilter(workspaceId, filter)})` : undefined,
    ids === undefined ? undefined : sql`${links.id} in (${ids})`,
    way === "tag" ? withTag(workspaceId, filter) : undefined,
    ofStatus(leading(sql`${foundAs(way).archived}`, isLed(way)), status),
    wanted.length > (way === "tag" ? 1 : 0) ? carriesAll(workspaceId, wanted) : undefined,
    group === undefined
      ? undefined
      : sql`${leading(sql`${links.activity_group_id}`, way === "group")} = ${groupOf(workspaceId, filter)}`,
    channel === undefined
      ? undefined
      : sql`${leading(sql`${links.channel}`, way === "channel")} = ${channel}`,
    slugKey === undefined ? undefined : eq(links.slug_key, slugKey),
    search === undefined || way === "index"
      ? undefined
      : or(
          contains(sql`${links.slug_key}`, search),
          contains(sql`${links.title_key}`, search),
          contains(sql`${links.destination_key}`, search),
        ),
  );
}

const KEPT = {
  active: sql<number>`${linkTotals.active}`,
  archived: sql<number>`${linkTotals.archived}`,
  all: sql<number>`${linkTotals.active} + ${linkTotals.archived}`,
};

/** The key of a filter's total. */
function keyOf(workspaceId: number, filter: LinkFilter, dimension: Dimension): SQL {
  if (dimension === "channel") return sql`${filter.channel ?? null}`;
  const id = dimension === "tag" ? rarestTag(workspaceId, filter.tags) : groupOf(workspaceId, filter);
  return sql`cast(${id} as text)`;
}

/** The row that keeps a filter's total. */
const isKept = (workspaceId: number, filter: LinkFilter, dimension: Dimension): SQL | undefined =>
  and(
    eq(linkTotals.workspace_id, workspaceId),
    eq(linkTotals.kind, dimension),
    sql`${linkTotals.key} = ${keyOf(workspaceId, filter, dimension)}`,
  );

const keptTotal =
  (workspaceId: number, filter: LinkFilter, dimension: Dimension): Statement<{ total: number }[]> =>
  (orm) =>
    orm
      .select({ total: KEPT[filter.status] })
      .from(linkTotals)
      .where(isKept(workspaceId, filter, dimension));

/** The name of the filter that the fewest links pass. */
function smallestDimension(workspaceId: number, filter: LinkFilter): SQL {
  const sizes = dimensionsOf(filter).map(
    (dimension) =>
      sql`select ${dimension} as dimension, coalesce((select ${KEPT[filter.status]} from ${linkTotals}
        where ${isKept(workspaceId, filter, dimension)}), 0) as size`,
  );
  return sql`(select dimension from (${sql.join(sizes, sql` union all `)}) order by size limit 1)`;
}

/** How many links contain a text, told by the search index alone. */
const foundTotal =
  (workspaceId: number, { status, search = "" }: LinkFilter): Statement<{ total: number }[]> =>
  (orm) =>
    orm.all<{ total: number }>(
      sql`select count(*) as total from ${INDEX} where ${matches(workspaceId, status, search)}`,
    );

/** The total of a list that is narrowed by its status at most, and of one that is narrowed by nothing else but one filter. */
export function knownTotal(
  workspaceId: number,
  filter: LinkFilter,
): "workspace" | Statement<{ total: number }[]> | undefined {
  if (wayTo(filter) === "index") return foundTotal(workspaceId, filter);
  if (filter.slugKey !== undefined || filter.search !== undefined || filter.tags.length > 1) return undefined;
  const dimensions = dimensionsOf(filter);
  const [dimension] = dimensions;
  if (dimension === undefined) return "workspace";
  return dimensions.length === 1 ? keptTotal(workspaceId, filter, dimension) : undefined;
}

export const countLinks =
  (workspaceId: number, filter: LinkFilter): Statement<{ total: number }[]> =>
  (orm) => {
    const counting = orm.select({ total: count() }).from(links).$dynamic();
    const joined =
      wayTo(filter) === "tag" ? counting.innerJoin(linkTags, eq(linkTags.link_id, links.id)) : counting;
    return joined.where(matching(workspaceId, filter));
  };

const isDescending = (sort: LinkSort): boolean => sort.startsWith("-");
const nameOf = (sort: LinkSort) => sort.replace("-", "") as "created_at" | "updated_at" | "slug" | "title";

/** The values that a row is sorted by: those of its place in the list. */
export function positionOf(row: LinkRow, sort: LinkSort): Position {
  const values = {
    created_at: row.created_at,
    updated_at: row.updated_at,
    slug: row.slug_key,
    title: row.title_key,
  };
  return [values[nameOf(sort)], row.public_id];
}

/** Whether a position read from a cursor can be one of this sort. */
export function isPositionOf(position: Position, sort: LinkSort): boolean {
  const [value, id] = position;
  if (typeof id !== "string") return false;
  if (sort === "title") return value === null || typeof value === "string";
  return typeof value === (sort === "slug" ? "string" : "number");
}

/** The columns of an order. A link's id begins with the time of its creation; a slug is one link's alone. */
function columnsOf(sort: LinkSort, way: Way): SQL[] {
  const columns = {
    created_at: [sql`${foundAs(way).id}`],
    updated_at: [sql`${links.updated_at}`, sql`${links.public_id}`],
    slug: [sql`${links.slug_key}`],
    title: [sql`${links.untitled}`, sql`${links.title_key}`, sql`${links.public_id}`],
  }[nameOf(sort)];
  // A filter's index has the order of creation; what it finds is sorted otherwise, by no index of the order's own.
  const inOrder = way === "order" || (nameOf(sort) === "created_at" && isLed(way));
  return columns.map((column) => leading(column, inOrder));
}

/** The rows behind a position. A title that is null comes last; ties are broken by the id, in the direction of the sort. */
function behind([value, id]: Position, sort: LinkSort, way: Way): SQL {
  if (nameOf(sort) === "title" && value === null)
    return sql`${links.untitled} = 1 and ${links.title_key} is null and ${links.public_id} > ${id}`;
  const values = { created_at: [id], updated_at: [value, id], slug: [value], title: [0, value, id] }[
    nameOf(sort)
  ];
  const later = isDescending(sort) ? sql.raw("<") : sql.raw(">");
  const place = sql.join(
    values.map((part) => sql`${part}`),
    sql`, `,
  );
  return sql`(${sql.join(columnsOf(sort, way), sql`, `)}) ${later} (${place})`;
}

/** A page: the rows behind `after`, where it is given, and behind the first `offset` of them. */
export interface Pagination {
  after: Position | undefined;
  offset: number;
  limit: number;
}

/** The order of a list as SQL, and what is true of the rows behind a position. */
function orderOf(filter: LinkFilter, sort: LinkSort, after: Position | undefined) {
  const way = wayTo(filter);
  const direction = isDescending(sort) ? desc : asc;
  return {
    order: columnsOf(sort, way).map((column) => direction(column)),
    place: after === undefined ? undefined : behind(after, sort, way),
  };
}

export const pageOfLinks =
  (workspaceId: number, filter: LinkFilter, sort: LinkSort, page: Pagination): Statement<LinkRow[]> =>
  (orm) => {
    const way = wayTo(filter);
    const selecting = selectLinks(orm);
    const joined = way === "tag" ? selecting.innerJoin(linkTags, eq(linkTags.link_id, links.id)) : selecting;
    const ids = way === "index" ? found(workspaceId, filter, sort, page) : undefined;
    const { order, place } = orderOf(filter, sort, page.after);
    return joined
      .where(and(matching(workspaceId, filter, ids), place))
      .orderBy(...order)
      .limit(page.limit)
      .offset(page.offset);
  };
