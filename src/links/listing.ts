import { and, asc, count, desc, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { activityGroups, links, linkTags, tags } from "../db/schema";
import type { Position } from "../lib/paging";
import { type LinkRow, selectLinks } from "./repository";
import type { LinkSort } from "./schema";

/** What a list is narrowed to; an undefined part is not asked for. */
export interface LinkFilter {
  status: "active" | "archived" | "all";
  /** Each an id in stored form and the slug that it may be instead; the link carries all of them. */
  tags: readonly { id: string; slug: string }[];
  group: { id: string; slug: string } | undefined;
  channel: string | undefined;
  slugKey: string | undefined;
  /** Folded text that the slug, title or destination contains. */
  search: string | undefined;
}

const byIdOrSlug = (
  table: typeof tags | typeof activityGroups,
  workspaceId: number,
  named: { id: SQL | string; slug: SQL | string },
): SQL => sql`coalesce(
  (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.public_id} = ${named.id}),
  (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.slug} = ${named.slug}))`;

/** True where a link carries every named tag. The names are one parameter, resolved once, and the links found by tag. */
function carriesAll(workspaceId: number, named: readonly { id: string; slug: string }[]): SQL {
  const tagId = byIdOrSlug(tags, workspaceId, {
    id: sql`named.value ->> 'id'`,
    slug: sql`named.value ->> 'slug'`,
  });
  const wanted = sql`(select distinct ${tagId} as tag_id from json_each(${JSON.stringify(named)}) as named)`;
  return sql`${links.id} in (select ${linkTags.link_id} from ${linkTags}
    where ${linkTags.workspace_id} = ${workspaceId} and ${linkTags.tag_id} in ${wanted}
    group by ${linkTags.link_id} having count(*) = (select count(*) from ${wanted}))`;
}

const contains = (column: SQL, search: string): SQL => sql`instr(${column}, ${search}) > 0`;

const matching = (workspaceId: number, filter: LinkFilter): SQL | undefined =>
  and(
    eq(links.workspace_id, workspaceId),
    isNull(links.deleted_at),
    filter.status === "all"
      ? undefined
      : filter.status === "active"
        ? isNull(links.archived_at)
        : isNotNull(links.archived_at),
    filter.tags.length === 0 ? undefined : carriesAll(workspaceId, filter.tags),
    filter.group === undefined
      ? undefined
      : eq(links.activity_group_id, byIdOrSlug(activityGroups, workspaceId, filter.group)),
    filter.channel === undefined ? undefined : eq(links.channel, filter.channel),
    filter.slugKey === undefined ? undefined : eq(links.slug_key, filter.slugKey),
    filter.search === undefined
      ? undefined
      : or(
          contains(sql`${links.slug_key}`, filter.search),
          contains(sql`${links.title_key}`, filter.search),
          contains(sql`${links.destination_key}`, filter.search),
        ),
  );

/** Whether nothing but the status narrows the list, so that the workspace knows its total. */
export const isUnfiltered = ({ tags: wanted, group, channel, slugKey, search }: LinkFilter): boolean =>
  wanted.length === 0 && [group, channel, slugKey, search].every((part) => part === undefined);

export const countLinks =
  (workspaceId: number, filter: LinkFilter): Statement<{ total: number }[]> =>
  (orm) =>
    orm.select({ total: count() }).from(links).where(matching(workspaceId, filter));

const SORT_COLUMNS = {
  created_at: links.created_at,
  updated_at: links.updated_at,
  slug: links.slug_key,
  title: links.title_key,
};

const sortOf = (sort: LinkSort) => {
  const descending = sort.startsWith("-");
  const name = (descending ? sort.slice(1) : sort) as keyof typeof SORT_COLUMNS;
  return { descending, column: SORT_COLUMNS[name] };
};

/** The values that a row is sorted by: those of its place in the list. */
export function positionOf(row: LinkRow, sort: LinkSort): Position {
  const values = {
    created_at: row.created_at,
    updated_at: row.updated_at,
    slug: row.slug_key,
    title: row.title_key,
  };
  return [values[sort.replace("-", "") as keyof typeof values], row.public_id];
}

/** Whether a position read from a cursor can be one of this sort. */
export function isPositionOf(position: Position, sort: LinkSort): boolean {
  const [value, id] = position;
  if (typeof id !== "string") return false;
  if (sort === "title") return value === null || typeof value === "string";
  return typeof value === (sort === "slug" ? "string" : "number");
}

/** The rows behind a position. Text that is null comes last; ties are broken by the id, in the direction of the sort. */
function behind(position: Position, sort: LinkSort): SQL | undefined {
  const { descending, column } = sortOf(sort);
  const [value, id] = position;
  const later = descending ? sql.raw("<") : sql.raw(">");
  if (value === null) return and(isNull(column), sql`${links.public_id} > ${id}`);
  const following = sql`(${column}, ${links.public_id}) ${later} (${value}, ${id})`;
  return sort === "title" ? or(following, isNull(column)) : following;
}

/** A page of links: the rows behind `after`, or those behind the first `offset`. */
export const pageOfLinks =
  (
    workspaceId: number,
    filter: LinkFilter,
    sort: LinkSort,
    page: { after: Position | undefined; offset: number; limit: number },
  ): Statement<LinkRow[]> =>
  (orm) => {
    const { descending, column } = sortOf(sort);
    const direction = descending ? desc : asc;
    return selectLinks(orm)
      .where(
        and(matching(workspaceId, filter), page.after === undefined ? undefined : behind(page.after, sort)),
      )
      .orderBy(
        ...(sort === "title" ? [sql`${column} is null`] : []),
        direction(column),
        direction(links.public_id),
      )
      .limit(page.limit)
      .offset(page.after === undefined ? page.offset : 0);
  };
