import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { whereServed } from "../../../access/statements";
import type { Statement } from "../../../db/client";
import { type BoundList, boundList, fromList, inList, listed } from "../../../db/list";
import { orm, prepared } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { activityGroups } from "../../../db/schema/activity-groups";
import { domains } from "../../../db/schema/domains";
import { offlineAssets } from "../../../db/schema/engagement";
import { linkRules, links, slugs } from "../../../db/schema/links";
import type { SlugKey } from "../../../lib/slug-text";
import { whereHostBlocked } from "./blocked-host";

const ENDED_URL = sql`coalesce(${links.ended_url}, ${activityGroups.ended_url})`;
const ENDED_HOST = sql`iif(${links.ended_url} is not null, ${links.ended_host}, ${activityGroups.ended_host})`;

/** The domain of a slug, as a condition of a subquery. Few workspaces have one, and none is read for the short host. */
const ofDomain = sql`${domains.workspace_id} = ${slugs.workspace_id} and ${domains.host} = ${slugs.domain}
  and ${whereServed}`;

/** An address in the settings of a domain, unless its host is blocked. */
const setting = (url: SQLiteColumn, host: SQLiteColumn): SQL =>
  sql`(select ${url} from ${domains} where ${ofDomain} and not ${whereHostBlocked(sql`${host}`)})`;

/** A slug with everything that its redirect depends on. */
const targetColumns = {
  key: slugs.key,
  workspace_id: slugs.workspace_id,
  /** 1 for a slug that its link had before. */
  is_old: sql<number>`coalesce(${slugs.asset} is null and ${slugs.key} <> ${links.slug_key}, 0)`.as("is_old"),
  rev: slugs.rev,
  /** Public id of the link, or "" for a taken-down slug whose link is deleted. */
  link: sql<string | null>`coalesce(${links.public_id}, case when ${slugs.taken_down_at} is not null
    or ${slugs.slug} = '' and ${workspaces.suspended_at} is not null then '' end)`.as("link"),
  /** In the settings of a domain: where `/` leads. */
  destination_url: sql<string | null>`iif(${slugs.slug} = '', ${setting(domains.root_url, domains.root_host)},
    ${links.destination_url})`.as("target_url"),
  utm_source: links.utm_source,
  utm_medium: links.utm_medium,
  utm_campaign: links.utm_campaign,
  /** Public id of the asset whose code the slug is. */
  asset: slugs.asset,
  starts_at: links.starts_at,
  /** The link's own end, or that of its group. */
  ends_at: sql<
    number | null
  >`coalesce(${links.ends_at}, iif(${activityGroups.ends_links} = 1, ${activityGroups.ends_at}, null))`.as(
    "effective_ends_at",
  ),
  /** The link's own, or that of its group; null if its host is blocked. */
  ended_url: sql<string | null>`case when ${ENDED_URL} is not null and not ${whereHostBlocked(ENDED_HOST)}
    then ${ENDED_URL} end`.as("effective_ended_url"),
  /** The name of the asset whose code the slug is, if the workspace tells it to the destination's analytics. */
  asset_name: sql<string | null>`case when ${workspaces.scans_name_asset} = 1 and ${slugs.asset} is not null
    then (select ${offlineAssets.name} from ${offlineAssets} where ${offlineAssets.public_id} = ${slugs.asset}) end`.as(
    "asset_name",
  ),
  rules: links.rules,
  /** JSON: the places of the rules that are skipped, because their host is refused. */
  refused_rules: sql<
    string | null
  >`case when ${links.rules} is not null then (select json_group_array(${linkRules.position})
    from ${linkRules} where ${linkRules.workspace_id} = ${links.workspace_id} and ${linkRules.link_id} = ${links.id}
      and (${linkRules.host_check} = 'blocked' or ${whereHostBlocked(sql`${linkRules.destination_host}`)})) end`.as(
    "refused_rules",
  ),
  preview_title: links.preview_title,
  preview_text: links.preview_text,
  /** A picture on a blocked host is left out. */
  preview_image_url: sql<string | null>`case when ${links.preview_image_url} is not null
    and not ${whereHostBlocked(sql`${links.preview_image_host}`)} then ${links.preview_image_url} end`.as(
    "shown_image_url",
  ),
  /** What pages for visitors show of the workspace. */
  brand_name: sql<string | null>`iif(${workspaces.shows_name} = 1, ${workspaces.name}, null)`.as(
    "brand_name",
  ),
  brand_colour: sql<string | null>`${workspaces.colour}`.as("brand_colour"),
  /** 1 if the workspace is suspended, the link or slug is taken down, or the destination's host is blocked. */
  taken_down: sql<number>`${workspaces.suspended_at} is not null or ${links.taken_down_at} is not null
    or ${slugs.taken_down_at} is not null or ${whereHostBlocked(sql`${links.destination_host}`)}`.as(
    "is_down",
  ),
  /** 0 if its domain is not proved, or removed. */
  is_served: sql<number>`${slugs.domain} = '' or exists (select 1 from ${domains} where ${ofDomain})`.as(
    "is_served",
  ),
  /** In the settings of a domain: where unknown slugs lead. */
  not_found_url: sql<
    string | null
  >`iif(${slugs.slug} = '', ${setting(domains.not_found_url, domains.not_found_host)}, null)`.as(
    "not_found_url",
  ),
};

const joinWorkspace = eq(workspaces.id, slugs.workspace_id);
const joinLink = and(eq(links.workspace_id, slugs.workspace_id), eq(links.id, slugs.link_id));
const joinGroup = and(
  eq(activityGroups.workspace_id, links.workspace_id),
  eq(activityGroups.id, links.activity_group_id),
);

const slugTargets = (where: SQL | undefined) =>
  orm
    .select(targetColumns)
    .from(slugs)
    .innerJoin(workspaces, joinWorkspace)
    .leftJoin(links, joinLink)
    .leftJoin(activityGroups, joinGroup)
    .where(where);

export type SlugTargetRow = Awaited<ReturnType<typeof slugTargets>>[number];

/** Not limited to a workspace, because a visit names none. */
export const selectTargetOfSlug = prepared(
  (key: SlugKey): Statement<SlugTargetRow[]> => slugTargets(eq(slugs.key, key)),
);

const targetsOfList = (keys: BoundList, where?: SQL): Statement<SlugTargetRow[]> =>
  orm
    .select(targetColumns)
    .from(fromList(keys))
    .crossJoin(slugs)
    .innerJoin(workspaces, joinWorkspace)
    .leftJoin(links, joinLink)
    .leftJoin(activityGroups, joinGroup)
    .where(and(eq(slugs.key, listed()), where));

/** Not limited to a workspace, because the sweep is not. */
export const selectTargetsOfSlugs = prepared((keys: BoundList) => targetsOfList(keys));

/** The codes of assets. Each has one. */
export const selectTargetsOfCodes = (
  workspaceId: number,
  assets: readonly string[],
): Statement<SlugTargetRow[]> =>
  slugTargets(
    sql`${slugs.asset} in ${inList(boundList(assets))} and +${slugs.workspace_id} = ${workspaceId}`,
  );

const keysOfLink = (workspaceId: number, linkId: string, condition?: SQL) => {
  const rowId = sql`(select ${links.id} from ${links} where ${links.workspace_id} = ${workspaceId} and ${links.public_id} = ${linkId})`;
  return orm
    .select({ key: slugs.key })
    .from(slugs)
    .where(and(eq(slugs.workspace_id, workspaceId), eq(slugs.link_id, rowId), condition));
};

/** The keys of everything that opens a link: its slugs and the codes of its assets. */
export const selectKeysOfLink = prepared((workspaceId: number, linkId: string) =>
  keysOfLink(workspaceId, linkId),
);

/** The link's slugs without the codes of its assets. */
export const selectSlugsOfLink = prepared((workspaceId: number, linkId: string) =>
  keysOfLink(workspaceId, linkId, isNull(slugs.asset)),
);

/** Those of the given slugs that have no link. */
export const selectTombstones = prepared((workspaceId: number, keys: BoundList) =>
  // A unary plus stops SQLite from using an index on the column. The key finds the few slugs of a link.
  targetsOfList(keys, sql`+${slugs.workspace_id} = ${workspaceId} and +${slugs.link_id} is null`),
);

/** The links' slugs and codes with an outdated KV entry. `publicIds` are of links. */
export const selectSlugsToPush = prepared(
  (workspaceId: number, publicIds: BoundList): Statement<SlugTargetRow[]> =>
    slugTargets(sql`${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} in (select opened.id from ${links} as opened
      where opened.public_id in ${inList(publicIds)} and +opened.workspace_id = ${workspaceId})
      and +${slugs.push_at} is not null and ${slugs.pushed_rev} <> ${slugs.rev}`),
);
