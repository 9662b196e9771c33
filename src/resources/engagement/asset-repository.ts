import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { primaryPrefix } from "../../access/workspace-statements";
import { assetsInGroup } from "../../analytics/count-statements";
import { abortUnless } from "../../db/audit";
import { boundList, fromList, inList, listed, listedAs } from "../../db/bound-list";
import type { Guard } from "../../db/client";
import { columnsAs, whereOwn } from "../../db/columns";
import { orm } from "../../db/prepared";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";
import type { SlugKey } from "../../lib/slug-text";
import { MAX_ASSETS_OF_LINK } from "./asset-schema";
import { type AssetSummary, summary } from "./asset-statements";

export type AssetRow = Awaited<ReturnType<typeof selectWithLink>>[number];

/** The unary plus leaves SQLite the index by asset alone. */
const joinCode = sql`${slugs.asset} = ${offlineAssets.public_id} and +${slugs.workspace_id} = ${offlineAssets.workspace_id}`;

/** The row id of the link is among its own columns. */
const { id: _, link_id: __, ...assetColumns } = getTableColumns(offlineAssets);

const selectWithLink = () =>
  orm
    .select({
      ...assetColumns,
      code: sql<string>`${slugs.slug}`.as("code"),
      domain: sql<string>`${slugs.domain}`.as("code_domain"),
      code_taken_down_at: sql<number | null>`${slugs.taken_down_at}`.as("code_taken_down_at"),
      link: columnsAs({
        id: links.id,
        public_id: links.public_id,
        slug: links.slug,
        archived_at: links.archived_at,
        deleted_at: links.deleted_at,
        taken_down_by: links.taken_down_by,
      }),
    })
    .from(offlineAssets)
    .innerJoin(
      links,
      and(eq(links.workspace_id, offlineAssets.workspace_id), eq(links.id, offlineAssets.link_id)),
    )
    .innerJoin(slugs, joinCode)
    .$dynamic();

export const selectAsset = (workspaceId: number, id: string) =>
  selectWithLink().where(whereOwn(offlineAssets, workspaceId, id));

export const selectAssets = (workspaceId: number) =>
  selectWithLink().where(eq(offlineAssets.workspace_id, workspaceId)).orderBy(asc(offlineAssets.id));

export const selectAssetsByIds = (workspaceId: number, ids: readonly string[]) =>
  selectWithLink()
    .where(
      sql`${offlineAssets.public_id} in ${inList(boundList(ids))} and +${offlineAssets.workspace_id} = ${workspaceId}`,
    )
    .orderBy(asc(offlineAssets.public_id));

/** Assets of these links, which may be deleted, link after link. An order would read all of them before the limit. */
export const selectAssetsOfLinks = (workspaceId: number, linkIds: readonly string[], limit: number) =>
  selectWithLink()
    .where(sql`${offlineAssets.workspace_id} = ${workspaceId} and ${offlineAssets.link_id} in
        (select ${links.id} from ${links} where ${links.public_id} in ${inList(boundList(linkIds))}
          and +${links.workspace_id} = ${workspaceId})`)
    .limit(limit);

export const selectAssetByCode = (workspaceId: number, key: SQL) =>
  selectWithLink().where(
    whereOwn(
      offlineAssets,
      workspaceId,
      sql`(select ${slugs.asset} from ${slugs} where ${slugs.key} = ${key})`,
    ),
  );

export const selectSummaries = (workspaceId: number, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary} from ${offlineAssets} as asset
      where asset.workspace_id = ${workspaceId} order by asset.id desc limit ${limit}`);

export const selectSummariesOfLink = (workspaceId: number, id: string, slugKey: SQL, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary} from ${offlineAssets} as asset
      where asset.workspace_id = ${workspaceId} and asset.link_id = coalesce(
        (select ${links.id} from ${links} where ${links.public_id} = ${id} and +${links.workspace_id} = ${workspaceId}),
        (select ${slugs.link_id} from ${slugs} where ${slugs.key} = ${slugKey} and ${slugs.asset} is null))
      order by +asset.id desc limit ${limit}`);

export const selectSummariesOfGroup = (workspaceId: number, group: string, limit: number) =>
  orm.all<AssetSummary>(sql`select ${summary}
      from (${assetsInGroup(workspaceId, group)}) as listed
        cross join ${offlineAssets} as asset on asset.id = listed.id
      order by asset.id desc limit ${limit}`);

export interface TargetLink {
  id: number;
  public_id: string;
  slug: string;
  slug_key: SlugKey;
  taken_down_by: "operator" | "check" | null;
  /** The number of its assets, counted up to the limit. */
  assets: number;
}

const targetColumns = (workspaceId: number): SQL =>
  sql`target.id, target.public_id, target.slug, target.slug_key, target.taken_down_by,
    (select count(*) from (select 1 from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.link_id} = target.id limit ${MAX_ASSETS_OF_LINK})) as assets`;

export const selectTargetLinks = (workspaceId: number, ids: readonly string[]) =>
  orm.all<TargetLink>(sql`select ${targetColumns(workspaceId)} from ${fromList(boundList(ids))}
      cross join ${links} as target on target.public_id = ${listed()}
      where +target.workspace_id = ${workspaceId} and target.deleted_at is null`);

export const selectTargetLink = (workspaceId: number, id: string, slugKey: SQL) =>
  orm.all<TargetLink>(sql`select ${targetColumns(workspaceId)}
      from ${links} as target where target.workspace_id = ${workspaceId} and target.deleted_at is null
        and target.id = coalesce((select ${links.id} from ${links} where ${links.public_id} = ${id}
            and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null),
          (select ${slugs.link_id} from ${slugs} where ${slugs.key} = ${slugKey} and ${slugs.asset} is null))`);

export type NewAssetRow = Omit<
  typeof offlineAssets.$inferSelect,
  "id" | "workspace_id" | "link_id" | "scans" | "after_end" | "last_after_end"
> & {
  code: string;
};

const NEW_COLUMNS = [
  ...(["public_id", "name", "kind", "status", "place", "quantity"] as const),
  ...(["live_at", "retired_at", "created_at", "updated_at"] as const),
];

export const insertAssets = (workspaceId: number, linkRowId: number, rows: readonly NewAssetRow[]) => {
  const values = boundList(rows.map((row) => NEW_COLUMNS.map((column) => row[column])));
  const columns = sql.raw(NEW_COLUMNS.join(", "));
  const places = NEW_COLUMNS.map((_, index) => listed(index));
  return orm.run(sql`insert into ${offlineAssets} (workspace_id, link_id, ${columns})
      select ${workspaceId}, ${linkRowId}, ${sql.join(places, sql`, `)} from ${fromList(values)}`);
};

/** Makes the codes of new assets, on the workspace's primary domain. Fails if a key is claimed or an asset has a code. */
export const insertCodes = (assets: readonly Pick<NewAssetRow, "public_id" | "code">[], at: number) => {
  const asset = listedAs("code", "id");
  return orm.run(sql`insert into ${slugs} (key, workspace_id, link_id, asset, created_at)
      select ${primaryPrefix(sql`${offlineAssets.workspace_id}`)} || ${asset.code}, ${offlineAssets.workspace_id},
        ${offlineAssets.link_id}, ${offlineAssets.public_id}, ${at}
      from ${fromList(boundList(assets.map(({ code, public_id: id }) => [code, id])))}
        cross join ${offlineAssets} on ${offlineAssets.public_id} = ${asset.id}`);
};

const CHANGED_COLUMNS = [
  ...(["name", "kind", "status", "place", "quantity"] as const),
  ...(["live_at", "retired_at", "link_id", "updated_at"] as const),
];

type ChangedRow = Pick<typeof offlineAssets.$inferSelect, "public_id" | (typeof CHANGED_COLUMNS)[number]>;

export const updateAssets = (workspaceId: number, rows: readonly ChangedRow[]) => {
  const values = boundList(
    rows.map((row) => [row.public_id, ...CHANGED_COLUMNS.map((column) => row[column])]),
  );
  const set = CHANGED_COLUMNS.map((column, index) => sql`${sql.raw(column)} = ${listed(index + 1)}`);
  return orm.run(sql`update ${offlineAssets} set ${sql.join(set, sql`, `)} from ${fromList(values)}
      where ${offlineAssets.public_id} = ${listed()} and +${offlineAssets.workspace_id} = ${workspaceId}`);
};

/** True while the links, by row id, are neither deleted nor taken down by the operator, and each has room for so many more. */
export const ensureLinksTakeAssets = (
  workspaceId: number,
  added: readonly (readonly [linkRowId: number, more: number])[],
): Guard => {
  const link = listedAs("id", "more");
  return abortUnless(sql`not exists (select 1 from ${fromList(boundList(added))} where not exists (select 1 from ${links}
      where ${links.id} = ${link.id} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
        and ${links.taken_down_by} is not 'operator')
    or (select count(*) from (select 1 from ${offlineAssets} where ${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.link_id} = ${link.id} limit ${MAX_ASSETS_OF_LINK})) + ${link.more} > ${MAX_ASSETS_OF_LINK})`);
};

export const ensureAssetsCanLeave = (ids: readonly string[]): Guard =>
  abortUnless(sql`not exists (select 1 from ${fromList(boundList(ids))}
    cross join ${offlineAssets} on ${offlineAssets.public_id} = ${listed()}
    cross join ${links} on ${links.id} = ${offlineAssets.link_id}
    where (${links.deleted_at} is null and ${links.taken_down_by} = 'operator')
      or exists (select 1 from ${slugs} where ${slugs.asset} = ${listed()} and ${slugs.taken_down_at} is not null))`);

export const ensureAssetsUnchanged = (workspaceId: number, rows: readonly AssetRow[]): Guard => {
  const assets = boundList(rows.map((row) => [row.public_id, row.status, row.link.id, row.updated_at]));
  const read = listedAs("id", "status", "link", "updatedAt");
  return abortUnless(sql`not exists (select 1 from ${fromList(assets)} where not exists (select 1 from ${offlineAssets}
    where ${offlineAssets.public_id} = ${read.id} and +${offlineAssets.workspace_id} = ${workspaceId}
      and ${offlineAssets.status} = ${read.status} and +${offlineAssets.link_id} = ${read.link}
      and ${offlineAssets.updated_at} = ${read.updatedAt}))`);
};

export const ensureLinksExist = (workspaceId: number, linkRowIds: readonly number[]): Guard =>
  abortUnless(sql`not exists (select 1 from ${fromList(boundList(linkRowIds))} where not exists (select 1 from ${links}
    where ${links.id} = ${listed()} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null))`);
