import { MAX_RANKED_ASSETS } from "../../analytics/limits";
import { sumScansOfAssets, sumScansOfGroup } from "../../analytics/visits-by-owner";
import type { Context } from "../../context";
import { sortNaturally } from "../../lib/natural-order";
import { pageOf } from "../../lib/paging";
import type { Range } from "../../lib/range";
import { storedId } from "../../lib/ulid-text";
import { ASSETS_PER_PAGE, MAX_SORTED_ASSETS, readListed } from "./list";
import { selectSummariesOfGroup } from "./list-repository";

/**
 * A page of the assets of a group's links, the most scanned in a range first, then in natural order of their names. More than
 * 500 are listed with the newest first, and only 2,000 of them. Two calls of D1, one after the other.
 */
export async function listAssetsOfGroup(ctx: Context, group: string, range: Range, page: number) {
  const id = storedId(group);
  const [[read], counted] = await Promise.all([
    ctx.db.read(selectSummariesOfGroup(ctx.workspace.rowId, id, MAX_SORTED_ASSETS + 1)),
    sumScansOfGroup(ctx, id, range),
  ]);
  const all = read.slice(0, MAX_SORTED_ASSETS);
  const isRanked = all.length <= MAX_RANKED_ASSETS;
  const scansOf = (asset: { id: string }): number => counted.get(asset.id) ?? 0;
  const ordered = isRanked ? sortNaturally(all).toSorted((one, other) => scansOf(other) - scansOf(one)) : all;
  const { items: shown, meta } = pageOf(ordered, page, ASSETS_PER_PAGE);
  const ids = shown.map((asset) => asset.id);
  const [items, scans] = await Promise.all([
    readListed(ctx, ids),
    isRanked ? counted : sumScansOfAssets(ctx, ids, range),
  ]);
  return {
    items,
    /** In the range, by asset id, of those that have any. */
    scans,
    meta,
    /** Of all of them; null if they are not ordered by their scans. */
    allScans: isRanked ? all.reduce((sum, asset) => sum + scansOf(asset), 0) : null,
    /** True if there are more than are listed. */
    isCut: read.length > MAX_SORTED_ASSETS,
  };
}
