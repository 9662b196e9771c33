import { bucketCount, bucketOfDay, type Range } from "../lib/range";
import { HOUR_MS } from "../lib/time";
import { localDayIn } from "../lib/time-zone";
import type { CountsRow } from "./report-repository";
import type { VisitCounts } from "./visit-buffer";

// The time series of a report. Pure.

export const POINT_FIELDS = ["clicks", "scans", "after_end"] as const;

export type Point = Pick<VisitCounts, (typeof POINT_FIELDS)[number]>;

/** How the rows of a range are read: weeks are summed from days. */
export const rowsBy = ({ unit }: Pick<Range, "unit">): "hour" | "day" => (unit === "hour" ? "hour" : "day");

export function toPoints(range: Range, rows: readonly CountsRow[]): readonly Point[] {
  const points = Array.from(
    { length: bucketCount(range) },
    (): Point => ({ clicks: 0, scans: 0, after_end: 0 }),
  );
  for (const { at, clicks, scans, after_end } of rows) {
    const time = at ?? range.from;
    const point =
      points[range.unit === "hour" ? Math.floor((time - range.from) / HOUR_MS) : bucketOfDay(range, time)];
    if (point === undefined) continue;
    point.clicks += clicks;
    point.scans += scans;
    point.after_end += after_end;
  }
  return points;
}

export function toDays({ unit, firstDay, lastDay, offsets }: Range, rows: readonly CountsRow[]) {
  const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({
    day: firstDay + index,
    clicks: 0,
    scans: 0,
  }));
  for (const { at, clicks, scans } of rows) {
    const day = days[(unit === "hour" ? localDayIn(offsets, at ?? 0) : (at ?? 0)) - firstDay];
    if (day === undefined) continue;
    day.clicks += clicks;
    day.scans += scans;
  }
  return days;
}

export function sumCounts(rows: readonly VisitCounts[]): VisitCounts {
  const sum = { clicks: 0, scans: 0, bots: 0, after_end: 0 };
  for (const row of rows)
    for (const name of Object.keys(sum) as (keyof VisitCounts)[]) sum[name] += row[name];
  return sum;
}

export const visitsOf = ({ clicks, scans }: Pick<VisitCounts, "clicks" | "scans">): number => clicks + scans;
