import { DAY_MS, HOUR_MS } from "../lib/time";
import type { Counts } from "./visit-buffer";

// A batch of counts as it is stored: JSON of arrays, since names would be most of it. Hours and days are since the epoch.

/** The visits of a link in an hour, by a slug (null) or the code of an asset, and the time of the last by a person. */
type HourRow = readonly [
  asset: string | null,
  hour: number,
  clicks: number,
  scans: number,
  bots: number,
  afterEnd: number,
  last: number | null,
];

/** Clicks and scans on a day. */
type DayRow = readonly [dimension: string, value: string, day: number, visits: number];

export type LinkCounts = readonly [link: string, hours: readonly HourRow[], days: readonly DayRow[]];

export function toBatchText({ hours, days }: Counts): string {
  const ofLinks = Map.groupBy([...hours, ...days], ({ link }) => link);
  const counts = Array.from(
    ofLinks,
    ([link, own]): LinkCounts => [
      link,
      own.flatMap((one) =>
        "hour" in one
          ? [
              [
                one.asset,
                one.hour / HOUR_MS,
                one.clicks,
                one.scans,
                one.bots,
                one.after_end,
                one.last,
              ] as const,
            ]
          : [],
      ),
      own.flatMap((one) =>
        "day" in one ? [[one.dimension, one.value, one.day / DAY_MS, one.visits] as const] : [],
      ),
    ],
  );
  return JSON.stringify(counts);
}

/** Whether a row has a length, and counts after its texts. */
const isRow = (row: readonly unknown[], length: number, texts: number): boolean =>
  row.length === length &&
  row.slice(texts).every((count) => count === null || (Number.isSafeInteger(count) && Number(count) >= 0));

/** Undefined for what is no batch: it would stop all that wait behind it. */
export function parseBatch(text: string): readonly LinkCounts[] | undefined {
  try {
    const counts: readonly LinkCounts[] = JSON.parse(text);
    const isBatch = counts.every(
      ([link, hours, days]) =>
        typeof link === "string" &&
        hours.every((row) => isRow(row, 7, 1)) &&
        days.every((row) => isRow(row, 4, 2)),
    );
    return isBatch ? counts : undefined;
  } catch {
    return undefined;
  }
}
