import type { Context } from "../../context";
import { assertNone, type FieldError, retryLostRaces } from "../../errors";
import { type AssetStatus, isAssetStatusMove } from "../../lib/asset-status";
import { storedId } from "../../lib/ulid-text";
import { type Asset, assertFound, leavingProblem, toAsset } from "./asset";
import { type AssetRow, selectAsset, type TargetLink } from "./repository";
import type { ChangedAsset } from "./schema";
import { assertTakesAssets, findTarget } from "./target";
import { commitAssets } from "./write";

const LINK_IS_DELETED: FieldError = {
  field: "status",
  message: "The link of this Offline Engagement asset is deleted: it cannot go live.",
  code: "state",
};

const goesLive = (row: AssetRow, to: AssetStatus | undefined): boolean =>
  to === "live" && row.status !== "live";

/** Why an asset cannot get a status. `isMoved` means to a link that exists. */
export function statusProblem(
  row: AssetRow,
  to: AssetStatus | undefined,
  isMoved: boolean,
): FieldError | undefined {
  if (to === undefined) return undefined;
  if (!isAssetStatusMove(row.status, to)) {
    return {
      field: "status",
      message: `An Offline Engagement asset cannot go from ${row.status} to ${to}.`,
      code: "state",
    };
  }
  return goesLive(row, to) && !isMoved && row.link.deleted_at !== null ? LINK_IS_DELETED : undefined;
}

/** The link that the asset is moved to; undefined if it stays. Throws 422. */
async function getNewLink(
  ctx: Context,
  row: AssetRow,
  named: string | undefined,
): Promise<TargetLink | undefined> {
  if (named === undefined) return undefined;
  const found = await findTarget(ctx, named);
  if (found?.id === row.link.id) return undefined;
  const target = assertTakesAssets(found, 1);
  assertNone([leavingProblem(row)]);
  return target;
}

/**
 * Updates an asset; 422 on `status` for a change that is not allowed. An asset with a deleted link cannot go live. With
 * `link` it is moved to another link and takes its code along; 422 on `link` if it cannot leave its link or the other one
 * can have no more assets.
 */
export const updateAsset = (
  ctx: Context,
  assetId: string,
  { status, link: named, ...input }: ChangedAsset,
): Promise<Asset> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows] = await ctx.db.read(selectAsset(workspaceId, storedId(assetId)));
    const row = assertFound(rows[0]);
    const target = await getNewLink(ctx, row, named);
    const given = Object.entries(status === undefined ? input : { ...input, status });
    const fields = given.filter(([name, value]) => value !== Reflect.get(row, name));
    if (fields.length === 0 && target === undefined) return toAsset(row, ctx.config);
    assertNone([statusProblem(row, status, target !== undefined)]);
    const [after] = await commitAssets(ctx, [{ row, fields: Object.fromEntries(fields), target }], {
      at: ctx.now(),
    });
    return toAsset(assertFound(after), ctx.config);
  });
