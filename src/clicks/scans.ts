import type { Context } from "../context";
import { assetNotFound } from "../errors";
import { isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { dayOf, sumOf, type Visits } from "./report";
import { selectScannedAsset, selectScansByDay, selectScansByHour } from "./scan-repository";

type Scans = Pick<Visits, "scans" | "late" | "bots">;

interface ScanReport {
  from: string;
  to: string;
  totals: Scans;
  days: ({ day: string } & Scans)[];
  /** By hour of the day in UTC, all 24. Months older than 13 months are not in it. */
  hours: { hour: number; scans: number }[];
  /** When the asset got its code; null if it has none. What was printed before leads by a slug of the link. */
  code_at: string | null;
}

/** The scans of an asset from `from` to before `to`, whichever link it had. Throws 404. */
export async function reportScans(
  ctx: Context,
  asset: string,
  from: number,
  to: number,
): Promise<ScanReport> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(asset);
  const [[found], days, hours] = await ctx.db.read(
    selectScannedAsset(workspaceId, id),
    selectScansByDay(workspaceId, id, from, to),
    selectScansByHour(workspaceId, id, from, to),
  );
  if (found === undefined) throw assetNotFound();
  const scansAt = new Map(hours.map(({ hour, scans }) => [hour, scans]));
  return {
    from: isoTime(from),
    to: isoTime(to),
    totals: { scans: sumOf(days, "scans"), late: sumOf(days, "late"), bots: sumOf(days, "bots") },
    days: days.map(({ day, ...scans }) => ({ day: dayOf(day), ...scans })),
    hours: Array.from({ length: 24 }, (_, hour) => ({ hour, scans: scansAt.get(hour) ?? 0 })),
    code_at: isoTimeOrNull(found.code_at),
  };
}
