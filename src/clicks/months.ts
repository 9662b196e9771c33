import type { Dimension } from "./gathering";
import { boundReferrers } from "./referrer";

// Folds the visits of an old month into one row per link, asset or workspace. Pure.

/** A row of `click_hours`, `scan_hours` or `workspace_hours`. */
export interface HourRow<Count extends string> {
  workspace_id: number;
  /** Row id of the link, asset or workspace. */
  owner: number;
  hour: number;
  counts: Record<Count, number>;
}

/** A row of `click_days` or `workspace_days`. */
export interface DayRow {
  workspace_id: number;
  /** Row id of the link or workspace. */
  owner: number;
  day: number;
  dimension: Dimension;
  value: string;
  people: number;
}

/** Folds the hours of a month into one row per owner, at the month's start. */
export function foldHours<Count extends string>(
  rows: readonly HourRow<Count>[],
  month: number,
  names: readonly Count[],
): HourRow<Count>[] {
  const folded = new Map<number, HourRow<Count>>();
  for (const row of rows) {
    const sum = folded.get(row.owner)?.counts;
    const counts = { ...row.counts };
    for (const name of names) counts[name] += sum?.[name] ?? 0;
    folded.set(row.owner, { ...row, hour: month, counts });
  }
  return [...folded.values()];
}

/** Folds the days of a month into one row per owner and origin, at the month's start, with at most 100 referrers per owner. */
export function foldDays(rows: readonly DayRow[], month: number): DayRow[] {
  const folded = new Map<string, DayRow>();
  for (const row of rows) {
    const key = `${row.owner} ${row.dimension} ${row.value}`;
    const sum = folded.get(key) ?? { ...row, day: month, people: 0 };
    sum.people += row.people;
    folded.set(key, sum);
  }
  return boundReferrers([...folded.values()], ({ owner }) => `${owner}`);
}
