import { bucketCount, bucketOfDay, type Range } from "../lib/range";
import { HOUR_MS } from "../lib/time";
import { startOfLocalDay } from "../lib/time-zone";

// The points of a chart. Pure.

/** Clicks and scans in an hour, day or week. */
export interface Point {
  clicks: number;
  scans: number;
}

interface Counted extends Point {
  /** The local day. */
  day: number;
  /** Null for a whole day, or for the sum of a month that is stored at its first day. */
  hour: number | null;
}

function bucketOf(range: Range, { day, hour }: Counted): number {
  if (range.unit !== "hour") return bucketOfDay(range, day);
  return ((hour ?? startOfLocalDay(range.zone, day)) - range.from) / HOUR_MS;
}

/** The visits of a range, one point for each of its buckets. */
export function toPoints(range: Range, visits: readonly Counted[]): Point[] {
  const points = Array.from({ length: bucketCount(range) }, (): Point => ({ clicks: 0, scans: 0 }));
  for (const visit of visits) {
    const point = points[bucketOf(range, visit)];
    if (point === undefined) continue;
    point.clicks += visit.clicks;
    point.scans += visit.scans;
  }
  return points;
}
