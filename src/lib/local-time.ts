import { DAY_MS, isoTime, parseIsoMoment } from "./time";
import { exactOffsetAt } from "./time-zone";

// The moments of `datetime-local` fields: a date and a time of day without a zone.

/** The date and time that clocks of a zone show. Seconds and milliseconds are left out if they are 0. */
export function toLocalMoment(time: string, zone: string): string {
  const at = Date.parse(time);
  return isoTime(at + exactOffsetAt(zone, at)).replace(/(?::00)?(?:\.000)?Z$/, "");
}

/** The same for a field of a form. The last millisecond of a minute is shown as the next one. */
export const toFormMoment = (time: string, zone: string): string =>
  toLocalMoment(time.endsWith(":59.999Z") ? isoTime(Date.parse(time) + 1) : time, zone);

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/**
 * The ISO time at which clocks of a zone show this. Of a time that occurs twice, the first. A time that is skipped moves on
 * by as much as the clock does. Undefined for a text that is no such time.
 */
export function fromLocalMoment(text: string, zone: string): string | undefined {
  const local = LOCAL.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  // Date.parse takes 30 February for a day in March.
  if (Number.isNaN(local) || isoTime(local).slice(0, 10) !== text.slice(0, 10)) return undefined;
  // The clock changes at most once within two days.
  const [before, after] = [exactOffsetAt(zone, local - DAY_MS), exactOffsetAt(zone, local + DAY_MS)];
  const found = [local - before, local - after].filter((at) => at + exactOffsetAt(zone, at) === local);
  return isoTime(found.length === 0 ? local - before : Math.min(...found));
}

/** Seconds or milliseconds since the epoch, of the years from 2001. */
const EPOCH = /^\d{10}(?:\d{3})?$/;

/** A date as people write it, with the year first or last, and maybe a time of day. */
const WRITTEN_DATE =
  /^(?:(\d{4})[./-](\d\d?)[./-](\d\d?)|(\d\d?)([./-])(\d\d?)\5(\d{4}))(?:(?:, ?| |T)(\d\d?)(:\d\d(?::\d\d)?)(?: ?([AP])M)?)?$/i;

/** Which number of a date such as 03/04/2026 comes first. */
export const DATE_ORDERS = ["day", "month"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/**
 * The order that the numbers of such a date show: "dots" for a date with dots, which has the day first, and "either" for one that can be
 * read in both ways. Undefined for other texts, and where it makes no difference.
 */
export function dateOrderOf(text: string): DateOrder | "dots" | "either" | undefined {
  const [, , , , first, sign, second] = WRITTEN_DATE.exec(text) ?? [];
  if (first === undefined) return undefined;
  if (sign === ".") return Number(second) > 12 ? undefined : "dots";
  if (Number(first) === Number(second)) return undefined;
  if (Number(first) > 12) return "day";
  return Number(second) > 12 ? "month" : "either";
}

const twoDigits = (number: string | number): string => `${number}`.padStart(2, "0");

/** A written date as ISO 8601 without a zone, if its order is known. Other texts stay as they are. */
function toIsoText(text: string, order: DateOrder | undefined): string {
  const found = WRITTEN_DATE.exec(text);
  const shown = dateOrderOf(text);
  const known = shown === "either" ? order : shown === "month" ? "month" : "day";
  if (found === null || known === undefined) return text;
  const [, year, month = "", day = "", first = "", , second = "", last, hours, minutes, half] = found;
  const [ofMonth, ofDay] =
    year !== undefined ? [month, day] : known === "day" ? [second, first] : [first, second];
  const date = `${year ?? last}-${twoDigits(ofMonth)}-${twoDigits(ofDay)}`;
  if (hours === undefined) return date;
  if (half === undefined) return `${date}T${twoDigits(hours)}${minutes}`;
  if (Number(hours) < 1 || Number(hours) > 12) return text;
  return `${date}T${twoDigits((Number(hours) % 12) + (half.toUpperCase() === "P" ? 12 : 0))}${minutes}`;
}

/** Whether a text is written as a date that no calendar has, such as 31.02.2026. */
export const isNoDay = (text: string): boolean =>
  WRITTEN_DATE.test(text) && startOfDate(toIsoText(text.replace(/[, T].*/i, ""), "day"), "UTC") === undefined;

/** The day that a text in a file is: 2026-12-31 for 31.12.2026. Undefined for any other text. */
export function fromWrittenDay(text: string, order: DateOrder | undefined): string | undefined {
  const iso = toIsoText(text, order);
  return startOfDate(iso, "UTC") === undefined ? undefined : iso;
}

/**
 * The time that a person or another service has written in a file, in UTC: seconds or milliseconds since the epoch, a date and time, or
 * a date, which is its beginning. What has no zone is by the clocks of `zone`. `order` is for dates such as
 * 03/04/2026. Undefined for any other text.
 */
export function fromWrittenMoment(
  text: string,
  zone: string,
  { order }: { order?: DateOrder | undefined } = {},
): string | undefined {
  if (EPOCH.test(text)) return isoTime(Number(text.padEnd(13, "0")));
  const iso = toIsoText(text, order);
  const local = iso.replace(" ", "T").replace(/(\.\d{3})\d{1,6}$/, "$1");
  return startOfDate(iso, zone) ?? parseIsoMoment(iso.replace(/ ?UTC$/, "Z")) ?? fromLocalMoment(local, zone);
}

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
