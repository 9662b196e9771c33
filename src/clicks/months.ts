import type { Dimension } from "./gathering";
import { boundReferrers } from "./referrer";

// Folds the clicks of an old month into one row per link. Pure.

const MONTHS_BY_DAY = 13;

/** Start in UTC of the month that is `months` after the month of `at`. */
const monthFrom = (at: number, months: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

/** Clicks before this time are folded: whole months that ended more than 13 months ago. */
export const foldedBefore = (now: number): number => monthFrom(now, -MONTHS_BY_DAY);

/** The month of `at`: its start, and the start of the next month. */
export const monthOf = (at: number): { from: number; to: number } => ({
  from: monthFrom(at, 0),
  to: monthFrom(at, 1),
});

export interface HourRow {
  workspace_id: number;
  link_id: number;
  hour: number;
  people: number;
  bots: number;
}

export interface DayRow {
  workspace_id: number;
  link_id: number;
  day: number;
  dimension: Dimension;
  value: string;
  people: number;
}

/**
 * Folds the hours of a month into one row per link, at the month's start. If an asset went live in the month, the clicks from
 * that hour on get their own row, because an asset counts clicks from then on. `liveHours` is keyed by link.
 */
export function foldHours(
  rows: readonly HourRow[],
  month: number,
  liveHours: ReadonlyMap<number, readonly number[]>,
): HourRow[] {
  const folded = new Map<string, HourRow>();
  for (const row of rows) {
    const live = liveHours.get(row.link_id) ?? [];
    const hour = live.reduce((last, at) => (at <= row.hour && at > last ? at : last), month);
    const key = `${row.link_id} ${hour}`;
    const sum = folded.get(key) ?? { ...row, hour, people: 0, bots: 0 };
    sum.people += row.people;
    sum.bots += row.bots;
    folded.set(key, sum);
  }
  return [...folded.values()];
}

/** Folds the days of a month into one row per link and origin, at the month's start, with at most 100 referrers per link. */
export function foldDays(rows: readonly DayRow[], month: number): DayRow[] {
  const folded = new Map<string, DayRow>();
  for (const row of rows) {
    const key = `${row.link_id} ${row.dimension} ${row.value}`;
    const sum = folded.get(key) ?? { ...row, day: month, people: 0 };
    sum.people += row.people;
    folded.set(key, sum);
  }
  return boundReferrers([...folded.values()], ({ link_id: link }) => `${link}`);
}
