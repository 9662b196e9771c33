import { count, number } from "../shell/text";

/** One kind of what is counted. Its bars have the colour of its place among the series. */
export interface Series {
  label: string;
  /** One for each point. */
  values: readonly number[];
  /** A value in words: "3 clicks". */
  say: (value: number) => string;
}

/** What a chart draws. */
export interface Drawn {
  /** The names of the points. */
  names: readonly string[];
  series: readonly Series[];
  /** The sums of the points of an earlier range; null if there is none. */
  before: readonly number[] | null;
  /** The index of the point that is not over yet, or -1. */
  unfinished: number;
}

/** A series of its own for everything else. */
const OTHER_SERIES = 8;

/** The class that gives a series its colour. */
export const seriesClass = (place: number): string => `series-${Math.min(place, OTHER_SERIES)}`;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sum of a point. */
export const sumAt = (series: readonly Series[], index: number): number =>
  sum(series.map(({ values }) => values[index] ?? 0));

export const clicksOf = (values: readonly number[]): Series => ({
  label: "Clicks",
  values,
  say: (value) => count(value, "click"),
});

export const scansOf = (values: readonly number[]): Series => ({
  label: "Scans",
  values,
  say: (value) => count(value, "scan"),
});

/** A point in words: "3 clicks and 1 scan". Of many series only those that have something. */
export function sayPoint(series: readonly Series[], toValue: (one: Series) => number): string {
  if (series.length <= 2) return series.map((one) => one.say(toValue(one))).join(" and ");
  const said = series.flatMap((one) => (toValue(one) === 0 ? [] : [one.say(toValue(one))]));
  return said.length === 0 ? "nothing" : said.join(", ");
}

/** What the tooltip of a point says. */
export function sayPointAt({ names, series, before, unfinished }: Drawn, index: number): string {
  const now = sayPoint(series, ({ values }) => values[index] ?? 0);
  const earlier = before?.[index] === undefined ? "" : `; ${number(before[index])} before`;
  return `${names[index]}: ${now}${earlier}${index === unfinished ? "; not over yet" : ""}`;
}
