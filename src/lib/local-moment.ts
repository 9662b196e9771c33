import { DAY_MS, isoTime } from "./time";
import { exactOffsetAt } from "./time-zone";

// The moments of `datetime-local` fields: a date and a time of day without a zone.

/** The date and time that clocks of a zone show. Seconds and milliseconds are left out if they are 0. */
export function toLocalMoment(time: string, zone: string): string {
  const at = Date.parse(time);
  return isoTime(at + exactOffsetAt(zone, at)).replace(/(?::00)?(?:\.000)?Z$/, "");
}

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
