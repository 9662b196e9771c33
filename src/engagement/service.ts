import type { Context } from "../context";
import { type FieldError, invalid, retryLostRaces, ServiceError } from "../errors";
import type { AssetStatus } from "../lib/asset-status";
import { newId } from "../lib/ids";
import { type Meta, metaOf, offsetOf } from "../lib/paging";
import { slugKey } from "../lib/slug-text";
import { isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { selectLinkByIdOrSlug, whereLinkExists } from "../links/repository";
import {
  type AssetRow,
  countAssets,
  insertAsset,
  selectAsset,
  selectAssetPage,
  selectAssets,
} from "./repository";
import type { ListAssets, NewAsset } from "./schema";

const ASSETS_PER_PAGE = 50;

export interface Asset {
  id: string;
  name: string;
  kind: AssetRow["kind"];
  status: AssetStatus;
  place: string | null;
  quantity: number | null;
  link: { id: string; slug: string; status: "active" | "archived" | "deleted" };
  live_at: string | null;
  created_at: string;
  updated_at: string;
}

const UNKNOWN_LINK: FieldError = {
  field: "link",
  message: "No link of this workspace has this slug or ID.",
  code: "unknown",
};
export const toAsset = (row: AssetRow): Asset => ({
  id: row.public_id,
  name: row.name,
  kind: row.kind,
  status: row.status,
  place: row.place,
  quantity: row.quantity,
  link: {
    id: row.link.public_id,
    slug: row.link.slug,
    status: row.link.deleted_at !== null ? "deleted" : row.link.archived_at !== null ? "archived" : "active",
  },
  live_at: isoTimeOrNull(row.live_at),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export function assertFound(row: AssetRow | undefined): AssetRow {
  if (row === undefined) throw new ServiceError(404, { message: "Offline Engagement asset not found." });
  return row;
}

/** Creates an asset; 422 on `link` if the workspace has no such link. */
export const createAsset = (ctx: Context, input: NewAsset): Promise<Asset> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[link]] = await ctx.db.read(
      selectLinkByIdOrSlug(workspaceId, storedId(input.link), slugKey(input.link)),
    );
    if (link === undefined) throw invalid([UNKNOWN_LINK]);
    const at = ctx.now();
    const id = newId(at);
    const row = {
      public_id: id,
      workspace_id: workspaceId,
      name: input.name,
      kind: input.kind ?? ("other" as const),
      status: input.status ?? ("draft" as const),
      place: input.place ?? null,
      quantity: input.quantity ?? null,
      live_at: input.status === "live" ? at : null,
      created_at: at,
      updated_at: at,
    };
    const [rows] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "asset.create",
        subject: id,
        at,
        change: { ...input, link: link.public_id },
        guards: [whereLinkExists(workspaceId, link.public_id)],
      },
      [insertAsset(row, link.public_id)],
      selectAsset(workspaceId, id),
    );
    return toAsset(assertFound(rows[0]));
  });

export async function getAsset(ctx: Context, id: string): Promise<Asset> {
  const [rows] = await ctx.db.read(selectAsset(ctx.workspace.rowId, storedId(id)));
  return toAsset(assertFound(rows[0]));
}

/** All assets, the oldest first. */
export async function listAssets(ctx: Context): Promise<Asset[]> {
  const [rows] = await ctx.db.read(selectAssets(ctx.workspace.rowId));
  return rows.map(toAsset);
}

/** The number of assets in each status. */
export type AssetCounts = Readonly<Partial<Record<AssetStatus, number>>>;

/** A page of assets, the newest first, with the number in each status. */
export async function listAssetPage(
  ctx: Context,
  { status, page = 1 }: ListAssets,
): Promise<{ items: Asset[]; meta: Meta; counts: AssetCounts }> {
  const workspaceId = ctx.workspace.rowId;
  const [rows, counted] = await ctx.db.read(
    selectAssetPage(workspaceId, status, offsetOf(page, ASSETS_PER_PAGE), ASSETS_PER_PAGE),
    countAssets(workspaceId),
  );
  const total = counted
    .filter((one) => status === undefined || one.status === status)
    .reduce((sum, { assets }) => sum + assets, 0);
  return {
    items: rows.map(toAsset),
    meta: metaOf(page, ASSETS_PER_PAGE, total),
    counts: Object.fromEntries(counted.map(({ status, assets }) => [status, assets])),
  };
}
