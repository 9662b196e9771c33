import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { activityGroups, links, linkTags, linkTotals, tags } from "../../db/schema";
import { isIndexed, matches } from "../search";

// What a list is narrowed to, as SQL: by which index its links are found, and what is true of them.

type Status = "active" | "archived" | "all";

/** What names a tag or a group: an id in stored form, or the slug that it may be instead. */
interface Named {
  id: string;
  slug: string;
}

/** What a list is narrowed to; an undefined part is not asked for. */
export interface LinkFilter {
  status: Status;
  /** The link carries all of them. */
  tags: readonly Named[];
  group: Named | undefined;
  channel: string | undefined;
  slugKey: string | undefined;
  /** Folded text that the slug, title or destination contains. */
  search: string | undefined;
  /** Whether there is a search index. */
  indexed: boolean;
}

/** A filter whose links the workspace counts. */
export type Dimension = "tag" | "group" | "channel";

/** An index by which links are found: one filter's, or that of the list's own order. */
export type Index = Dimension | "search" | "slug" | "order";

export const dimensionsOf = ({ tags: wanted, group, channel }: LinkFilter): Dimension[] => [
  ...(wanted.length === 0 ? [] : (["tag"] as const)),
  ...(group === undefined ? [] : (["group"] as const)),
  ...(channel === undefined ? [] : (["channel"] as const)),
];

export const isSearched = ({ indexed, search }: LinkFilter): boolean =>
  indexed && search !== undefined && isIndexed(search);

/** The index of a list, or `choice` where the database has to choose one of several by what they hold. */
export function wayTo(filter: LinkFilter): Index | "choice" {
  const [dimension, another] = dimensionsOf(filter);
  const searched = isSearched(filter);
  if (filter.slugKey !== undefined) return "slug";
  if (dimension === undefined) return searched ? "search" : "order";
  return searched || another !== undefined || filter.tags.length > 1 ? "choice" : dimension;
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

/** The one tag of a list that has one. */
const tagOf = (workspaceId: number, { tags: [wanted] }: LinkFilter): SQL =>
  wanted === undefined ? sql`null` : byIdOrSlug(tags, workspaceId, wanted);

export const KEPT = {
  active: sql<number>`${linkTotals.active}`,
  archived: sql<number>`${linkTotals.archived}`,
  all: sql<number>`${linkTotals.active} + ${linkTotals.archived}`,
};

/** The row that keeps a filter's total. */
export const isKept = (workspaceId: number, dimension: Dimension, key: SQL): SQL | undefined =>
  and(
    eq(linkTotals.workspace_id, workspaceId),
    eq(linkTotals.kind, dimension),
    sql`${linkTotals.key} = cast(${key} as text)`,
  );

export const keyOf = (workspaceId: number, filter: LinkFilter, dimension: Dimension): SQL =>
  ({
    tag: tagOf(workspaceId, filter),
    group: groupOf(workspaceId, filter),
    channel: sql`${filter.channel ?? null}`,
  })[dimension];

/** Every named tag's row id, 0 for one that is none, and how many links carry it; the names are one parameter. */
export function wantedTags(workspaceId: number, { tags: named, status }: LinkFilter): SQL {
  const id = byIdOrSlug(tags, workspaceId, {
    id: sql`named.value ->> 'id'`,
    slug: sql`named.value ->> 'slug'`,
  });
  return sql`(select wanted.tag_id as tag_id, coalesce(${KEPT[status]}, 0) as size
    from (select distinct coalesce(${id}, 0) as tag_id from json_each(${JSON.stringify(named)}) as named) as wanted
    left join ${linkTotals} on ${isKept(workspaceId, "tag", sql`wanted.tag_id`)})`;
}

/** True where a link carries every one of the tags. */
const carriesAll = (wanted: SQL, link: SQLiteColumn): SQL =>
  sql`not exists (select 1 from ${wanted} as wanted where not exists
    (select 1 from ${linkTags} as carried where carried.link_id = ${link} and carried.tag_id = wanted.tag_id))`;

export const contains = (
  search: string,
  [slug, title, destination]: readonly [SQL, SQL, SQL],
): SQL | undefined => or(...[slug, title, destination].map((column) => sql`instr(${column}, ${search}) > 0`));

const TEXTS = [sql`${links.slug_key}`, sql`${links.title_key}`, sql`${links.destination_key}`] as const;

/** A column that an index is found by, or that is only looked at: the unary plus keeps it out of the choice. */
export const leading = (column: SQL, leads: boolean): SQL => (leads ? column : sql`+${column}`);

/** The columns that tell a link's status and its age, in the row by which it is found. */
export const foundAs = (index: Index) =>
  index === "tag"
    ? { archived: linkTags.link_archived, id: linkTags.link_public_id }
    : { archived: links.archived, id: links.public_id };

/** Whether an index has a link's status, and then its age. */
const isLed = (index: Index): boolean => index !== "slug" && index !== "search";

/** Whether an index has the links of a list by their age. */
export const isByAge = (index: Index, status: Status): boolean =>
  index === "order" || (isLed(index) && status !== "all");

/** What is true of a link's tags. In a choice they stand in the tables `wanted` and, without the rarest, `others`. */
function tagged(workspaceId: number, filter: LinkFilter, by: Index, inChoice: boolean): SQL | undefined {
  const { tags: named } = filter;
  if (by !== "tag") {
    return named.length === 0
      ? undefined
      : carriesAll(inChoice ? sql`wanted` : wantedTags(workspaceId, filter), links.id);
  }
  const tagId = inChoice
    ? sql`(select tag_id from wanted order by size limit 1)`
    : tagOf(workspaceId, filter);
  return and(
    eq(linkTags.workspace_id, workspaceId),
    eq(linkTags.tag_id, tagId),
    // Looked at in the tags' own index, before the link itself is.
    named.length > 1 ? carriesAll(sql`others`, linkTags.link_id) : undefined,
  );
}

/** What a list selects, found by one of its indexes; `inChoice` where the statement chooses among several. */
export function matching(
  workspaceId: number,
  filter: LinkFilter,
  by: Index,
  inChoice = false,
): SQL | undefined {
  const { status, group, channel, slugKey, search } = filter;
  const { archived } = foundAs(by);
  return and(
    sql`${leading(sql`${links.workspace_id}`, by !== "search")} = ${workspaceId}`,
    isNull(links.deleted_at),
    status === "all"
      ? undefined
      : sql`${leading(sql`${archived}`, isLed(by))} = ${status === "archived" ? 1 : 0}`,
    tagged(workspaceId, filter, by, inChoice),
    group === undefined
      ? undefined
      : sql`${leading(sql`${links.activity_group_id}`, by === "group")} = ${groupOf(workspaceId, filter)}`,
    channel === undefined ? undefined : sql`${leading(sql`${links.channel}`, by === "channel")} = ${channel}`,
    slugKey === undefined ? undefined : eq(links.slug_key, slugKey),
    search === undefined
      ? undefined
      : by === "search"
        ? matches(workspaceId, status, search)
        : contains(search, TEXTS),
  );
}
