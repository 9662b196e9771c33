import type { Context } from "../../context";
import { assertNone, notFound, retryLostRaces } from "../../errors";
import type { AssetStatus } from "../../lib/asset-status";
import { newId } from "../../lib/ids";
import { storedId } from "../../lib/ulid-text";
import { parseObject } from "../audit/field-changes";
import { selectBatch } from "../audit/statements";
import { leavingProblem } from "./asset";
import { type AssetRow, selectAssetsByIds, selectTargetLinks, type TargetLink } from "./repository";
import { type ChangedAssets, MAX_CHANGED_ASSETS } from "./schema";
import { assertTakesAssets, findTarget, hasRoomFor } from "./target";
import { statusProblem } from "./update";
import { type AssetChange, commitAssets } from "./write";

/** What an asset is to become. */
interface Wanted {
  status?: AssetStatus | undefined;
  /** Only of an undo. */
  live_at?: number | null | undefined;
  /** Public id of a link. */
  link?: string | undefined;
}

/** The state in an audit entry. */
const toWanted = (before: string | null): Wanted => parseObject(before) as Wanted;

/** The change of an asset; undefined if it is so already, or cannot be. Throws 422 if it is alone and cannot be. */
function toChange(
  row: AssetRow,
  { status, live_at: liveAt, link }: Wanted,
  targets: ReadonlyMap<string, TargetLink>,
  { isUndo, isAlone }: { isUndo: boolean; isAlone: boolean },
): AssetChange | undefined {
  const isMoved = link !== undefined && link !== row.link.public_id;
  const problem = statusProblem(row, status, isMoved);
  if (isAlone) assertNone([isMoved ? leavingProblem(row) : undefined, problem]);
  const target = isMoved ? targets.get(link) : undefined;
  if (isMoved && (target === undefined || leavingProblem(row) !== undefined)) return undefined;
  if (target?.taken_down_by === "operator") return undefined;
  // Among others, a draft is more likely a slip. An undo may make a draft again.
  const isSlip = !isAlone && status === "retired" && row.status === "draft";
  const isRefused = isUndo ? status === "live" && problem !== undefined : isSlip || problem !== undefined;
  if (isRefused) return undefined;
  if (status !== undefined && status !== row.status) return { row, fields: { status }, liveAt, target };
  return isMoved ? { row, fields: {}, target } : undefined;
}

/** Changes all assets that can be changed, in one batch. 404 if the workspace has none of them, 422 for a link without room. */
async function change(ctx: Context, wantedOf: ReadonlyMap<string, Wanted>, reverted?: string) {
  const workspaceId = ctx.workspace.rowId;
  const linkIds = new Set([...wantedOf.values()].flatMap(({ link }) => link ?? []));
  const [rows, links] = await ctx.db.read(
    selectAssetsByIds(workspaceId, [...wantedOf.keys()]),
    linkIds.size === 0 ? undefined : selectTargetLinks(workspaceId, [...linkIds]),
  );
  if (rows.length === 0) throw notFound("Offline Engagement asset");
  const targets = new Map(links.map((link) => [link.public_id, link]));
  const isUndo = reverted !== undefined;
  const isAlone = !isUndo && wantedOf.size === 1;
  const wanted = rows.flatMap(
    (row) => toChange(row, wantedOf.get(row.public_id) ?? {}, targets, { isUndo, isAlone }) ?? [],
  );
  const changes = [...Map.groupBy(wanted, (one) => one.target)].flatMap(([target, moved]) => {
    if (target === undefined) return moved;
    // An undo leaves what its former link has no room for.
    if (isUndo && !hasRoomFor(target, moved.length)) return [];
    assertTakesAssets(target, moved.length);
    return moved;
  });
  const at = ctx.now();
  const batch = newId(at);
  await commitAssets(ctx, changes, { at, batch, ...(reverted !== undefined && { reverted }) });
  return { changed: changes.length, left: rows.length - changes.length, batch };
}

/**
 * Retires assets, sets them live or moves them to another link, all that can be in one batch. The others stay as they are:
 * drafts are not retired, an asset of a deleted link does not go live, and one that is taken down is not moved. An asset
 * alone is retired as a draft too, and 422 says why it cannot be changed.
 */
export const changeAssets = (ctx: Context, { ids, status, link: named }: ChangedAssets) =>
  retryLostRaces(async () => {
    const link = named === undefined ? undefined : assertTakesAssets(await findTarget(ctx, named), 0);
    const wanted = { status, link: link?.public_id };
    return { ...(await change(ctx, new Map(ids.map((id) => [storedId(id), wanted])))), link };
  });

/** Gives the assets of a change of many their former status and link, those that have not changed since. */
export const undoAssets = (ctx: Context, operation: string) =>
  retryLostRaces(async () => {
    const [rows] = await ctx.db.read(selectBatch(ctx.workspace.rowId, operation, "", MAX_CHANGED_ASSETS));
    const wantedOf = new Map(
      rows.filter(({ has_next }) => has_next === 0).map(({ subject, before }) => [subject, toWanted(before)]),
    );
    if (wantedOf.size === 0) return { changed: 0, left: rows.length };
    const { changed } = await change(ctx, wantedOf, operation);
    return { changed, left: rows.length - changed };
  });
