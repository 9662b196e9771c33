import type { Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { newId } from "../../lib/ids";
import { storedId } from "../../lib/ulid-text";
import { readEntries, selectBatch } from "../audit/audit-statements";
import { parseObject } from "../audit/field-changes";
import { takesBack } from "../audit/undoable";
import {
  type Asset,
  assertTakesAssets,
  findTarget,
  hasRoomFor,
  leavingProblem,
  statusProblem,
  toAsset,
} from "./asset";
import { type AssetRow, selectAssetsByIds, selectTargetLinks, type TargetLink } from "./asset-repository";
import { type ChangedAsset, type ChangedAssets, MAX_CHANGED_ASSETS } from "./asset-schema";
import { type AssetChange, commitAssets, type Undone } from "./commit-assets";

/** No link has this public id. */
const UNKNOWN = "";

interface Wanted extends Omit<ChangedAsset, "link"> {
  /** Only of an undo. */
  live_at?: number | null;
  retired_at?: number | null;
  /** Public id of a link. */
  link?: string | undefined;
}

/** The change of an asset; undefined if it is so already, or cannot be. Throws 422 if it is alone and cannot be. */
function planChange(
  row: AssetRow,
  { live_at, retired_at, link, ...input }: Wanted,
  targets: ReadonlyMap<string, TargetLink>,
  { isUndo, isAlone }: { isUndo: boolean; isAlone: boolean },
): AssetChange | undefined {
  const { status } = input;
  const isMoved = link !== undefined && link !== row.link.public_id;
  const target = isMoved ? targets.get(link) : undefined;
  const problem = statusProblem(row, status, isMoved);
  if (isAlone && isMoved) assertTakesAssets(target, 1);
  if (isAlone) assertNone([isMoved ? leavingProblem(row) : undefined, problem]);
  if (isMoved && (target === undefined || leavingProblem(row) !== undefined)) return undefined;
  if (target?.taken_down_by === "operator") return undefined;
  // Among others, a draft is more likely a slip. An undo may make a draft again.
  const isSlip = !isAlone && status === "retired" && row.status === "draft";
  const isRefused = isUndo ? status === "live" && problem !== undefined : isSlip || problem !== undefined;
  if (isRefused) return undefined;
  const fields = Object.entries(input).filter(
    ([name, value]) => value !== undefined && value !== Reflect.get(row, name),
  );
  if (fields.length === 0 && target === undefined) return undefined;
  const times = {
    ...(live_at !== undefined && { live_at }),
    ...(retired_at !== undefined && { retired_at }),
  };
  return { row, fields: Object.fromEntries(fields), times, target };
}

/**
 * Changes all assets that can be changed, in one batch, and returns them. 404 if the workspace has none of them, 422 for a link
 * without room.
 */
async function change(
  ctx: Context,
  wantedOf: ReadonlyMap<string, Wanted>,
  { batch, undone }: { batch?: string; undone?: Undone } = {},
) {
  const workspaceId = ctx.workspace.rowId;
  const linkIds = new Set([...wantedOf.values()].flatMap(({ link }) => link ?? []));
  const [rows, links, entries] = await ctx.db.read(
    selectAssetsByIds(workspaceId, [...wantedOf.keys()]),
    linkIds.size === 0 ? undefined : selectTargetLinks(workspaceId, [...linkIds]),
    // Read again with the assets, so that none of them is undone that has changed since its entry was read.
    undone === undefined
      ? undefined
      : readEntries(selectBatch(workspaceId, undone.reverted, "", MAX_CHANGED_ASSETS)),
  );
  const first = assertFound(rows[0], "Poster");
  const later = new Set(entries.filter(({ has_next }) => has_next === 1).map(({ subject }) => subject));
  const targets = new Map(links.map((link) => [link.public_id, link]));
  const isUndo = undone !== undefined;
  const isAlone = !isUndo && wantedOf.size === 1;
  const wanted = rows
    .filter((row) => !later.has(row.public_id))
    .flatMap((row) => planChange(row, wantedOf.get(row.public_id) ?? {}, targets, { isUndo, isAlone }) ?? []);
  const byTarget = Map.groupBy(wanted, ({ target }) => target);
  const changes = [...byTarget].flatMap(([target, moved]) => {
    if (target === undefined) return moved;
    // An undo leaves what its former link has no room for.
    if (isUndo && !hasRoomFor(target, moved.length)) return [];
    assertTakesAssets(target, moved.length);
    return moved;
  });
  const after = await commitAssets(ctx, changes, { at: ctx.now(), batch, undone });
  return { changed: changes.length, left: rows.length - changes.length, row: after[0] ?? first };
}

/**
 * Updates an asset; 422 on `status` for a change that is not allowed. An asset with a deleted link cannot go live. With
 * `link` it is moved to another link and takes its code along; 422 on `link` if it cannot leave its link or the other one
 * can have no more assets.
 */
export const updateAsset = (
  ctx: Context,
  assetId: string,
  { link: named, ...input }: ChangedAsset,
): Promise<Asset> =>
  retryLostRaces(async () => {
    const link = named === undefined ? undefined : ((await findTarget(ctx, named))?.public_id ?? UNKNOWN);
    const { row } = await change(ctx, new Map([[storedId(assetId), { ...input, link }]]));
    return toAsset(row, ctx.config);
  });

/**
 * Retires assets, sets them live or moves them to another link, all that can be in one batch. The others stay as they are:
 * drafts are not retired, an asset of a deleted link does not go live, and one that is taken down is not moved. An asset
 * alone is retired as a draft too, and 422 says why it cannot be changed.
 */
export const changeAssets = (ctx: Context, { ids, status, link: named }: ChangedAssets) =>
  retryLostRaces(async () => {
    const link = named === undefined ? undefined : assertTakesAssets(await findTarget(ctx, named), 0);
    const wanted = { status, link: link?.public_id };
    const batch = ctx.operation ?? newId(ctx.now());
    const { changed, left } = await change(ctx, new Map(ids.map((id) => [storedId(id), wanted])), { batch });
    return { changed, left, link, batch };
  });

/** Gives the assets of a change of many their former status and link, those that have not changed since. */
export const undoAssets = (ctx: Context, operation: string) =>
  retryLostRaces(async () => {
    const entries = selectBatch(ctx.workspace.rowId, operation, "", MAX_CHANGED_ASSETS);
    const [rows] = await ctx.db.read(readEntries(entries));
    const [first] = rows;
    const unchanged = rows.filter(({ has_next }) => has_next === 0);
    const wantedOf = new Map<string, Wanted>(
      unchanged.map(({ subject, before }) => [subject, parseObject(before)]),
    );
    if (first === undefined || wantedOf.size === 0) return { changed: 0, left: rows.length };
    const { changed } = await change(ctx, wantedOf, {
      batch: ctx.operation ?? newId(ctx.now()),
      undone: takesBack(first),
    });
    return { changed, left: rows.length - changed };
  });
