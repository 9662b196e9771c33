import { DAY_MS, HOUR_MS, isoTime } from "./time";
import {
  localDayAt,
  localDayIn,
  type Offset,
  offsetsIn,
  presentZone,
  startOfDayIn,
  startOfLocalDay,
  type Zones,
} from "./time-zone";

/** The ranges with a name: days until today, or everything since the beginning. */
export const PRESETS = ["today", "7", "30", "90", "365", "all"] as const;
export type Preset = (typeof PRESETS)[number];

const daysOf = (preset: Exclude<Preset, "all">): number => (preset === "today" ? 1 : Number(preset));

const DEFAULT_PRESET = "30";
export const MAX_DAYS = 3_653;
const MAX_DAYS_BY_HOUR = 2;
const MAX_DAYS_BY_DAY = 90;
const DAYS_OF_WEEK = 7;
/** 1 January 1970 was a Thursday, three days after a Monday. */
const DAYS_SINCE_MONDAY = 3;

export type Unit = "hour" | "day" | "week";

/** Whole days in a time zone. Local days are numbers since 1 January 1970. */
export interface Range {
  /** Undefined for a range of chosen days. */
  preset: Preset | undefined;
  zone: string;
  /** The zones by whose clocks its days are counted. */
  zones: Zones;
  firstDay: number;
  lastDay: number;
  /** The same in milliseconds since the epoch: where the first day begins, and the last one ends. */
  from: number;
  to: number;
  unit: Unit;
  offsets: readonly Offset[];
}

const unitOf = (days: number): Unit =>
  days <= MAX_DAYS_BY_HOUR ? "hour" : days <= MAX_DAYS_BY_DAY ? "day" : "week";

/** The range of local days, both included; at most the last ten years of them. */
export function rangeOfDays(zones: Zones, first: number, last: number, preset?: Preset): Range {
  const firstDay = Math.max(first, last - MAX_DAYS + 1);
  const from = startOfLocalDay(zones, firstDay);
  const to = startOfLocalDay(zones, last + 1);
  const unit = unitOf(last - firstDay + 1);
  const offsets = offsetsIn(zones, from, to);
  return { preset, zone: presentZone(zones), zones, firstDay, lastDay: last, from, to, unit, offsets };
}

/** What the query of a page says about its range. Days are as 2026-05-01. */
export interface RangeQuery {
  last?: Preset | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const KEPT_MONTHS = 25;

/** The start in UTC of the first month whose visits are kept by hour and day. */
export function keptFrom(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - KEPT_MONTHS, 1);
}

/** No clock is further ahead of UTC. */
const MAX_OFFSET_MS = 14 * HOUR_MS;

/** The counts of days that begin before are deleted: so the first day of the first month is whole in every zone. */
export const countsKeptFrom = (now: number): number => keptFrom(now) - MAX_OFFSET_MS;

export const firstDaySince = (since: number, zones: Zones, now: number): number =>
  Math.max(localDayAt(zones, Math.max(since, 0)), keptFrom(now) / DAY_MS);

/** The number of the local day of a date: 2026-05-01. */
export const dayIn = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

/** The date of a local day: 2026-05-01. */
export const toDate = (day: number): string => isoTime(day * DAY_MS).slice(0, 10);

/**
 * The range of a query. The days may be in either order; without any it is the last 30 days. `since` is where "all" begins,
 * such as the creation of what is shown. No range begins before the first day whose visits are kept.
 */
export function toRange({ last, from, to }: RangeQuery, zones: Zones, now: number, since: number): Range {
  const today = localDayAt(zones, now);
  if (from === undefined && to === undefined) {
    const preset = last ?? DEFAULT_PRESET;
    const first =
      preset === "all" ? Math.min(firstDaySince(since, zones, now), today) : today - daysOf(preset) + 1;
    return rangeOfDays(zones, first, today, preset);
  }
  const one = from === undefined ? undefined : dayIn(from);
  const other = to === undefined ? undefined : dayIn(to);
  const end = other ?? Math.max(today, one ?? today);
  const begin = one ?? end - daysOf(DEFAULT_PRESET) + 1;
  const lastDay = Math.max(begin, end);
  const firstDay = Math.max(Math.min(begin, end), firstDaySince(0, zones, now));
  return rangeOfDays(zones, Math.min(firstDay, lastDay), lastDay);
}

const dayCount = ({ firstDay, lastDay }: Range): number => lastDay - firstDay + 1;

/** The range of as many days just before it, which it is compared with. */
export const rangeBefore = (range: Range): Range =>
  rangeOfDays(range.zones, range.firstDay - dayCount(range), range.firstDay - 1);

/**
 * Until when the range before is compared: while a range is not over, up to the same hour of the corresponding day, the
 * hour that is not over included.
 */
export function comparedUntil(range: Range, now: number): number {
  if (now < range.from || now >= range.to) return range.from;
  const { zones } = range;
  const today = localDayAt(zones, now);
  const day = today - dayCount(range);
  const hours = Math.floor((now - startOfLocalDay(zones, today)) / HOUR_MS) + 1;
  return Math.min(startOfLocalDay(zones, day) + hours * HOUR_MS, startOfLocalDay(zones, day + 1));
}

/** The range of as many days just after it, or as far as today; undefined if that is in the future. */
export function rangeAfter(range: Range, now: number): Range | undefined {
  const today = localDayAt(range.zones, now);
  if (range.lastDay >= today) return undefined;
  return rangeOfDays(range.zones, range.lastDay + 1, Math.min(range.lastDay + dayCount(range), today));
}

/** The query of a range of chosen days. */
export const toRangeQuery = ({ preset, firstDay, lastDay }: Range): RangeQuery =>
  preset === undefined ? { from: toDate(firstDay), to: toDate(lastDay) } : { last: preset };

export interface Bucket {
  /** Its first local day. */
  day: number;
  /** Its first hour, in milliseconds since the epoch. */
  at: number;
}

const weekOf = (day: number): number => Math.floor((day + DAYS_SINCE_MONDAY) / DAYS_OF_WEEK);

/** The index of the bucket that a local day is in, for a range by day or week. */
export const bucketOfDay = ({ unit, firstDay }: Range, day: number): number =>
  unit === "week" ? weekOf(day) - weekOf(firstDay) : day - firstDay;

/** How many hours, days or weeks a range has. The last hour of a day of 24.5 hours is half as long. */
export const bucketCount = (range: Range): number =>
  range.unit === "hour"
    ? Math.ceil((range.to - range.from) / HOUR_MS)
    : bucketOfDay(range, range.lastDay) + 1;

export function bucketsOf(range: Range): Bucket[] {
  const { unit, from, firstDay, offsets } = range;
  const firstDayOf = (index: number): number =>
    unit === "day"
      ? firstDay + index
      : Math.max(firstDay, (weekOf(firstDay) + index) * DAYS_OF_WEEK - DAYS_SINCE_MONDAY);
  return Array.from({ length: bucketCount(range) }, (_, index) => {
    const at = unit === "hour" ? from + index * HOUR_MS : startOfDayIn(offsets, firstDayOf(index));
    return { day: unit === "hour" ? localDayIn(offsets, at) : firstDayOf(index), at };
  });
}
