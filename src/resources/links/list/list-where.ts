import { and, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { boundList, fromList, inList, listed } from "../../../db/bound-list";
import { activityGroups } from "../../../db/schema/activity-groups";
import { destinationHealth } from "../../../db/schema/destinations";
import { importRows, imports } from "../../../db/schema/imports";
import { links, slugs } from "../../../db/schema/links";
import { linkTags, tags } from "../../../db/schema/tags";
import { VALUE_FIELD_NAMES } from "../../../lib/link-fields";
import { SHORT_HOST } from "../../../lib/slug-text";
import { whereActor } from "../../audit/audit-statements";
import { selectRowsOfTag } from "../../tags/tag-statements";
import type { LinkFilter, Named, Word } from "./list-filter";

/** The row id of a tag or group, or null. An id takes precedence over a slug. */
export function selectRowId(
  table: typeof tags | typeof activityGroups,
  workspaceId: number,
  named: Named | { id: SQL; slug: SQL },
): SQL {
  if ("rowId" in named) return sql`${named.rowId}`;
  return sql`coalesce(
    (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.public_id} = ${named.id}),
    (select ${table.id} from ${table} where ${table.workspace_id} = ${workspaceId} and ${table.slug} = ${named.slug}))`;
}

/** Links with all of the tags. Several tags are known by their row ids, and are one parameter. */
function whereHasTags(workspaceId: number, wanted: readonly Named[]): SQL | undefined {
  const has = (tagId: SQL) => sql`exists (select 1 from ${linkTags} as own
    where own.link_id = ${links.id} and own.tag_id in (${selectRowsOfTag(tagId)}))`;
  const [only, ...others] = wanted;
  if (others.length === 0) return only && has(selectRowId(tags, workspaceId, only));
  const rowIds = wanted.map((tag) => ("rowId" in tag ? tag.rowId : null));
  return sql`not exists (select 1 from json_each(${JSON.stringify(rowIds)}) as wanted where not ${has(sql`wanted.value`)})`;
}

/** Always one parameter, since there is a list for each word and D1 allows 100 parameters. */
export const inIds = (ids: readonly number[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;

/**
 * The links that have the word in their text, or in the name of a tag or of their group. The unary plus reads the few
 * tags of a link, where SQLite would look for each of the named tags.
 */
const whereHasWord = ({ text, tagIds, groupIds }: Word): SQL | undefined =>
  or(
    tagIds.length === 0
      ? undefined
      : sql`exists (select 1 from ${linkTags} as own where own.link_id = ${links.id} and +own.tag_id in ${inIds(tagIds)})`,
    groupIds.length === 0 ? undefined : sql`${links.activity_group_id} in ${inIds(groupIds)}`,
    sql`instr(${links.folded_slug} || char(10) || coalesce(${links.title_key}, '') || char(10) || ${links.destination_key}
      || char(10) || coalesce(${links.plain_text}, ''), ${text}) > 0`,
  );

const whereMeant = ({ words = [], link }: LinkFilter): SQL | undefined =>
  or(link === undefined ? undefined : eq(links.id, link), and(...words.map(whereHasWord)));

const whereContains = (text: string): SQL | undefined =>
  or(
    ...[links.folded_slug, links.title_key, links.destination_key].map(
      (column) => sql`instr(${column}, ${text}) > 0`,
    ),
  );

const whereOpenedBy = (workspaceId: number, wanted: readonly string[]): SQL =>
  sql`${links.id} in (select ${slugs.link_id} from ${fromList(boundList(wanted))} cross join ${slugs}
    where ${slugs.workspace_id} = ${workspaceId} and ${slugs.slug} = ${listed()} and ${slugs.asset} is null)`;

const whereImported = (workspaceId: number, id: string): SQL =>
  sql`${links.public_id} in (select ${importRows.link} from ${importRows} where ${importRows.import_id} =
    (select ${imports.id} from ${imports} where ${imports.workspace_id} = ${workspaceId} and ${imports.public_id} = ${id}))`;

/** No text in UTF-8 has the byte 255, so with it the prefix is behind all texts that begin with it. */
const whereBeginsWith = (column: SQLiteColumn, prefix: string): SQL =>
  sql`${column} >= ${prefix} and ${column} < ${prefix} || cast(x'ff' as text)`;

const whereBroken = sql`exists (select 1 from ${destinationHealth}
  where ${destinationHealth.url} = ${links.destination_url} and ${destinationHealth.state} = 'broken')`;

/** As `windowStateAt` says of a link in its group. */
function whereWindow({ state, at }: NonNullable<LinkFilter["window"]>): SQL {
  if (state === "early") return sql`${links.starts_at} > ${at}`;
  const endOfGroup = sql`(select ${activityGroups.ends_at} from ${activityGroups}
    where ${activityGroups.id} = ${links.activity_group_id} and ${activityGroups.ends_links} = 1)`;
  return sql`coalesce(${links.starts_at}, 0) <= ${at} and coalesce(${links.ends_at}, ${endOfGroup}) <= ${at}`;
}

export const ARCHIVED = { active: sql`(0)`, archived: sql`(1)`, all: sql`(0, 1)` };

/** The links that pass every filter. `id` is the column of their id in what is read first. */
export function whereLinks(workspaceId: number, filter: LinkFilter, id: SQLiteColumn): SQL | undefined {
  const { status, group, domain, created } = filter;
  const optional = <T>(value: T | undefined, where: (value: T) => SQL | undefined) =>
    value === undefined ? undefined : where(value);
  return and(
    eq(links.workspace_id, workspaceId),
    isNull(links.deleted_at),
    status === "all" ? undefined : sql`${links.archived} in ${ARCHIVED[status]}`,
    whereHasTags(workspaceId, filter.tags),
    optional(
      group,
      (named) => sql`${links.activity_group_id} = ${selectRowId(activityGroups, workspaceId, named)}`,
    ),
    ...VALUE_FIELD_NAMES.map((name) => optional(filter[name], (value) => eq(links[name], value))),
    optional(domain, (host) => (host === SHORT_HOST ? isNull(links.domain) : eq(links.domain, host))),
    optional(created, ([from, before]) => sql`${id} >= ${from} and ${id} < ${before}`),
    optional(filter.created_by, (creator) => whereActor(links.created_by, creator)),
    optional(filter.import, (one) => whereImported(workspaceId, one)),
    optional(filter.slug, (wanted) => whereOpenedBy(workspaceId, wanted)),
    optional(filter.external_id, (wanted) => sql`${links.external_id} in ${inList(boundList(wanted))}`),
    optional(filter.external_id_prefix, (prefix) => whereBeginsWith(links.external_id, prefix)),
    optional(filter.broken, () => whereBroken),
    optional(filter.taken_down, () => isNotNull(links.taken_down_at)),
    optional(filter.window, whereWindow),
    optional(filter.q, whereContains),
    whereMeant(filter),
  );
}
