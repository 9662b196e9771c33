import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { boundList, fromList, inList, listed } from "../../../db/bound-list";
import { activityGroups } from "../../../db/schema/activity-groups";
import { destinationHealth } from "../../../db/schema/destinations";
import { importRows, imports } from "../../../db/schema/imports";
import { links, linkTotals, slugs } from "../../../db/schema/links";
import { linkTags, tags } from "../../../db/schema/tags";
import { VALUE_FIELD_NAMES } from "../../../lib/link-fields";
import { SHORT_HOST } from "../../../lib/slug-text";
import { selectRowsOfTag } from "../../tags/tag-statements";
import { type Index, UNORDERED } from "./indexes";
import type { LinkFilter, Named, Word } from "./list-filter";
import { whereMatchesFilter } from "./matches";

/** The row id of a tag or group, or null. An id takes precedence over a slug. */
export function selectRowId(
  table: typeof tags | typeof activityGroups,
  workspaceId: number,
  named: Named | { id: SQL; slug: SQL } | undefined,
): SQL {
  if (named === undefined) return sql`null`;
  if ("rowId" in named) return sql`${named.rowId}`;
  return sql`coalesce(
    (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.public_id} = ${named.id}),
    (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.slug} = ${named.slug}))`;
}

/** The stored total of a tag, a group, a value or a domain. */
export const whereTotal = (workspaceId: number, kind: SQL, key: SQL): SQL | undefined =>
  and(
    eq(linkTotals.workspace_id, workspaceId),
    eq(linkTotals.kind, kind),
    sql`${linkTotals.key} = cast(${key} as text)`,
  );

/** A unary plus prevents SQLite from using an index of the column. */
export const indexable = (column: SQL, isIndexable: boolean): SQL => (isIndexable ? column : sql`+${column}`);

/** Where links are read from: an index, or the row ids of links that were looked up before. */
export type From = Index | "candidates";

/** The columns of a link's status and id in the table that an index reads first. */
export const columnsIn = (from: From) =>
  from === "tag"
    ? { archived: linkTags.link_archived, id: linkTags.link_public_id }
    : { archived: links.archived, id: links.public_id };

/** The links that contain a folded text, without the search index. */
const whereContains = (search: string): SQL | undefined =>
  or(
    ...[links.folded_slug, links.title_key, links.destination_key].map(
      (column) => sql`instr(${column}, ${search}) > 0`,
    ),
  );

/** Links with all of the tags. Several tags are known by their row ids, and are one parameter. */
function whereHasTags(
  workspaceId: number,
  { tags: wanted, isMerging }: Pick<LinkFilter, "tags" | "isMerging">,
  linkId: SQLiteColumn,
): SQL | undefined {
  const has = (tagId: SQL) =>
    sql`exists (select 1 from ${linkTags} as own where own.link_id = ${linkId}
      and ${isMerging ? sql`own.tag_id in (${selectRowsOfTag(tagId)})` : sql`own.tag_id = ${tagId}`})`;
  const [only, ...others] = wanted;
  if (others.length === 0) return only && has(selectRowId(tags, workspaceId, only));
  const rowIds = wanted.map((tag) => ("rowId" in tag ? tag.rowId : null));
  return sql`not exists (select 1 from json_each(${JSON.stringify(rowIds)}) as wanted where not ${has(sql`wanted.value`)})`;
}

function whereTagged(workspaceId: number, filter: LinkFilter, index: From): SQL | undefined {
  if (index !== "tag") return whereHasTags(workspaceId, filter, links.id);
  const [first, ...others] = filter.tags;
  return and(
    eq(linkTags.workspace_id, workspaceId),
    eq(linkTags.tag_id, selectRowId(tags, workspaceId, first)),
    // The id in `link_tags`, so that a link's own row is read only if the link has the other tags.
    whereHasTags(workspaceId, { ...filter, tags: others }, linkTags.link_id),
  );
}

function whereSearched(workspaceId: number, filter: LinkFilter, from: From): SQL | undefined {
  if (from === "search") return whereMatchesFilter(workspaceId, filter);
  return filter.search === undefined ? undefined : whereContains(filter.search);
}

/** Always one parameter, since there is a list for each word and D1 allows 100 parameters. */
export const inIds = (ids: readonly number[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** The links that have the word in their text, without regard to accents. The text is one parameter, since there are many. */
const whereHasText = (word: string): SQL =>
  sql`instr(${links.folded_slug} || char(10) || coalesce(${links.title_key}, '') || char(10) || ${links.destination_key}
    || char(10) || coalesce(${links.plain_text}, ''), ${word}) > 0`;

/**
 * The links that have the word in their text, or in the name of a tag or of their group. The unary plus reads the few
 * tags of a link, where SQLite would look for each of the named tags.
 */
const whereHasWord = ({ text, tagIds, groupIds }: Word): SQL | undefined =>
  or(
    tagIds.length === 0
      ? undefined
      : sql`exists (select 1 from ${linkTags} as own where own.link_id = ${links.id} and +own.tag_id in ${inIds(tagIds)})`,
    groupIds.length === 0 ? undefined : sql`+${links.activity_group_id} in ${inIds(groupIds)}`,
    whereHasText(text),
  );

/** The links that a search means: the one that the text names, and those with all words. */
function whereMeant({ words, exactId }: LinkFilter, from: From): SQL | undefined {
  const isExact = sql`${links.id} = ${exactId}`;
  if (from === "link") return isExact;
  return words.length === 0 ? undefined : or(isExact, and(...words.map(whereHasWord)));
}

function whereDomain(domain: string | undefined, index: From): SQL | undefined {
  if (domain === undefined) return undefined;
  if (domain === SHORT_HOST) return isNull(links.domain);
  return sql`${indexable(sql`${links.domain}`, index === "domain")} = ${domain}`;
}

/** The links that one of the slugs opens, on any domain. */
const whereOpenedBy = (workspaceId: number, wanted: readonly string[]): SQL =>
  sql`${links.id} in (select ${slugs.link_id} from ${fromList(boundList(wanted))} cross join ${slugs}
    where ${slugs.workspace_id} = ${workspaceId} and ${slugs.slug} = ${listed()} and ${slugs.asset} is null)`;

/** No text in UTF-8 has the byte 255, so with it the prefix is behind all texts that begin with it. */
const whereBeginsWith = (column: SQL, prefix: string): SQL =>
  sql`${column} >= ${prefix} and ${column} < ${prefix} || cast(x'ff' as text)`;

/** The links whose external id has the prefix, found by the index of external ids. */
export const wherePrefixed = (workspaceId: number, { status, externalIdPrefix }: LinkFilter) =>
  and(
    eq(links.workspace_id, workspaceId),
    isNull(links.deleted_at),
    sql`${links.archived} in ${ARCHIVED[status]}`,
    whereBeginsWith(sql`${links.external_id}`, externalIdPrefix ?? ""),
  );

/** The links that an import made. Its rows are found by the import alone. */
function whereImported(workspaceId: number, id: string, index: From): SQL {
  const importId = sql`(select ${imports.id} from ${imports}
    where ${imports.workspace_id} = ${workspaceId} and ${imports.public_id} = ${id})`;
  if (index === "import") return sql`${importRows.import_id} = ${importId}`;
  return sql`+${links.public_id} in (select made.link from ${importRows} as made where made.import_id = ${importId})`;
}

/** The links that somebody created, or that were created in a time. */
function whereCreated({ createdBy, created }: LinkFilter, from: From): SQL | undefined {
  const id = indexable(sql`${columnsIn(from).id}`, !UNORDERED.has(from));
  return and(
    createdBy === undefined ? undefined : eq(links.created_by, createdBy),
    created && sql`${id} >= ${created[0]} and ${id} < ${created[1]}`,
  );
}

/** The links whose destination is broken. */
const whereBroken = (): SQL => sql`exists (select 1 from ${destinationHealth}
  where ${destinationHealth.url} = ${links.destination_url} and ${destinationHealth.state} = 'broken')`;

const ARCHIVED = { active: sql`(0)`, archived: sql`(1)`, all: sql`(0, 1)` };

/** Where links are found by their row ids, or by public ids. */
const WITHOUT_WORKSPACE: ReadonlySet<From> = new Set(["candidates", "search", "import", "slug", "link"]);
const WITHOUT_STATUS: ReadonlySet<From> = new Set([...WITHOUT_WORKSPACE, "external_id", "taken_down"]);

/** The links that pass every filter, found by one index or among candidates. */
export function whereLinks(workspaceId: number, filter: LinkFilter, index: From): SQL | undefined {
  const { status, group, domain, slugs: wanted, externalIds, externalIdPrefix } = filter;
  const externalId = (one: Index) => indexable(sql`${links.external_id}`, index === one);
  return and(
    sql`${indexable(sql`${links.workspace_id}`, !WITHOUT_WORKSPACE.has(index))} = ${workspaceId}`,
    isNull(links.deleted_at),
    status === "all" && index !== "external_id_prefix"
      ? undefined
      : sql`${indexable(sql`${columnsIn(index).archived}`, !WITHOUT_STATUS.has(index))} in ${ARCHIVED[status]}`,
    whereTagged(workspaceId, filter, index),
    group === undefined
      ? undefined
      : sql`${indexable(sql`${links.activity_group_id}`, index === "group")} = ${selectRowId(activityGroups, workspaceId, group)}`,
    ...VALUE_FIELD_NAMES.map((name) =>
      filter[name] === undefined
        ? undefined
        : sql`${indexable(sql`${links[name]}`, index === name)} = ${filter[name]}`,
    ),
    whereDomain(domain, index),
    filter.importId === undefined ? undefined : whereImported(workspaceId, filter.importId, index),
    whereCreated(filter, index),
    wanted && whereOpenedBy(workspaceId, wanted),
    externalIds && sql`${externalId("external_id")} in ${inList(boundList(externalIds))}`,
    externalIdPrefix === undefined
      ? undefined
      : whereBeginsWith(externalId("external_id_prefix"), externalIdPrefix),
    filter.isBroken ? whereBroken() : undefined,
    filter.isTakenDown ? sql`${links.taken_down_at} is not null` : undefined,
    whereSearched(workspaceId, filter, index),
    whereMeant(filter, index),
  );
}
