import { type Bucket, bucketsOf, monthsIn, type Preset, type Range, type Unit } from "../../lib/range";
import { DAY_MS } from "../../lib/time";
import { exactOffsetAt } from "../../lib/time-zone";

// Local days are formatted as if they were days in UTC.
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });

const DAY = format({ day: "numeric", month: "short" });
const DAY_OF_YEAR = format({ day: "numeric", month: "short", year: "numeric" });
const DAY_OF_WEEK = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const MONTH = format({ month: "short", year: "numeric" });

const MONTH_IN_FULL = format({ month: "long", year: "numeric" });

/** The month of a time in UTC: May 2026. */
export const monthName = (at: number): string => MONTH_IN_FULL.format(at);

const DAYS_OF_LONG_RANGE = 366;

export const dayName = (day: number): string => DAY_OF_YEAR.format(day * DAY_MS);

/** What clocks of the present zone show when an hour begins, also where an earlier zone counted its day. */
const clockAt = ({ zone }: Range, { at }: Bucket): number => at + exactOffsetAt(zone, at);

const TIME = format({ hour: "2-digit", minute: "2-digit" });

export function bucketName(range: Range, bucket: Bucket): string {
  const { day } = bucket;
  if (range.unit === "hour") {
    const clock = clockAt(range, bucket);
    return `${DAY_OF_YEAR.format(clock)}, ${TIME.format(clock)}`;
  }
  return range.unit === "day" ? DAY_OF_WEEK.format(day * DAY_MS) : `Week from ${dayName(day)}`;
}

const isOverYear = ({ firstDay, lastDay }: Range): boolean => lastDay - firstDay >= DAYS_OF_LONG_RANGE;

/** How an axis names its points in the few characters that it has room for. All of an axis have one format. */
function tickFormat(range: Range, buckets: readonly Bucket[]): (bucket: Bucket) => string {
  if (range.unit !== "hour") {
    const days = isOverYear(range) ? MONTH : DAY;
    return ({ day }) => days.format(day * DAY_MS);
  }
  const dates = new Set(buckets.map((bucket) => Math.floor(clockAt(range, bucket) / DAY_MS)));
  return (bucket) => {
    const clock = clockAt(range, bucket);
    return dates.size === 1 ? TIME.format(clock) : `${DAY.format(clock)}, ${TIME.format(clock)}`;
  };
}

export interface Tick {
  index: number;
  label: string;
}

export const MAX_TICKS = 7;
/** Months with their year, and hours with their day, are long. */
const MAX_LONG_TICKS = 4;

export function ticksOf(range: Range, buckets: readonly Bucket[] = bucketsOf(range)): Tick[] {
  const isLong = range.unit === "hour" || isOverYear(range);
  const exact = buckets.length / (isLong ? MAX_LONG_TICKS : MAX_TICKS);
  const step = isLong ? Math.max(1, exact) : Math.max(1, Math.ceil(exact));
  const indices = Array.from({ length: Math.ceil(buckets.length / step) }, (_, tick) =>
    Math.round(tick * step),
  );
  const name = tickFormat(range, buckets);
  return indices.flatMap((index) => {
    const bucket = buckets[index];
    return bucket === undefined ? [] : [{ index, label: name(bucket) }];
  });
}

/** Whether a range has begun and is not over yet. It is then compared up to the same hour. */
export const isUnfinished = ({ range, now }: { range: Range; now: number }): boolean =>
  now >= range.from && now < range.to;

/** The index of the bucket that is not over yet; -1 if there is none. */
export const unfinishedIndex = (range: Range, buckets: readonly Bucket[], now: number): number =>
  isUnfinished({ range, now }) ? buckets.findLastIndex(({ at }) => at <= now) : -1;

export const PRESET_NAMES: Readonly<Record<Preset, string>> = {
  today: "Today",
  yesterday: "Yesterday",
  "7": "Last 7 days",
  "30": "Last 30 days",
  "90": "Last 90 days",
  "365": "Last 12 months",
  "this-month": "This month",
  "last-month": "Last month",
  "this-quarter": "This quarter",
  all: "All time",
};

export function rangeName({ preset, firstDay, lastDay }: Range): string {
  if (preset !== undefined) return PRESET_NAMES[preset];
  return firstDay === lastDay ? dayName(firstDay) : `${dayName(firstDay)} to ${dayName(lastDay)}`;
}

/** The days of a range, also where it has a name: "1 May 2026 to 30 May 2026". */
export const writtenDays = (range: Range): string => rangeName({ ...range, preset: undefined });

type Days = Pick<Range, "preset" | "firstDay" | "lastDay">;

/** The days or months before a range: "the 30 days before", "the month before". */
export function nameOfBefore(range: Days): string {
  if (range.preset === "this-quarter") return "the quarter before";
  const months = monthsIn(range);
  const unit = months === undefined ? "day" : "month";
  const size = months ?? range.lastDay - range.firstDay + 1;
  return size === 1 ? `the ${unit} before` : `the ${size} ${unit}s before`;
}

/** What the numbers of a range are compared with. */
export function nameOfCompared(shown: { range: Range; now: number }): string {
  const until = monthsIn(shown.range) === undefined ? "up to the same hour" : "up to the same day and hour";
  return isUnfinished(shown) ? `${nameOfBefore(shown.range)}, ${until}` : nameOfBefore(shown.range);
}

/** The unit of a point: as the heading of a column, with its article, and the one of now. */
export const UNIT_NAMES: Readonly<Record<Unit, { heading: string; perOne: string; current: string }>> = {
  hour: { heading: "Hour", perOne: "an hour", current: "This hour so far" },
  day: { heading: "Day", perOne: "a day", current: "Today so far" },
  week: { heading: "Week", perOne: "a week", current: "This week so far" },
};
