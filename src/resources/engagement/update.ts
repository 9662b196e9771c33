import { auditEntry, type Context } from "../../context";
import type { Guard } from "../../db/client";
import { assertNone, type FieldError, retryLostRaces } from "../../errors";
import { type AssetStatus, isAssetStatusMove } from "../../lib/asset-status";
import { storedId } from "../../lib/ulid-text";
import { selectTargetOfCode } from "../../redirect/slugs/statements/targets";
import { pushTargets } from "../../redirect/slugs/sync";
import { type Asset, assertFound, leavingProblem, toAsset } from "./asset";
import { moveCode } from "./code-repository";
import {
  ensureAssetCanLeave,
  ensureAssetHasStatus,
  ensureAssetLinkExists,
  ensureLinkTakesAssets,
} from "./guards";
import {
  type AssetRow,
  selectAsset,
  selectAssetSnapshot,
  type TargetLink,
  updateAssetRow,
} from "./repository";
import type { ChangedAsset } from "./schema";
import { assertTakesAssets, findTarget } from "./target";

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
    const at = ctx.now();
    const id = row.public_id;
    const isGoingLive = goesLive(row, status);
    const guards: Guard[] = [ensureAssetHasStatus(workspaceId, id, row.status)];
    if (target !== undefined) {
      guards.push(
        ensureAssetCanLeave(workspaceId, id, row.link.id),
        ensureLinkTakesAssets(workspaceId, target.id, 1),
      );
    } else if (isGoingLive) guards.push(ensureAssetLinkExists(workspaceId, id));
    const [after, toPush] = await ctx.db.write(
      {
        ...auditEntry(ctx, "asset.update", id, at),
        before: selectAssetSnapshot(workspaceId, id),
        change: { ...Object.fromEntries(fields), ...(target && { link: target.public_id }) },
        guards,
      },
      [
        updateAssetRow(workspaceId, id, {
          ...Object.fromEntries(fields),
          ...(isGoingLive && row.live_at === null ? { live_at: at } : {}),
          ...(target && { link_id: target.id }),
          updated_at: at,
        }),
        ...(target === undefined ? [] : [moveCode(workspaceId, id, target.id, at)]),
      ],
      selectAsset(workspaceId, id),
      target && selectTargetOfCode(workspaceId, id),
    );
    await pushTargets(ctx, toPush, at);
    return toAsset(assertFound(after[0]), ctx.config);
  });
