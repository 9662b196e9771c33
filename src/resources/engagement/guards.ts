import { sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import type { Guard } from "../../db/client";
import { boundList, fromList, listed } from "../../db/list";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";
import type { AssetStatus } from "../../lib/asset-status";
import { whereAsset } from "./repository";
import { MAX_ASSETS_OF_LINK } from "./schema";

/** True while the link is neither deleted nor taken down by the operator, and has room for `more` assets. */
export const ensureLinkTakesAssets = (workspaceId: number, linkRowId: number, more: number): Guard =>
  abortUnless(sql`exists (select 1 from ${links} where ${links.id} = ${linkRowId}
      and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
      and ${links.taken_down_by} is not 'operator')
    and (select count(*) from (select 1 from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.link_id} = ${linkRowId} limit ${MAX_ASSETS_OF_LINK})) + ${more} <= ${MAX_ASSETS_OF_LINK}`);

/** True while the asset is on this link, and neither its code nor the link is taken down by the operator. */
export const ensureAssetCanLeave = (workspaceId: number, id: string, linkRowId: number): Guard =>
  abortUnless(sql`exists (select 1 from ${offlineAssets} join ${links} on ${links.id} = ${offlineAssets.link_id}
      where ${whereAsset(workspaceId, id)} and ${offlineAssets.link_id} = ${linkRowId}
        and (${links.deleted_at} is not null or ${links.taken_down_by} is not 'operator'))
    and not exists (select 1 from ${slugs} where ${slugs.asset} = ${id} and ${slugs.taken_down_at} is not null)`);

export const ensureAssetHasStatus = (workspaceId: number, id: string, status: AssetStatus): Guard =>
  abortUnless(
    sql`exists (select 1 from ${offlineAssets} where ${whereAsset(workspaceId, id)} and ${offlineAssets.status} = ${status})`,
  );

/** True while each asset, given as id, status and link, has that status and link; with `isLive` also while the links exist. */
export const ensureAssetsUnchanged = (
  workspaceId: number,
  assets: readonly (readonly [id: string, status: AssetStatus, linkRowId: number])[],
  isLive: boolean,
): Guard =>
  abortUnless(sql`not exists (select 1 from ${fromList(boundList(assets))} where not exists (
    select 1 from ${offlineAssets} join ${links} on ${links.id} = ${offlineAssets.link_id}
    where ${offlineAssets.public_id} = ${listed()} and +${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.status} = ${listed(1)} and +${offlineAssets.link_id} = ${listed(2)}
      ${isLive ? sql`and ${links.deleted_at} is null` : sql.empty()}))`);

export const ensureAssetLinkExists = (workspaceId: number, id: string): Guard =>
  abortUnless(sql`exists (select 1 from ${offlineAssets} join ${links} on ${links.id} = ${offlineAssets.link_id}
    where ${whereAsset(workspaceId, id)} and ${links.deleted_at} is null)`);
