import { writeWithinLimit } from "../../access/room";
import { auditEntry, type Context } from "../../context";
import { assertFound, notFound, retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import { idsInOrder, newId } from "../../lib/ids";
import { randomSlug } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectNamedKey } from "../../redirect/slugs/statements/slug-owners";
import { type Asset, getTarget, selectTarget, toAsset } from "./asset";
import {
  ensureLinksTakeAssets,
  insertAssets,
  insertCodes,
  type NewAssetRow,
  selectAsset,
  selectAssetByCode,
  selectAssets,
  selectAssetsByIds,
  selectAssetsOfLinks,
} from "./asset-repository";
import type { NewAsset, NewAssets } from "./asset-schema";

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
  retired_at: status === "retired" ? at : null,
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
    // A code that is claimed already loses the race, and the next attempt has others.
    const made = inputs.map((input) => toRow(input, { id: nextId(at), code: randomSlug(ctx.random), at }));
    const [first, ...others] = made.map(({ public_id: subject, code }, index) => ({
      subject,
      change: { ...inputs[index], link: link.public_id, code },
    }));
    if (first === undefined) return [];
    const operation = ctx.operation ?? newId(at);
    const [rows] = await writeWithinLimit(
      ctx,
      ["asset", inputs.length],
      {
        ...auditEntry(ctx, "asset.create", first.subject, at),
        ...first,
        operation,
        ...(others.length > 0 && { batch: operation }),
        others,
        guards: [ensureLinksTakeAssets(workspaceId, [[link.id, inputs.length]])],
      },
      [insertAssets(workspaceId, link.id, made), insertCodes(made, at)],
      selectAssetsByIds(
        workspaceId,
        made.map(({ public_id: id }) => id),
      ),
    );
    return rows.map((row) => toAsset(row, ctx.config));
  });

/** Creates an asset with its code; 422 on `link` if there is no such link, or it can have no more assets. */
export async function createAsset(ctx: Context, { link, ...input }: NewAsset): Promise<Asset> {
  const [asset] = await create(ctx, link, [input]);
  return assertFound(asset, "Poster");
}

/** Creates up to 200 assets of a link, in their order; 422 on `link` as for one. */
export const createAssets = (ctx: Context, { link, kind, status, assets }: NewAssets): Promise<Asset[]> =>
  create(
    ctx,
    link,
    assets.map((asset) => ({ ...asset, kind, status })),
  );

export async function getAsset(ctx: Context, id: string): Promise<Asset> {
  const [[row]] = await ctx.db.read(selectAsset(ctx.workspace.rowId, storedId(id)));
  return toAsset(assertFound(row, "Poster"), ctx.config);
}

export async function listAssets(ctx: Context): Promise<Asset[]> {
  const [rows] = await ctx.db.read(selectAssets(ctx.workspace.rowId));
  return rows.map((row) => toAsset(row, ctx.config));
}

const MAX_CHOSEN_ASSETS = 200;

const TOO_MANY = {
  field: "id",
  message: `At most ${MAX_CHOSEN_ASSETS} posters can be chosen at once.`,
  code: "too_long",
} as const;

/** The assets with these ids, the oldest first. 404 if one is not the workspace's, 422 for more than 200. */
export async function getAssets(ctx: Context, ids: readonly string[]): Promise<Asset[]> {
  const distinct = [...new Set(ids.map(storedId))];
  if (distinct.length > MAX_CHOSEN_ASSETS) throw invalid([TOO_MANY]);
  const [rows] = await ctx.db.read(selectAssetsByIds(ctx.workspace.rowId, distinct));
  if (rows.length < distinct.length) throw notFound("Poster");
  return rows.map((row) => toAsset(row, ctx.config));
}

/** Up to 200 assets of these links, the oldest first. A single link has no more. */
export async function listAssetsOfLinks(ctx: Context, linkIds: readonly string[]) {
  const [rows] = await ctx.db.read(
    selectAssetsOfLinks(ctx.workspace.rowId, linkIds.map(storedId), MAX_CHOSEN_ASSETS + 1),
  );
  const items = rows
    .slice(0, MAX_CHOSEN_ASSETS)
    .map((row) => toAsset(row, ctx.config))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { items, isCut: rows.length > MAX_CHOSEN_ASSETS };
}

export async function findByName(ctx: Context, named: string) {
  const [[link], [row]] = await ctx.db.read(
    selectTarget(ctx, named),
    selectAssetByCode(ctx.workspace.rowId, selectNamedKey(ctx.config, ctx.workspace.rowId, named)),
  );
  return { link, asset: row && toAsset(row, ctx.config) };
}
