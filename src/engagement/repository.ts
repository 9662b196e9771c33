import { and, asc, count, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { columnsAs } from "../db/columns";
import { links, offlineAssets } from "../db/schema";
import type { AssetStatus } from "../lib/asset-status";

export type AssetRow = Awaited<ReturnType<typeof selectWithLink>>[number];

const selectWithLink = (orm: Parameters<Statement>[0]) =>
  orm
    .select({
      public_id: offlineAssets.public_id,
      workspace_id: offlineAssets.workspace_id,
      name: offlineAssets.name,
      kind: offlineAssets.kind,
      status: offlineAssets.status,
      place: offlineAssets.place,
      quantity: offlineAssets.quantity,
      live_at: offlineAssets.live_at,
      created_at: offlineAssets.created_at,
      updated_at: offlineAssets.updated_at,
      link: columnsAs("link", {
        public_id: links.public_id,
        slug: links.slug,
        archived_at: links.archived_at,
        deleted_at: links.deleted_at,
      }),
    })
    .from(offlineAssets)
    .innerJoin(
      links,
      and(eq(links.workspace_id, offlineAssets.workspace_id), eq(links.id, offlineAssets.link_id)),
    )
    .$dynamic();

const whereAsset = (workspaceId: number, id: string): SQL | undefined =>
  and(eq(offlineAssets.workspace_id, workspaceId), eq(offlineAssets.public_id, id));

/** For the operator: the asset may be in any workspace. */
export const selectAssetAnywhere =
  (id: string): Statement<AssetRow[]> =>
  (orm) =>
    selectWithLink(orm).where(eq(offlineAssets.public_id, id));

export const selectAsset =
  (workspaceId: number, id: string): Statement<AssetRow[]> =>
  (orm) =>
    selectWithLink(orm).where(whereAsset(workspaceId, id));

export const selectAssets =
  (workspaceId: number): Statement<AssetRow[]> =>
  (orm) =>
    selectWithLink(orm).where(eq(offlineAssets.workspace_id, workspaceId)).orderBy(asc(offlineAssets.id));

/** The newest first. */
export const selectAssetPage =
  (
    workspaceId: number,
    status: AssetStatus | undefined,
    offset: number,
    limit: number,
  ): Statement<AssetRow[]> =>
  (orm) =>
    selectWithLink(orm)
      .where(
        and(
          eq(offlineAssets.workspace_id, workspaceId),
          status === undefined ? undefined : eq(offlineAssets.status, status),
        ),
      )
      .orderBy(desc(offlineAssets.id))
      .limit(limit)
      .offset(offset);

export const countAssets =
  (workspaceId: number): Statement<{ status: AssetStatus; assets: number }[]> =>
  (orm) =>
    orm
      .select({ status: offlineAssets.status, assets: count() })
      .from(offlineAssets)
      .where(eq(offlineAssets.workspace_id, workspaceId))
      .groupBy(offlineAssets.status);

export const insertAsset =
  (row: Omit<typeof offlineAssets.$inferInsert, "link_id">, linkId: string): Statement =>
  (orm) =>
    orm.insert(offlineAssets).values({
      ...row,
      link_id: sql`(select ${links.id} from ${links} where ${links.workspace_id} = ${row.workspace_id}
        and ${links.public_id} = ${linkId})`,
    });

type AssetFields = {
  [Field in "name" | "kind" | "status" | "place" | "quantity" | "live_at"]?: AssetRow[Field] | undefined;
} & {
  updated_at: number;
};

export const updateAssetRow =
  (workspaceId: number, id: string, fields: AssetFields): Statement =>
  (orm) =>
    orm
      .update(offlineAssets)
      .set(Object.fromEntries(Object.entries(fields)))
      .where(whereAsset(workspaceId, id));

export const whereAssetHasStatus = (workspaceId: number, id: string, status: AssetStatus): Guard =>
  sql`exists (select 1 from ${offlineAssets} where ${whereAsset(workspaceId, id)} and ${offlineAssets.status} = ${status})`;

export const whereAssetLinkExists = (workspaceId: number, id: string): Guard =>
  sql`exists (select 1 from ${offlineAssets} join ${links} on ${links.id} = ${offlineAssets.link_id}
    where ${whereAsset(workspaceId, id)} and ${links.deleted_at} is null)`;

export const selectAssetSnapshot = (workspaceId: number, id: string): SQL =>
  sql`(select json_object('name', ${offlineAssets.name}, 'kind', ${offlineAssets.kind}, 'status', ${offlineAssets.status},
    'place', ${offlineAssets.place}, 'quantity', ${offlineAssets.quantity}, 'live_at', ${offlineAssets.live_at})
    from ${offlineAssets} where ${whereAsset(workspaceId, id)})`;
