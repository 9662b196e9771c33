import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/bound-list";
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
  URL_FIELDS,
} from "../../lib/link-fields";
import type { SlugKey } from "../../lib/slug-text";
import { ENDED_HOST, whereHostBlocked } from "../../redirect/slugs/statements/blocked-host";
import { type ShownTag, tagJson } from "../tags/tag-statements";
import { joinGroup, whereIds } from "./link-statements";

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

/** Selects links with group, tags and visits. The end of the query must exclude deleted links. */
export const selectLinks = withEnd(
  orm.select(columns).from(links).leftJoin(activityGroups, joinGroup),
  (row) => Object.assign(row as Omit<typeof row, "tags">, { tags: toTagsInLink(row.tags) }),
);

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

export const selectLinksByIds = (workspaceId: number, ids: readonly string[]) =>
  selectLinks(whereIds(workspaceId, ids));

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
