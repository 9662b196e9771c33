import type { Dimension } from "./gathering";
import { boundReferrers } from "./referrer";

// What becomes of clicks of a month that is long over: one row where there were many. Pure.

/** Whole months that ended this many months ago are kept by the month. */
const MONTHS_BY_DAY = 13;

/** Start of the month in UTC that is so many months after the one of `at`. */
const monthFrom = (at: number, months: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

/** Clicks before this moment are kept by the month: days older than 13 months, in whole months. */
export const foldedBefore = (now: number): number => monthFrom(now, -MONTHS_BY_DAY);

/** The month of a moment: its start, and where the next one starts. */
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
 * Hours of one month as one row a link, at the month's start. Where an asset went live within the month, the clicks
 * since that hour are a row of their own at that hour: what an asset counts begins there. `liveHours` are by link.
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

/** Days of one month as one row a link and origin, at the month's start, with at most 100 referrers a link. */
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
