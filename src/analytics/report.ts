import type { Context } from "../context";
import { notFound } from "../errors";
import { bucketsOf, comparedRange, comparedUntil, keptFrom, type Range } from "../lib/range";
import { DAY_MS, isoTimeOrNull } from "../lib/time";
import { offsetsIn } from "../lib/time-zone";
import { selectAssetsOfLink, selectCode } from "./names-repository";
import { type OwnerKind, type Owners, ownerById, ownerOf, type ReportSubject } from "./owners";
import {
  type CountsRow,
  linksOfTag,
  type OriginRow,
  selectIsTooMany,
  selectOrigins,
  selectTimeSeries,
  selectTotals,
} from "./report-repository";
import { mergeSources } from "./sources";
import { rowsBy, sumCounts, toDays, toPoints, visitsOf } from "./time-series";
import type { Origin } from "./visit-buffer";

export type { ReportSubject } from "./owners";
export type { Point } from "./time-series";

export const subjectNotFound = (subject: ReportSubject) =>
  notFound("link" in subject ? "Link" : "group" in subject ? "Activity Group" : "Poster");

/** The visits of the range before, up to the same hour while the range goes on. By hour all of it is read, for its line. */
const toCompared = (range: Range, now: number): { before: Range; until: number } => {
  const before = comparedRange(range);
  const until = comparedUntil(range, now);
  return { before: range.unit === "hour" ? before : { ...before, to: until }, until };
};

export function toOrigins(rows: readonly OriginRow[]) {
  /** Each is a country code, a device, a source's name or domain, or the key of a rule; `""` is unknown, or no rule. */
  const of = (origin: Origin | "rule") =>
    rows.filter(({ dimension }) => dimension === origin).map(({ value, visits }) => ({ value, visits }));
  return {
    country: of("country"),
    referrer: mergeSources(of("referrer")),
    device: of("device"),
    rule: of("rule"),
  };
}

const statementsOf = (
  kind: OwnerKind,
  ownersSince: (from: number) => Owners,
  range: Range,
  before: Range | undefined,
) =>
  [
    selectTimeSeries(kind, ownersSince(range.from), range, rowsBy(range)),
    before && selectTimeSeries(kind, ownersSince(before.from), before, rowsBy(range)),
    kind === "asset" ? undefined : selectOrigins(kind, ownersSince(range.from), range),
  ] as const;

function toReport(
  range: Range,
  compared: ReturnType<typeof toCompared> | undefined,
  rows: readonly CountsRow[],
  rowsBefore: readonly CountsRow[],
  origins: readonly OriginRow[],
) {
  // By day and week rows are read until then. By hour they are of all hours, for the line of the chart.
  const isWithin = ({ at }: { at: number | null }) => compared !== undefined && (at ?? 0) < compared.until;
  const shown =
    compared && range.unit !== "hour" ? bucketsOf(compared.before).findLastIndex(isWithin) + 1 : undefined;
  return {
    totals: sumCounts(rows),
    /** Of the range before, as far as it is compared; null if it is not, or is not counted. */
    before: compared ? sumCounts(rowsBefore.filter(isWithin)) : null,
    points: toPoints(range, rows),
    days: toDays(range, rows),
    /** One for each bucket of the range before: all its hours, or its days and weeks as far as it is compared. */
    pointsBefore: compared ? toPoints(compared.before, rowsBefore).slice(0, shown) : null,
    /** Highest first. Empty for an asset. */
    origins: toOrigins(origins),
    /** Clicks and scans before the first month whose hours are kept; 0 if the range begins later. */
    earlier: { clicks: 0, scans: 0 },
  };
}

export type VisitReport = ReturnType<typeof toReport>;

/** The visits of the workspace, a group, a link (deleted or not) or an asset in a range. One call of D1. Throws 404. */
export async function reportVisits(
  ctx: Context,
  subject: ReportSubject,
  range: Range,
  { compare }: { compare: boolean },
): Promise<VisitReport> {
  const now = ctx.now();
  const compared = compare ? toCompared(range, now) : undefined;
  const [kind, owner] = ownerOf(ctx.workspace.rowId, subject);
  const [[all], rows, before, origins] = await ctx.db.read(
    selectTotals(ctx.workspace.rowId, subject),
    ...statementsOf(kind, () => owner, range, compared?.before),
  );
  if (all === undefined) throw subjectNotFound(subject);
  const report = toReport(range, compared, rows, before, origins);
  const isWhole = range.firstDay * DAY_MS <= keptFrom(now) && now < range.to;
  if (!isWhole || visitsOf(all) <= visitsOf(report.totals)) return report;
  const { clicks, scans } = report.totals;
  return { ...report, earlier: { clicks: all.clicks - clicks, scans: all.scans - scans } };
}

/** The visits of the links that wear a tag now; null if too many links of the workspace were visited since the range began. */
export async function reportTagVisits(
  ctx: Context,
  tag: string,
  range: Range,
  { compare }: { compare: boolean },
): Promise<VisitReport | null> {
  const workspaceId = ctx.workspace.rowId;
  const compared = compare ? toCompared(range, ctx.now()) : undefined;
  const linksSince = (from: number) => linksOfTag(workspaceId, tag, from);
  const [[cut], [cutBefore], rows, before, origins] = await ctx.db.read(
    selectIsTooMany(workspaceId, undefined, range.from),
    compared && selectIsTooMany(workspaceId, undefined, compared.before.from),
    ...statementsOf("link", linksSince, range, compared?.before),
  );
  if (cut?.is_too_many === 1) return null;
  return toReport(range, cutBefore?.is_too_many === 1 ? undefined : compared, rows, before, origins);
}

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
  // By the clocks of the present zone, also where days are counted by an earlier one.
  const clocks = { ...range, offsets: offsetsIn(range.zone, range.from, range.to) };
  const [[code], rows] = await ctx.db.read(
    selectCode(workspaceId, asset, range.from, range.to),
    selectTimeSeries("asset", ownerById("asset", workspaceId, asset), clocks, "hour of day"),
  );
  if (code === undefined) throw notFound("Poster");
  const scansAt = new Map(rows.map(({ at, scans }) => [at, scans]));
  return {
    hours: Array.from({ length: 24 }, (_, hour) => scansAt.get(hour) ?? 0),
    /** When the asset got its code; null if it has none. What was printed before leads by a slug of the link. */
    code_at: isoTimeOrNull(code.code_at),
    in_all: code.scans,
    /** How many of the scans of the range are from hours before the asset first went live, such as tests of a print. */
    before_live: code.before_live,
  };
}
