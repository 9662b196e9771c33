import type { Context, ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { assertNone, type FieldError, invalid, retryLostRaces, ServiceError } from "../errors";
import { type AssetStatus, isAssetStatusMove } from "../lib/asset-status";
import { newId } from "../lib/ids";
import { type Meta, metaOf, offsetOf } from "../lib/paging";
import { slugKey } from "../lib/slug-text";
import { isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { linkByIdOrSlug, linkIsThere } from "../links/repository";
import {
  type AssetRow,
  assetAnywhere,
  assetById,
  assetIsAt,
  assetSnapshot,
  assetsOfWorkspace,
  countAssets,
  insertAsset,
  linkOfAssetIsThere,
  pageOfAssets,
  updateAssetRow,
} from "./repository";
import type { ChangedAsset, ListAssets, NewAsset } from "./schema";

const ASSETS_A_PAGE = 50;

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
};
const LINK_IS_DELETED: FieldError = {
  field: "status",
  message: "The link of this Offline Engagement asset is deleted: it cannot go live.",
};

const toAsset = (row: AssetRow): Asset => ({
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

function assertFound(row: AssetRow | undefined): AssetRow {
  if (row === undefined) throw new ServiceError(404, { message: "Offline Engagement asset not found." });
  return row;
}

/** 422 on `link` if the workspace has no such link. */
export const createAsset = (ctx: Context, input: NewAsset): Promise<Asset> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[link]] = await ctx.db.read(
      linkByIdOrSlug(workspaceId, storedId(input.link), slugKey(input.link)),
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
        guards: [linkIsThere(workspaceId, link.public_id)],
      },
      [insertAsset(row, link.public_id)],
      assetById(workspaceId, id),
    );
    return toAsset(assertFound(rows[0]));
  });

function statusProblem(row: AssetRow, to: AssetStatus): FieldError | undefined {
  if (!isAssetStatusMove(row.status, to)) {
    return {
      field: "status",
      message: `An Offline Engagement asset cannot go from ${row.status} to ${to}.`,
    };
  }
  return to === "live" && row.status !== "live" && row.link.deleted_at !== null ? LINK_IS_DELETED : undefined;
}

/** 422 on `status` for a move that is not allowed. An asset whose link is deleted cannot go live. */
export const updateAsset = (ctx: Context, id: string, input: ChangedAsset): Promise<Asset> =>
  update(ctx, assetById(ctx.workspace.rowId, storedId(id)), input);

/** For the operator: the asset may be in any workspace. */
export const updateAssetAnywhere = (ctx: ServiceContext, id: string, input: ChangedAsset): Promise<Asset> =>
  update(ctx, assetAnywhere(storedId(id)), input);

const update = (
  ctx: ServiceContext,
  query: Statement<AssetRow[]>,
  { status, ...input }: ChangedAsset,
): Promise<Asset> =>
  retryLostRaces(async () => {
    const [rows] = await ctx.db.read(query);
    const row = assertFound(rows[0]);
    const given = Object.entries(status === undefined ? input : { ...input, status });
    const fields = given.filter(([name, value]) => value !== Reflect.get(row, name));
    if (fields.length === 0) return toAsset(row);
    assertNone([status === undefined ? undefined : statusProblem(row, status)]);
    const at = ctx.now();
    const workspaceId = row.workspace_id;
    const id = row.public_id;
    const goesLive = status === "live" && row.status !== "live";
    const [after] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "asset.update",
        subject: id,
        at,
        before: assetSnapshot(workspaceId, id),
        change: Object.fromEntries(fields),
        guards: [
          assetIsAt(workspaceId, id, row.status),
          ...(goesLive ? [linkOfAssetIsThere(workspaceId, id)] : []),
        ],
      },
      [
        updateAssetRow(workspaceId, id, {
          ...Object.fromEntries(fields),
          ...(goesLive && row.live_at === null ? { live_at: at } : {}),
          updated_at: at,
        }),
      ],
      assetById(workspaceId, id),
    );
    return toAsset(assertFound(after[0]));
  });

export async function getAsset(ctx: Context, id: string): Promise<Asset> {
  const [rows] = await ctx.db.read(assetById(ctx.workspace.rowId, storedId(id)));
  return toAsset(assertFound(rows[0]));
}

/** All of them, the oldest first. */
export async function listAssets(ctx: Context): Promise<Asset[]> {
  const [rows] = await ctx.db.read(assetsOfWorkspace(ctx.workspace.rowId));
  return rows.map(toAsset);
}

/** The number of assets in each status. */
export type AssetCounts = Readonly<Partial<Record<AssetStatus, number>>>;

/** The newest first, with the counts of all statuses. */
export async function pageThroughAssets(
  ctx: Context,
  { status, page = 1 }: ListAssets,
): Promise<{ items: Asset[]; meta: Meta; counts: AssetCounts }> {
  const workspaceId = ctx.workspace.rowId;
  const [rows, counted] = await ctx.db.read(
    pageOfAssets(workspaceId, status, offsetOf(page, ASSETS_A_PAGE), ASSETS_A_PAGE),
    countAssets(workspaceId),
  );
  const total = counted
    .filter((one) => status === undefined || one.status === status)
    .reduce((sum, { assets }) => sum + assets, 0);
  return {
    items: rows.map(toAsset),
    meta: metaOf(page, ASSETS_A_PAGE, total),
    counts: Object.fromEntries(counted.map(({ status, assets }) => [status, assets])),
  };
}
