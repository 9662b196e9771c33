import { and, type Column, eq, isNull, type SQL, sql } from "drizzle-orm";
import { boundList, fromList, inList, listed } from "../../db/bound-list";
import { columnsAs, whereOwn } from "../../db/columns";
import { orm, prepared, withEnd } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";
import { linkTags, tags } from "../../db/schema/tags";
import {
  DAY_FIELDS,
  eachField,
  eachTextField,
  FORM_FIELDS,
  MOMENT_FIELDS,
  TEXT_FIELDS,
  URL_FIELDS,
  type ValueFieldName,
} from "../../lib/link-fields";
import type { SlugKey } from "../../lib/slug-text";
import { ENDED_HOST, whereHostBlocked } from "../../redirect/slugs/statements/blocked-host";
import { type ShownTag, tagJson } from "../tags/tag-statements";

const groupColumns = {
  id: activityGroups.id,
  public_id: activityGroups.public_id,
  name: activityGroups.name,
  slug: activityGroups.slug,
  type: activityGroups.type,
  status: activityGroups.status,
  default_utm_campaign: activityGroups.default_utm_campaign,
  ends_at: activityGroups.ends_at,
  ended_url: activityGroups.ended_url,
  ends_links: activityGroups.ends_links,
};

/** A column of the tag that a link shows for its row `own`: that of `target` while it is being merged. */
const shown = (column: string): SQL =>
  sql.raw(`iif(own.replaced_by is null, own.${column}, target.${column})`);

/** Unordered. */
export const selectTagsJson = sql`select json_group_array(json_object('row', own.id, 'id', ${shown("id")}, 'public_id', ${shown("public_id")},
    ${tagJson(shown)})) as json
    from ${linkTags} cross join ${tags} as own on own.id = ${linkTags.tag_id}
    left join ${tags} as target on target.id = own.replaced_by
    where ${linkTags.link_id} = ${links.id} and (own.replaced_by is null or target.id is not null)`;

export const columns = {
  id: links.id,
  version: links.version,
  public_id: links.public_id,
  slug: links.slug,
  slug_key: links.slug_key,
  folded_slug: links.folded_slug,
  domain: sql<string>`coalesce(${links.domain}, '')`.as("domain"),
  destination_url: links.destination_url,
  title_key: links.title_key,
  ...eachTextField((name) => links[name]),
  utm_campaign: links.utm_campaign,
  utm_campaign_origin: links.utm_campaign_origin,
  ...eachField(MOMENT_FIELDS, (name) => links[name]),
  ...eachField(DAY_FIELDS, (name) => links[name]),
  ...eachField(URL_FIELDS, (name) => links[name]),
  rules: links.rules,
  ...eachField(FORM_FIELDS, (name) => links[name]),
  archived_at: links.archived_at,
  hostCheck: links.host_check,
  check_at: links.check_at,
  taken_down_at: links.taken_down_at,
  taken_down_by: links.taken_down_by,
  clicks_before: links.clicks_before,
  created_at: links.created_at,
  created_by: links.created_by,
  updated_at: links.updated_at,
  group: columnsAs(groupColumns),
  /** What a link keeps of its visits. A write must not set it, so it is in no state of a link. */
  visitTotals: columnsAs({
    clicks: links.clicks,
    scans: links.scans,
    last_visit_at: links.last_visit_at,
  }),
  tags: sql<string>`(${selectTagsJson})`,
};

export const joinGroup = and(
  eq(activityGroups.workspace_id, links.workspace_id),
  eq(activityGroups.id, links.activity_group_id),
);

/** Selects links with group, tags and visits. The end of the query must exclude deleted links. */
export const selectLinks = withEnd(
  orm.select(columns).from(links).leftJoin(activityGroups, joinGroup),
  (row) => Object.assign(row as Omit<typeof row, "tags">, { tags: toTagsInLink(row.tags) }),
);

/**
 * How many characters a link takes at most where it is read as a whole: its columns, its tags, of which each has some 600, its slugs
 * and the address of its group.
 */
const LONG_COLUMNS = ["rules", ...Object.keys({ ...TEXT_FIELDS, ...URL_FIELDS, ...FORM_FIELDS })];
const linkSize = sql.raw(`600 + length(links.destination_url)
  + ${LONG_COLUMNS.map((name) => `ifnull(length(links.${name}), 0)`).join(" + ")}
  + 600 * (select count(*) from link_tags where link_tags.link_id = links.id)
  + (select ifnull(sum(60 + length(slugs.key)), 0) from slugs
    where slugs.workspace_id = links.workspace_id and slugs.link_id = links.id)
  + ifnull((select length(activity_groups.ended_url) from activity_groups
    where activity_groups.id = links.activity_group_id), 0)`) as SQL<number>;

/** What entries of links lead back to, and how many characters each takes with its link. */
export const selectOutlines = (entries: SQL) =>
  orm.all<{
    subject: string;
    activity_group_id: string | null;
    tag_ids: string | null;
    size: number;
  }>(sql`select
      subject, before ->> 'activity_group_id' as activity_group_id, before -> 'tag_ids' as tag_ids,
      ifnull(length(before), 0) + ifnull(length(change), 0) + ifnull(length(next_change), 0)
        + ifnull((select ${linkSize} from ${links} where ${links.public_id} = entry.subject), 0) as size
    from (${entries}) as entry`);

const placeColumns = {
  public_id: links.public_id,
  slug: links.slug,
  folded_slug: links.folded_slug,
  title_key: links.title_key,
  created_at: links.created_at,
  updated_at: links.updated_at,
  visitTotals: columnsAs({ clicks: links.clicks, scans: links.scans }),
};

export const selectLinkSizes = withEnd(
  orm.select({ ...placeColumns, size: linkSize.as("size") }).from(links),
);

/** A value of the group with which the links of the group end, if they do. */
const ofGroupOfEnd = <T>(column: Column) =>
  sql<T | null>`(select ${column} from ${activityGroups} where ${joinGroup} and ${activityGroups.ends_links} = 1)`;

/** What a preview of a change of many links reads of them. */
export const selectPreviewed = withEnd(
  orm
    .select({
      ...placeColumns,
      destination_url: links.destination_url,
      ...eachField(MOMENT_FIELDS, (name) => links[name]),
      ...eachField(DAY_FIELDS, (name) => links[name]),
      group_ends_at: ofGroupOfEnd<number>(activityGroups.ends_at).as("group_ends_at"),
      group_ends_on: ofGroupOfEnd<string>(activityGroups.ends_on).as("group_ends_on"),
    })
    .from(links),
);

export type LinkSize = ReturnType<typeof selectLinkSizes>["rows"][number];
export type MeasuredLink = Pick<LinkSize, "public_id" | "size">;

type SelectedRow = ReturnType<typeof selectLinks>["rows"][number];

export interface TagInLink extends ShownTag {
  id: number;
  /** The row ids that the link has for it, if not its own alone: those of tags that are being merged into it too. */
  rows?: readonly number[];
}

export function toTagsInLink(json: string): readonly TagInLink[] {
  const read: readonly (TagInLink & { row: number })[] = JSON.parse(json);
  const shown = new Map<number, TagInLink & { rows: number[] }>();
  for (const { row, ...tag } of read) {
    const known = shown.get(tag.id);
    if (known === undefined) shown.set(tag.id, { ...tag, rows: [row] });
    else known.rows.push(row);
  }
  return [...shown.values()];
}

export type GroupInLink = SelectedRow["group"];

/** A link's row; the columns of `group` are null if it has none. */
export type LinkRow = Omit<SelectedRow, "group"> & {
  group: GroupInLink | { [Column in keyof GroupInLink]: null };
};

/** A link to be written; a new one has no row id yet. */
export type LinkState = Omit<LinkRow, "id" | "slug_key" | "folded_slug" | "title_key" | "visitTotals">;

export const findGroup = ({ group }: Pick<LinkRow, "group">): GroupInLink | undefined =>
  group.public_id === null ? undefined : group;

export const NO_GROUP: LinkRow["group"] = eachField(groupColumns, () => null);

const whereLink = (workspaceId: number, id: string): SQL | undefined =>
  and(whereOwn(links, workspaceId, id), isNull(links.deleted_at));

export const selectLink = prepared((workspaceId: number, id: string) =>
  selectLinks(sql`where ${whereLink(workspaceId, id)}`),
);

const linkIdAt = (workspaceId: number, keys: readonly SlugKey[]): SQL =>
  sql`(select ${slugs.link_id} from ${fromList(boundList(keys))} cross join ${slugs} on ${slugs.key} = ${listed()}
    where ${slugs.workspace_id} = ${workspaceId} and ${slugs.asset} is null and ${slugs.link_id} is not null limit 1)`;

export const selectLinkAt = (workspaceId: number, keys: readonly SlugKey[]) =>
  selectLinks(sql`where ${links.id} = ${linkIdAt(workspaceId, keys)} and +${links.workspace_id} = ${workspaceId}
    and ${links.deleted_at} is null`);

export const countSlugsOfLinkAt = (workspaceId: number, keys: readonly SlugKey[]) =>
  orm.all<{
    slugs: number;
  }>(sql`select count(*) as slugs from ${slugs} where ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.link_id} = ${linkIdAt(workspaceId, keys)} and ${slugs.asset} is null`);

const whereIds = (workspaceId: number, ids: readonly string[]): SQL =>
  sql`where ${links.public_id} in ${inList(boundList(ids))} and +${links.workspace_id} = ${workspaceId}
    and ${links.deleted_at} is null`;

export const selectLinksByIds = (workspaceId: number, ids: readonly string[]) =>
  selectLinks(whereIds(workspaceId, ids));

export const selectSizesAfter = (workspaceId: number, id: string, most: number) =>
  selectLinkSizes(sql`where ${links.workspace_id} = ${workspaceId} and ${links.public_id} > ${id}
    and ${links.deleted_at} is null order by ${links.public_id} limit ${most}`);

export const selectPreviewedByIds = (workspaceId: number, ids: readonly string[]) =>
  selectPreviewed(whereIds(workspaceId, ids));

export const selectSizesByIds = (workspaceId: number, ids: readonly string[]) =>
  selectLinkSizes(whereIds(workspaceId, ids));

export const selectLinksWithValues = (
  workspaceId: number,
  field: ValueFieldName,
  values: readonly string[],
  most: number,
) =>
  orm.all<MeasuredLink>(sql`select ${links.public_id}, ${linkSize} as size from ${fromList(boundList(values))} cross join ${links}
    where ${links.workspace_id} = ${workspaceId} and ${links[field]} = ${listed()} and ${links.deleted_at} is null
    limit ${most}`);

/** The live Offline Engagement assets that carry the link, the oldest first. */
export const selectLiveAssets = prepared((workspaceId: number, id: string) =>
  orm
    .select({ id: offlineAssets.public_id, name: offlineAssets.name })
    .from(offlineAssets)
    .where(
      and(
        eq(offlineAssets.workspace_id, workspaceId),
        sql`${offlineAssets.link_id} = (select ${links.id} from ${links} where ${whereLink(workspaceId, id)})`,
        eq(offlineAssets.status, "live"),
      ),
    )
    .orderBy(offlineAssets.id),
);

/** The reasons that prevent redirects: a takedown, or 1 for a blocked host of the destination or of `ended_url`. */
export const selectBlocking = (workspaceId: number, id: string) =>
  orm
    .select({
      taken_down_by: links.taken_down_by,
      blocked: sql<number>`${sql.raw(whereHostBlocked("links.destination_host"))}`.as("blocked"),
      ended_blocked: sql<number>`${sql.raw(whereHostBlocked(ENDED_HOST))}`.as("ended_blocked"),
    })
    .from(links)
    .leftJoin(activityGroups, joinGroup)
    .where(whereLink(workspaceId, id));
