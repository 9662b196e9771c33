import { sql } from "drizzle-orm";
import { abortUnless } from "../../../db/audit";
import type { Guard } from "../../../db/client";
import { type BoundList, fromList, inList, listed } from "../../../db/list";
import { prepared } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { auditLog } from "../../../db/schema/audit";
import { offlineAssets } from "../../../db/schema/engagement";
import { links, slugs } from "../../../db/schema/links";
import { tags } from "../../../db/schema/tags";
import type { SlugKey } from "../../../lib/slug-text";
import { MAX_SLUGS_OF_LINK } from "../../../redirect/slugs/errors";
import type { LinkRow, TagInLink } from "../repository";

const ensureRowsUnchanged = prepared((workspaceId: number, rows: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${fromList(rows)} where not exists (select 1 from ${links}
      where ${links.id} = ${listed(0)} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
      and ${links.version} = ${listed(1)} and ${links.taken_down_at} is ${listed(2)}))`),
);

/**
 * True while these links exist with the versions and takedowns that were read. A takedown does not change a version.
 */
export const ensureUnchanged = (
  workspaceId: number,
  read: readonly Pick<LinkRow, "id" | "version" | "taken_down_at">[],
): Guard =>
  ensureRowsUnchanged(
    workspaceId,
    read.map(({ id, version, taken_down_at: at }) => [id, version, at]),
  );

const ensureTagsShown = prepared((workspaceId: number, rows: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${fromList(rows)} where not exists (select 1 from ${tags}
      where ${tags.id} = ${listed(0)} and +${tags.workspace_id} = ${workspaceId}
      and coalesce(${tags.replaced_by}, ${tags.id}) = ${listed(1)}))`),
);

/** True while these tags exist, and the rows of tags that are being merged still show the tags that were read. */
export const ensureTagsUnchanged = (workspaceId: number, shown: readonly TagInLink[]): Guard =>
  ensureTagsShown(workspaceId, [
    ...new Map(shown.flatMap(({ id, rows = [id] }) => rows.map((row) => [row, [row, id]] as const))).values(),
  ]);

/** A slug that a link is about to open; `link` is its row id, null for a new link. */
interface SlugToOpen {
  key: SlugKey;
  link: number | null;
  /** Whether it was unclaimed when the rules were checked. */
  isUnclaimed: boolean;
}

const ensureRowsFree = prepared((workspaceId: number, rows: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${fromList(rows)} cross join ${slugs} where ${slugs.key} = ${listed(0)}
      and (${listed(2)} = 1 or ${slugs.workspace_id} <> ${workspaceId} and (${slugs.domain} = '' or ${slugs.link_id} is not null)
        or ${slugs.taken_down_at} is not null
        or ${slugs.asset} is not null or ${slugs.link_id} is not null and ${slugs.link_id} is not ${listed(1)}))`),
);

/**
 * True while each slug is unclaimed or belongs to this workspace or to a former one of its domain, is no code of an asset, is not taken down, and opens no
 * other link. A slug counted as a new claim must still be unclaimed.
 */
export const ensureSlugsFree = (workspaceId: number, opened: readonly SlugToOpen[]): Guard =>
  ensureRowsFree(
    workspaceId,
    opened.map(({ key, link, isUnclaimed }) => [key, link, isUnclaimed ? 1 : 0]),
  );

const ensureRoomInLinks = prepared((workspaceId: number, rows: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${fromList(rows)} where not exists (select 1 from ${slugs}
        where ${slugs.key} = ${listed(0)} and ${slugs.link_id} = ${listed(1)} and ${slugs.asset} is null)
      and (select count(*) from (select 1 from ${slugs} where ${slugs.workspace_id} = ${workspaceId}
        and ${slugs.link_id} = ${listed(1)} and ${slugs.asset} is null limit ${MAX_SLUGS_OF_LINK})) = ${MAX_SLUGS_OF_LINK})`),
);

/** True while each slug already opens its link, or the link has fewer slugs than its limit. */
export const ensureRoomForSlugs = (
  workspaceId: number,
  opened: readonly { key: SlugKey; link: number }[],
): Guard =>
  ensureRoomInLinks(
    workspaceId,
    opened.map(({ key, link }) => [key, link]),
  );

/** True while the workspace has room for `more` links. */
export const ensureRoomForLinks = prepared((workspaceId: number, more: number) =>
  abortUnless(sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId} and (${workspaces.link_limit} is null
      or ${workspaces.active_links} + ${workspaces.archived_links} + ${more} <= ${workspaces.link_limit}))`),
);

/** True while no live Offline Engagement asset carries any of the links. */
export const ensureOnNoLiveAsset = prepared((workspaceId: number, ids: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.link_id} in ${inList(ids)} and ${offlineAssets.status} = 'live')`),
);

/** True while none of these operations is in the audit log. */
export const ensureNotDone = prepared((operationIds: BoundList) =>
  abortUnless(sql`not exists (select 1 from ${fromList(operationIds)}
    cross join ${auditLog} where ${auditLog.operation_id} = ${listed()})`),
);
