import { ulid } from "ulidx";
import type { z } from "zod";
import type { Context, ServiceContext } from "../context";
import { linkNotFound, ServiceError, untilDecided } from "../errors";
import { isoTime } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { linkById, linkIsThere } from "../links/repository";
import {
  type AssetRow,
  assetById,
  assetSnapshot,
  assetsOfWorkspace,
  insertAsset,
  linkOfAssetIsThere,
  updateAssetRow,
} from "./repository";
import type { changedAsset, newAsset } from "./schema";

export interface Asset {
  id: string;
  name: string;
  kind: AssetRow["kind"];
  status: AssetRow["status"];
  link: { id: string; slug: string };
  created_at: string;
  updated_at: string;
}

const toAsset = (row: AssetRow): Asset => ({
  id: row.public_id,
  name: row.name,
  kind: row.kind,
  status: row.status,
  link: { id: row.link.public_id, slug: row.link.slug },
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

function found(row: AssetRow | undefined): AssetRow {
  if (row === undefined) throw new ServiceError(404, { message: "Offline Engagement asset not found." });
  return row;
}

/** Puts a link of the workspace on a thing in the world. */
export const createAsset = (ctx: Context, input: z.output<typeof newAsset>): Promise<Asset> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const linkId = storedId(input.link);
    const [links] = await ctx.db.read(linkById(workspaceId, linkId));
    if (links[0] === undefined) throw linkNotFound();
    const at = ctx.now();
    const id = ulid(at);
    const row = {
      public_id: id,
      workspace_id: workspaceId,
      name: input.name,
      kind: input.kind ?? ("other" as const),
      status: input.status ?? ("draft" as const),
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
        change: input,
        guards: [linkIsThere(workspaceId, linkId)],
      },
      [insertAsset(row, linkId)],
      assetById(id),
    );
    return toAsset(found(rows[0]));
  });

/** Updates an asset in any workspace. One whose link is deleted cannot go live. */
export const updateAsset = (
  ctx: ServiceContext,
  id: string,
  input: z.output<typeof changedAsset>,
): Promise<Asset> =>
  untilDecided(async () => {
    const [rows] = await ctx.db.read(assetById(storedId(id)));
    const row = found(rows[0]);
    const fields = Object.entries(input).filter(([name, value]) => value !== Reflect.get(row, name));
    if (fields.length === 0) return toAsset(row);
    const goesLive = input.status === "live";
    if (goesLive && row.link.deleted_at !== null) throw linkNotFound();
    const at = ctx.now();
    const workspaceId = row.workspace_id;
    const [after] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "asset.update",
        subject: row.public_id,
        at,
        before: assetSnapshot(workspaceId, row.public_id),
        change: input,
        guards: goesLive ? [linkOfAssetIsThere(workspaceId, row.public_id)] : [],
      },
      [updateAssetRow(workspaceId, row.public_id, { ...Object.fromEntries(fields), updated_at: at })],
      assetById(row.public_id),
    );
    return toAsset(found(after[0]));
  });

/** All assets of the workspace, the oldest first. */
export async function listAssets(ctx: Context): Promise<Asset[]> {
  const [rows] = await ctx.db.read(assetsOfWorkspace(ctx.workspace.rowId));
  return rows.map(toAsset);
}
