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

/** The ranges with a name. All but yesterday and last month end today, and `all` is everything since the beginning. */
export const PRESETS = [
  "today",
  "yesterday",
  "7",
  "30",
  "90",
  "365",
  "this-month",
  "last-month",
  "this-quarter",
  "all",
] as const;
export type Preset = (typeof PRESETS)[number];

const MONTHS_OF_YEAR = 12;

/** The month of a local day. Months are numbers since January 1970. */
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * MONTHS_OF_YEAR + date.getUTCMonth();
}

/** The first day of the month of a local day, or of a later or earlier month. */
const monthStart = (day: number, later = 0): number => Date.UTC(1970, monthOf(day) + later, 1) / DAY_MS;

/** The first and the last day of a range with a name. */
function daysOf(preset: Preset, today: number): readonly [first: number, last: number] {
  const named: Partial<Record<Preset, readonly [first: number, last: number]>> = {
    today: [today, today],
    yesterday: [today - 1, today - 1],
    "this-month": [monthStart(today), today],
    "last-month": [monthStart(today, -1), monthStart(today) - 1],
    "this-quarter": [monthStart(today, -(new Date(today * DAY_MS).getUTCMonth() % 3)), today],
  };
  return named[preset] ?? [today - Number(preset) + 1, today];
}

const DEFAULT_PRESET = "30";
export const MAX_DAYS = 3_653;
const MAX_DAYS_BY_HOUR = 2;
export const MAX_DAYS_BY_DAY = 90;
export const DAYS_OF_WEEK = 7;
/** 1 January 1970 was a Thursday, three days after a Monday. */
const DAYS_SINCE_MONDAY = 3;

export type Unit = "hour" | "day" | "week";

/** Whole days in a time zone. Local days are numbers since 1 January 1970. */
export interface Range {
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

export const dayIn = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

export const toDate = (day: number): string => isoTime(day * DAY_MS).slice(0, 10);

/**
 * The range of a query. The days may be in either order; without any it is the last 30 days. `since` is where "all" begins,
 * such as the creation of what is shown. No range begins before the first day whose visits are kept.
 */
export function toRange({ last, from, to }: RangeQuery, zones: Zones, now: number, since: number): Range {
  const today = localDayAt(zones, now);
  if (from === undefined && to === undefined) {
    const preset = last ?? DEFAULT_PRESET;
    const [first, end] =
      preset === "all" ? [Math.min(firstDaySince(since, zones, now), today), today] : daysOf(preset, today);
    return rangeOfDays(zones, first, end, preset);
  }
  const one = from === undefined ? undefined : dayIn(from);
  const other = to === undefined ? undefined : dayIn(to);
  const end = other ?? Math.max(today, one ?? today);
  const begin = one ?? end - Number(DEFAULT_PRESET) + 1;
  const lastDay = Math.max(begin, end);
  const firstDay = Math.max(Math.min(begin, end), firstDaySince(0, zones, now));
  return rangeOfDays(zones, Math.min(firstDay, lastDay), lastDay);
}

const dayCount = ({ firstDay, lastDay }: Range): number => lastDay - firstDay + 1;

/** The months of a range of whole months, or of one that began with a month and goes on; undefined for other ranges. */
export function monthsIn({ preset, firstDay, lastDay }: Pick<Range, "preset" | "firstDay" | "lastDay">) {
  if (preset === "this-month") return 1;
  if (preset === "this-quarter") return 3;
  if (preset !== undefined && preset !== "last-month") return undefined;
  if (monthStart(firstDay) !== firstDay || monthStart(lastDay + 1) !== lastDay + 1) return undefined;
  return monthOf(lastDay + 1) - monthOf(firstDay);
}

/** The range just before it, of as many days, or of as many whole months. */
export function rangeBefore(range: Range): Range {
  const months = monthsIn(range);
  const first = months === undefined ? range.firstDay - dayCount(range) : monthStart(range.firstDay, -months);
  return rangeOfDays(range.zones, first, range.firstDay - 1);
}

/**
 * The range before, which it is compared with. What began with a month or quarter and goes on is compared with as many days
 * of the one before, as far as that has them.
 */
export function comparedRange(range: Range): Range {
  const before = rangeBefore(range);
  const goesOn = range.preset === "this-month" || range.preset === "this-quarter";
  const last = goesOn ? Math.min(before.lastDay, before.firstDay + dayCount(range) - 1) : before.lastDay;
  return { ...rangeOfDays(range.zones, before.firstDay, last), unit: range.unit };
}

/**
 * Until when the range before is compared: while a range is not over, up to the same hour of the corresponding day, the
 * hour that is not over included.
 */
export function comparedUntil(range: Range, now: number): number {
  const { zones } = range;
  const before = comparedRange(range);
  if (now < range.from || now >= range.to) return before.to;
  const today = localDayAt(zones, now);
  const day = before.firstDay + today - range.firstDay;
  if (day > before.lastDay) return before.to;
  const hours = Math.floor((now - startOfLocalDay(zones, today)) / HOUR_MS) + 1;
  return Math.min(startOfLocalDay(zones, day) + hours * HOUR_MS, startOfLocalDay(zones, day + 1));
}

/** The range of as many days or whole months just after it, or as far as today; undefined if that is in the future. */
export function rangeAfter(range: Range, now: number): Range | undefined {
  const today = localDayAt(range.zones, now);
  if (range.lastDay >= today) return undefined;
  const first = range.lastDay + 1;
  const months = monthsIn(range);
  const last = months === undefined ? range.lastDay + dayCount(range) : monthStart(first, months) - 1;
  return rangeOfDays(range.zones, first, Math.min(last, today));
}

export const toRangeQuery = ({ preset, firstDay, lastDay }: Range): RangeQuery =>
  preset === undefined ? { from: toDate(firstDay), to: toDate(lastDay) } : { last: preset };

export interface Bucket {
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
