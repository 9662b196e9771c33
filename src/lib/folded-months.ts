import { DAY_MS } from "./time";
import { localDayAt } from "./time-zone";

// Visits of an old month are stored as one row at the month's start in UTC.

const MONTHS_BY_DAY = 13;

/** Start in UTC of the month that is `months` after the month of `at`. */
const monthFrom = (at: number, months: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

/** Visits before this time are folded: whole months that ended more than 13 months ago. */
export const foldedBefore = (now: number): number => monthFrom(now, -MONTHS_BY_DAY);

/** The month of `at`: its start, and the start of the next month. */
export const monthOf = (at: number): { from: number; to: number } => ({
  from: monthFrom(at, 0),
  to: monthFrom(at, 1),
});

/** The first local day of all visits since a time. Those of a folded month are on its first day, in every time zone. */
export function firstDaySince(since: number, zone: string, now: number): number {
  const day = localDayAt(zone, since);
  return since < foldedBefore(now) ? Math.min(day, monthOf(since).from / DAY_MS) : day;
}
