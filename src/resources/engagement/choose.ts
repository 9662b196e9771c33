import type { Context } from "../../context";
import { invalid, notFound } from "../../errors";
import { slugKey } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { type Asset, toAsset } from "./asset";
import { selectAssetByCode, selectAssetsByIds, selectAssetsOfLinks, type TargetLink } from "./repository";
import { selectTarget } from "./target";

/** The most assets that are printed or packed at once. */
const MAX_CHOSEN_ASSETS = 200;

const TOO_MANY = {
  field: "id",
  message: `At most ${MAX_CHOSEN_ASSETS} assets can be chosen at once.`,
  code: "too_long",
} as const;

/** The assets with these ids, the oldest first. 404 if one is not the workspace's, 422 for more than 200. */
export async function getAssets(ctx: Context, ids: readonly string[]): Promise<Asset[]> {
  const distinct = [...new Set(ids.map(storedId))];
  if (distinct.length > MAX_CHOSEN_ASSETS) throw invalid([TOO_MANY]);
  const [rows] = await ctx.db.read(selectAssetsByIds(ctx.workspace.rowId, distinct));
  if (rows.length < distinct.length) throw notFound("Offline Engagement asset");
  return rows.map((row) => toAsset(row, ctx.config.shortBaseUrl));
}

/** Up to 200 assets of these links, the oldest first. */
export async function listAssetsOfLinks(
  ctx: Context,
  linkIds: readonly string[],
): Promise<{ items: Asset[]; isCut: boolean }> {
  const [rows] = await ctx.db.read(selectAssetsOfLinks(ctx.workspace.rowId, linkIds, MAX_CHOSEN_ASSETS + 1));
  const items = rows
    .slice(0, MAX_CHOSEN_ASSETS)
    .map((row) => toAsset(row, ctx.config.shortBaseUrl))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { items, isCut: rows.length > MAX_CHOSEN_ASSETS };
}

/** What an id, slug or code of this workspace stands for. */
export async function findByName(
  ctx: Context,
  named: string,
): Promise<{ link: TargetLink | undefined; asset: Asset | undefined }> {
  const [[link], [row]] = await ctx.db.read(
    selectTarget(ctx.workspace.rowId, named),
    selectAssetByCode(ctx.workspace.rowId, slugKey(named)),
  );
  return { link, asset: row && toAsset(row, ctx.config.shortBaseUrl) };
}
