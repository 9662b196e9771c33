import { sql } from "drizzle-orm";
import { abortUnless } from "../../../db/audit";
import { type BoundList, fromList, inList, listed, listedAs } from "../../../db/bound-list";
import { prepared } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { activityGroups } from "../../../db/schema/activity-groups";
import { auditLog } from "../../../db/schema/audit";
import { offlineAssets } from "../../../db/schema/engagement";
import { links, slugs } from "../../../db/schema/links";
import { tags } from "../../../db/schema/tags";
import { MAX_SLUGS_PER_WORKSPACE, MIN_SLUGS_PER_WORKSPACE, SLUGS_PER_LINK } from "../../../lib/slug-text";
import { MAX_SLUGS_OF_LINK } from "../../../redirect/slugs/slug-rules";

/** True while the links exist as they were read. A takedown does not change a version, so its time is compared too. */
export const ensureUnchanged = prepared((workspaceId: number, read: BoundList) => {
  const link = listedAs("id", "version", "takenDownAt");
  return abortUnless(sql`not exists (select 1 from ${fromList(read)} where not exists (select 1 from ${links}
      where ${links.id} = ${link.id} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
      and ${links.version} = ${link.version} and ${links.taken_down_at} is ${link.takenDownAt}))`);
});

/** True while the rows of tags exist and show the same tags as when they were read. */
export const ensureTagsUnchanged = prepared((workspaceId: number, read: BoundList) => {
  const row = listedAs("id", "shownTag");
  return abortUnless(sql`not exists (select 1 from ${fromList(read)} where not exists (select 1 from ${tags}
      where ${tags.id} = ${row.id} and +${tags.workspace_id} = ${workspaceId}
      and coalesce(${tags.replaced_by}, ${tags.id}) = ${row.shownTag}))`);
});

/**
 * True while each slug is unclaimed or belongs to this workspace or to a former one of its domain (and is not in doubt then), is no code of an asset, is
 * not taken down, and opens no other link. The link is null if it is new. A slug that is counted as a new claim must still be unclaimed.
 */
export const ensureSlugsFree = prepared((workspaceId: number, opened: BoundList) => {
  const slug = listedAs("key", "link", "isNewClaim");
  return abortUnless(sql`not exists (select 1 from ${fromList(opened)} cross join ${slugs} where ${slugs.key} = ${slug.key}
      and (${slug.isNewClaim} = 1 or ${slugs.workspace_id} <> ${workspaceId} and (${slugs.domain} = '' or ${slugs.link_id} is not null or ${slugs.doubt_until} is not null)
        or ${slugs.taken_down_at} is not null
        or ${slugs.asset} is not null or ${slugs.link_id} is not null and ${slugs.link_id} is not ${slug.link}))`);
});

/** True while each slug already opens its link, or the link has fewer slugs than its limit. */
export const ensureRoomInLinks = prepared((workspaceId: number, opened: BoundList) => {
  const slug = listedAs("key", "link");
  return abortUnless(sql`not exists (select 1 from ${fromList(opened)} where not exists (select 1 from ${slugs}
        where ${slugs.key} = ${slug.key} and ${slugs.link_id} = ${slug.link} and ${slugs.asset} is null)
      and (select count(*) from (select 1 from ${slugs} where ${slugs.workspace_id} = ${workspaceId}
        and ${slugs.link_id} = ${slug.link} and ${slugs.asset} is null limit ${MAX_SLUGS_OF_LINK})) = ${MAX_SLUGS_OF_LINK})`);
});

/** The limit of slugs, as `slugLimit` computes it. */
const SLUG_LIMIT = sql`min(max(coalesce(${workspaces.link_limit}, ${MAX_SLUGS_PER_WORKSPACE}) * ${SLUGS_PER_LINK},
  ${MIN_SLUGS_PER_WORKSPACE}), ${MAX_SLUGS_PER_WORKSPACE})`;

export const ensureRoom = prepared((workspaceId: number, created: number, claimed: number) =>
  abortUnless(sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId}
      and (${created} = 0 or ${workspaces.link_limit} is null
        or ${workspaces.active_links} + ${workspaces.archived_links} + ${created} <= ${workspaces.link_limit})
      and (${claimed} = 0 or ${workspaces.slug_claims} + ${claimed} <= ${SLUG_LIMIT}))`),
);

export const ensureOnNoLiveAsset = prepared((workspaceId: number, ids: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.link_id} in ${inList(ids)} and ${offlineAssets.status} = 'live')`),
);

/** True while no link ends with any of the groups. A change of that marks only the links that a group has then. */
export const ensureGroupsEndNoLinks = prepared((workspaceId: number, ids: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${activityGroups} where ${activityGroups.id} in ${inList(ids)}
      and +${activityGroups.workspace_id} = ${workspaceId} and ${activityGroups.ends_links} = 1)`),
);

export const ensureNotDone = prepared((operationIds: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${fromList(operationIds)}
    cross join ${auditLog} where ${auditLog.operation_id} = ${listed()})`),
);
