import type { Context } from "../../context";
import { retryLostRaces } from "../../errors";
import { idsInOrder } from "../../lib/ids";
import { randomSlug } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { type Asset, assertFound, toAsset } from "./asset";
import { insertCodes } from "./code-repository";
import { ensureLinkTakesAssets, ensureRoomForAssets } from "./guards";
import {
  insertAssetAudits,
  insertAssets,
  type NewAssetRow,
  selectAsset,
  selectAssets,
  selectAssetsByIds,
  selectAssetsOfLink,
} from "./repository";
import type { NewAsset, NewAssets } from "./schema";
import { getTarget } from "./target";

export type { Asset } from "./asset";

type AssetInput = Omit<NewAsset, "link">;

const toRow = (
  { name, kind, status, place, quantity }: AssetInput,
  { id, code, at }: { id: string; code: string; at: number },
): NewAssetRow => ({
  public_id: id,
  code,
  name,
  kind: kind ?? "other",
  status: status ?? "draft",
  place: place ?? null,
  quantity: quantity ?? null,
  live_at: status === "live" ? at : null,
  created_at: at,
  updated_at: at,
});

/** Creates assets of a link, each with its code, all or none. */
const create = (ctx: Context, named: string, inputs: readonly AssetInput[]): Promise<Asset[]> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const link = await getTarget(ctx, named, inputs.length);
    const at = ctx.now();
    const nextId = idsInOrder();
    const made = inputs.map((input) => {
      // A code that is claimed already loses the race, and the next attempt has others.
      const row = toRow(input, { id: nextId(at), code: randomSlug(ctx.random), at });
      return { row, change: { ...input, link: link.public_id, code: row.code } };
    });
    const [first, ...others] = made;
    if (first === undefined) return [];
    const audit = { actor: ctx.actor, action: "asset.create", at };
    const entries = others.map(({ row, change }) => ({
      id: nextId(at),
      asset: row.public_id,
      change: JSON.stringify(change),
    }));
    const [rows] = await ctx.db.write(
      {
        ...audit,
        workspaceId,
        subject: first.row.public_id,
        change: first.change,
        guards: [
          ensureLinkTakesAssets(workspaceId, link.id),
          ensureRoomForAssets(workspaceId, link.id, inputs.length),
        ],
      },
      [
        insertAssets(
          workspaceId,
          link.id,
          made.map(({ row }) => row),
        ),
        insertCodes(
          made.map(({ row }) => ({ key: row.code, asset: row.public_id })),
          at,
        ),
        ...(entries.length === 0 ? [] : [insertAssetAudits(entries, audit)]),
      ],
      selectAssetsByIds(
        workspaceId,
        made.map(({ row }) => row.public_id),
      ),
    );
    return rows.map((row) => toAsset(row, ctx.config.shortBaseUrl));
  });

/** Creates an asset with its code; 422 on `link` if there is no such link, or it can have no more assets. */
export async function createAsset(ctx: Context, { link, ...input }: NewAsset): Promise<Asset> {
  const [asset] = await create(ctx, link, [input]);
  if (asset === undefined) throw new Error("no asset was created");
  return asset;
}

/** Creates up to 200 assets of a link, in their order; 422 on `link` as for one. */
export const createAssets = (ctx: Context, { link, kind, status, assets }: NewAssets): Promise<Asset[]> =>
  create(
    ctx,
    link,
    assets.map((asset) => ({ ...asset, kind, status })),
  );

export async function getAsset(ctx: Context, id: string): Promise<Asset> {
  const [rows] = await ctx.db.read(selectAsset(ctx.workspace.rowId, storedId(id)));
  return toAsset(assertFound(rows[0]), ctx.config.shortBaseUrl);
}

/** All assets, the oldest first. */
export async function listAssets(ctx: Context): Promise<Asset[]> {
  const [rows] = await ctx.db.read(selectAssets(ctx.workspace.rowId));
  return rows.map((row) => toAsset(row, ctx.config.shortBaseUrl));
}

/** The assets of a link, the oldest first; none for an unknown link. */
export async function listAssetsOfLink(ctx: Context, linkId: string): Promise<Asset[]> {
  const [rows] = await ctx.db.read(selectAssetsOfLink(ctx.workspace.rowId, storedId(linkId)));
  return rows.map((row) => toAsset(row, ctx.config.shortBaseUrl));
}
