import type { Context } from "../context";
import { notFound } from "../errors";
import type { Range } from "../lib/range";
import { isoTimeOrNull } from "../lib/time";
import { selectAssetsOfLink, selectCode } from "./names-repository";
import { ownerById } from "./owners";
import { selectTimeSeries } from "./report-repository";

const HOURS = 24;

/**
 * The assets that a link has now, the most scanned first, each with all its scans of the range. None for an unknown link.
 * One call of D1.
 */
export async function listAssetScans(ctx: Context, link: string, range: Range) {
  const [assets] = await ctx.db.read(selectAssetsOfLink(ctx.workspace.rowId, link, range));
  return assets;
}

/** At which hours an asset is scanned in a range. One call of D1. Throws 404. */
export async function reportScanTimes(ctx: Context, asset: string, range: Range) {
  const workspaceId = ctx.workspace.rowId;
  const [[code], rows] = await ctx.db.read(
    selectCode(workspaceId, asset, range.from, range.to),
    selectTimeSeries("asset", ownerById("asset", workspaceId, asset), range, "hour of day"),
  );
  if (code === undefined) throw notFound("Offline Engagement asset");
  const scansAt = new Map(rows.map(({ at, scans }) => [at, scans]));
  return {
    /** Scans by hour of the day in the zone of the range, all 24. */
    hours: Array.from({ length: HOURS }, (_, hour) => scansAt.get(hour) ?? 0),
    /** When the asset got its code; null if it has none. What was printed before leads by a slug of the link. */
    code_at: isoTimeOrNull(code.code_at),
    /** All scans so far, whatever the range. */
    in_all: code.scans,
    /** How many of the scans of the range are from hours before the asset first went live, such as tests of a print. */
    before_live: code.before_live,
  };
}
