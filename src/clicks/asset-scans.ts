import type { Context } from "../context";
import { assetNotFound } from "../errors";
import type { Range } from "../lib/range";
import { HOUR_MS, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import {
  type AssetScansRow,
  selectLifeOfCode,
  selectScansByHourOfDay,
  selectScansOfLink,
} from "./scan-repository";

const MAX_ASSETS = 200;

export type AssetScans = AssetScansRow;

/**
 * The assets that a link has now, the most scanned first, each with all its scans of the range. None for an unknown link.
 * `isMore` if there are more than 200, the most that a link may get.
 */
export async function listAssetScans(
  ctx: Context,
  link: string,
  range: Range,
): Promise<{ assets: AssetScans[]; isMore: boolean }> {
  const [rows] = await ctx.db.read(
    selectScansOfLink(ctx.workspace.rowId, storedId(link), range.from, range.to, MAX_ASSETS + 1),
  );
  return { assets: rows.slice(0, MAX_ASSETS), isMore: rows.length > MAX_ASSETS };
}

const HOURS = 24;

export interface ScanTimes {
  /** Scans by hour of the day in the zone of the range, all 24. Months older than 13 months are not in it. */
  hours: number[];
  /** When the asset got its code; null if it has none. What was printed before leads by a slug of the link. */
  code_at: string | null;
  /** All scans so far, whatever the range. */
  in_all: number;
  /** How many of the scans of the range are from hours before the asset first went live, such as tests of a print. */
  before_live: number;
}

/** At which hours an asset is scanned in a range. One call of D1. Throws 404. */
export async function reportScanTimes(ctx: Context, asset: string, range: Range): Promise<ScanTimes> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(asset);
  const { from, to, offsets } = range;
  const changes = offsets.slice(1).map((offset) => offset.from);
  const [[life], rows] = await ctx.db.read(
    selectLifeOfCode(workspaceId, id, from, to),
    selectScansByHourOfDay(workspaceId, id, { from, to, changes }),
  );
  if (life === undefined) throw assetNotFound();
  const hours = new Array<number>(HOURS).fill(0);
  for (const { hour, part, scans } of rows) {
    const local = (hour + (offsets[part]?.offset ?? 0) / HOUR_MS + HOURS) % HOURS;
    hours[local] = (hours[local] ?? 0) + scans;
  }
  return {
    hours,
    code_at: isoTimeOrNull(life.code_at),
    in_all: life.scans,
    before_live: life.before_live,
  };
}
