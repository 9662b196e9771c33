import type { Counts, DayCount, HourCount } from "./visit-buffer";

// A batch of counts as it is stored: JSON of arrays, since names would be most of it.

const HOUR = ["asset", "hour", "clicks", "scans", "bots", "after_end", "last"] as const;
const DAY = ["dimension", "value", "day", "visits"] as const;

type RowOf<Count, Names extends readonly (keyof Count)[]> = {
  readonly [Index in keyof Names]: Count[Names[Index]];
};

export type LinkCounts = readonly [
  link: string,
  hours: readonly RowOf<HourCount, typeof HOUR>[],
  days: readonly RowOf<DayCount, typeof DAY>[],
];

export function toBatchText({ hours, days }: Counts): string {
  const ofLinks = Map.groupBy<string, HourCount | DayCount>([...hours, ...days], ({ link }) => link);
  const counts = Array.from(ofLinks, ([link, own]) => [
    link,
    own.filter((one) => "hour" in one).map((one) => HOUR.map((name) => one[name])),
    own.filter((one) => "day" in one).map((one) => DAY.map((name) => one[name])),
  ]);
  return JSON.stringify(counts);
}

/** Whether a row has these columns, and counts after its texts. */
const isRow = (row: readonly unknown[], names: readonly string[], texts: number): boolean =>
  row.length === names.length &&
  row.slice(texts).every((count) => count === null || (Number.isSafeInteger(count) && Number(count) >= 0));

/** Undefined for what is no batch: it would stop all that wait behind it. */
export function parseBatch(text: string): readonly LinkCounts[] | undefined {
  try {
    const counts: readonly LinkCounts[] = JSON.parse(text);
    const isBatch = counts.every(
      ([link, hours, days]) =>
        typeof link === "string" &&
        hours.every((row) => isRow(row, HOUR, 1)) &&
        days.every((row) => isRow(row, DAY, 2)),
    );
    return isBatch ? counts : undefined;
  } catch {
    return undefined;
  }
}
