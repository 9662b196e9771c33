import { eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import { jobPositions, links, offlineAssets, slugs } from "../db/schema";

/** A code for an asset that has none. */
interface NewCode {
  key: string;
  /** Public id. */
  asset: string;
}

/** Makes codes that open their assets' links. Fails if a key is claimed or an asset has a code. */
export const insertCodes =
  (codes: readonly NewCode[], at: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${slugs} (key, workspace_id, link_id, asset, taken_down_at, created_at)
      select ${item(0)}, ${offlineAssets.workspace_id}, case when ${links.deleted_at} is null then ${links.id} end,
        ${offlineAssets.public_id}, case when ${links.taken_down_by} = 'operator' then ${links.taken_down_at} end, ${at}
      from ${fromList(toList(codes.map(({ key, asset }) => [key, asset])))}
        cross join ${offlineAssets} on ${offlineAssets.public_id} = ${item(1)}
        cross join ${links} on ${links.id} = ${offlineAssets.link_id}
          and +${links.workspace_id} = ${offlineAssets.workspace_id}`);

const CODES_JOB = "asset_codes";

/** The row id up to which assets have been given codes. */
export const selectCodesPosition = (): Statement<{ position: string }[]> => (orm) =>
  orm.select({ position: jobPositions.position }).from(jobPositions).where(eq(jobPositions.job, CODES_JOB));

export const upsertCodesPosition =
  (position: string): Statement =>
  (orm) =>
    orm
      .insert(jobPositions)
      .values({ job: CODES_JOB, position })
      .onConflictDoUpdate({ target: jobPositions.job, set: { position } });

/** The assets that a round looks at: the next `limit` of all workspaces after a row id. */
const nextAssets = (after: number, limit: number): SQL =>
  sql`(select ${offlineAssets.id} as id, ${offlineAssets.workspace_id} as workspace_id, ${offlineAssets.public_id} as asset
    from ${offlineAssets} where ${offlineAssets.id} > ${after} order by ${offlineAssets.id} limit ${limit})`;

export const selectLastAsset =
  (after: number, limit: number): Statement<{ id: number | null; assets: number }[]> =>
  (orm) =>
    orm.all(sql`select max(id) as id, count(*) as assets from ${nextAssets(after, limit)}`);

/** The first `limit` assets without a code among those that a round looks at. */
export const selectAssetsWithoutCode =
  (
    after: number,
    looked: number,
    limit: number,
  ): Statement<{ id: number; workspace_id: number; asset: string }[]> =>
  (orm) =>
    orm.all(sql`select id, workspace_id, asset from ${nextAssets(after, looked)} as looked
      where not exists (select 1 from ${slugs} where ${slugs.asset} = looked.asset) order by id limit ${limit}`);

/** Makes the code of an asset open another link, and queues its push. */
export const moveCode =
  (workspaceId: number, asset: string, linkRowId: number, at: number): Statement =>
  (orm) =>
    orm
      .update(slugs)
      .set({ link_id: linkRowId, rev: sql`${slugs.rev} + 1`, push_at: at })
      .where(sql`${slugs.asset} = ${asset} and +${slugs.workspace_id} = ${workspaceId}`);
