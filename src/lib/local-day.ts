import { fromLocalMoment, toLocalMoment } from "./local-moment";
import { DAY_MS, isoTime } from "./time";

// Days in a time zone to the millisecond, for what people write and read. Counts of visits begin a day at a full hour instead.

const DATE_LENGTH = "2026-05-01".length;

/** The date in a time zone at an ISO time: 2026-05-01. */
export const dateAt = (time: string, zone: string): string => toLocalMoment(time, zone).slice(0, DATE_LENGTH);

/** The first millisecond of a date in a time zone. Undefined for a text that is no date. */
export const startOfDate = (date: string, zone: string): string | undefined =>
  fromLocalMoment(`${date}T00:00`, zone);

/** The last millisecond of a date in a time zone. Undefined for a text that is no date. */
export function endOfDateIn(date: string, zone: string): string | undefined {
  if (startOfDate(date, zone) === undefined) return undefined;
  const next = isoTime(Date.parse(date) + DAY_MS).slice(0, DATE_LENGTH);
  const end = startOfDate(next, zone);
  return end === undefined ? undefined : isoTime(Date.parse(end) - 1);
}

/** The times from the start of the first day, inclusive, to the end of the last, exclusive. Either may be open. */
export function timesOfDays(from: string | undefined, to: string | undefined, zone: string) {
  const start = from === undefined ? undefined : startOfDate(from, zone);
  const end = to === undefined ? undefined : endOfDateIn(to, zone);
  return {
    from: start === undefined ? undefined : Date.parse(start),
    to: end === undefined ? undefined : Date.parse(end) + 1,
  };
}

/** How many dates later than `from` the time `to` is in a time zone. Negative if it is earlier. */
export const daysBetween = (from: number, to: number, zone: string): number =>
  (Date.parse(dateAt(isoTime(to), zone)) - Date.parse(dateAt(isoTime(from), zone))) / DAY_MS;
