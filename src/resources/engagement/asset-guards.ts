import { sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import { boundList, fromList, listed } from "../../db/bound-list";
import type { Guard } from "../../db/client";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";
import type { AssetRow } from "./asset-repository";
import { MAX_ASSETS_OF_LINK } from "./asset-schema";

/** True while the links, by row id, are neither deleted nor taken down by the operator, and each has room for so many more. */
export const ensureLinksTakeAssets = (
  workspaceId: number,
  added: readonly (readonly [linkRowId: number, more: number])[],
): Guard =>
  abortUnless(sql`not exists (select 1 from ${fromList(boundList(added))} where not exists (select 1 from ${links}
      where ${links.id} = ${listed()} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
        and ${links.taken_down_by} is not 'operator')
    or (select count(*) from (select 1 from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.link_id} = ${listed()} limit ${MAX_ASSETS_OF_LINK})) + ${listed(1)} > ${MAX_ASSETS_OF_LINK})`);

/** True while neither the codes of these assets nor their links are taken down by the operator. */
export const ensureAssetsCanLeave = (ids: readonly string[]): Guard =>
  abortUnless(sql`not exists (select 1 from ${fromList(boundList(ids))}
    cross join ${offlineAssets} on ${offlineAssets.public_id} = ${listed()}
    cross join ${links} on ${links.id} = ${offlineAssets.link_id}
    where (${links.deleted_at} is null and ${links.taken_down_by} = 'operator')
      or exists (select 1 from ${slugs} where ${slugs.asset} = ${listed()} and ${slugs.taken_down_at} is not null))`);

/** True while each asset is on its link as it was read. */
export const ensureAssetsUnchanged = (workspaceId: number, rows: readonly AssetRow[]): Guard => {
  const assets = boundList(rows.map((row) => [row.public_id, row.status, row.link.id, row.updated_at]));
  return abortUnless(sql`not exists (select 1 from ${fromList(assets)} where not exists (select 1 from ${offlineAssets}
    where ${offlineAssets.public_id} = ${listed()} and +${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.status} = ${listed(1)} and +${offlineAssets.link_id} = ${listed(2)}
      and ${offlineAssets.updated_at} = ${listed(3)}))`);
};

/** True while none of the links, by row id, is deleted. */
export const ensureLinksExist = (workspaceId: number, linkRowIds: readonly number[]): Guard =>
  abortUnless(sql`not exists (select 1 from ${fromList(boundList(linkRowIds))} where not exists (select 1 from ${links}
    where ${links.id} = ${listed()} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null))`);
