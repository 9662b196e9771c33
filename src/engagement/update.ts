import type { Context, ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { assertNone, type FieldError, retryLostRaces } from "../errors";
import { type AssetStatus, isAssetStatusMove } from "../lib/asset-status";
import { storedId } from "../lib/ulid-text";
import {
  type AssetRow,
  selectAsset,
  selectAssetAnywhere,
  selectAssetSnapshot,
  updateAssetRow,
  whereAssetHasStatus,
  whereAssetLinkExists,
} from "./repository";
import type { ChangedAsset } from "./schema";
import { type Asset, assertFound, toAsset } from "./service";

const LINK_IS_DELETED: FieldError = {
  field: "status",
  message: "The link of this Offline Engagement asset is deleted: it cannot go live.",
  code: "state",
};

function statusProblem(row: AssetRow, to: AssetStatus): FieldError | undefined {
  if (!isAssetStatusMove(row.status, to)) {
    return {
      field: "status",
      message: `An Offline Engagement asset cannot go from ${row.status} to ${to}.`,
      code: "state",
    };
  }
  return to === "live" && row.status !== "live" && row.link.deleted_at !== null ? LINK_IS_DELETED : undefined;
}

/** Updates an asset; 422 on `status` for a change that is not allowed. An asset with a deleted link cannot go live. */
export const updateAsset = (ctx: Context, id: string, input: ChangedAsset): Promise<Asset> =>
  update(ctx, selectAsset(ctx.workspace.rowId, storedId(id)), input);

/** For the operator: the asset may be in any workspace. */
export const updateAssetAnywhere = (ctx: ServiceContext, id: string, input: ChangedAsset): Promise<Asset> =>
  update(ctx, selectAssetAnywhere(storedId(id)), input);

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
        before: selectAssetSnapshot(workspaceId, id),
        change: Object.fromEntries(fields),
        guards: [
          whereAssetHasStatus(workspaceId, id, row.status),
          ...(goesLive ? [whereAssetLinkExists(workspaceId, id)] : []),
        ],
      },
      [
        updateAssetRow(workspaceId, id, {
          ...Object.fromEntries(fields),
          ...(goesLive && row.live_at === null ? { live_at: at } : {}),
          updated_at: at,
        }),
      ],
      selectAsset(workspaceId, id),
    );
    return toAsset(assertFound(after[0]));
  });
