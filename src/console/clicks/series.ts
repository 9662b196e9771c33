import { count, number } from "../shell/text";
import type { Tick } from "./dates";

/** One kind of what is counted. Its bars have the colour of its place among the series. */
export interface Series {
  label: string;
  /** One for each point. */
  values: readonly number[];
  /** A value in words: "3 clicks". */
  say: (value: number) => string;
}

/** What a chart draws. */
export interface Chart {
  title: string;
  /** The names of the points. */
  names: readonly string[];
  series: readonly Series[];
  /** The unit of a point, as the heading of a column and with its article. */
  heading: string;
  perOne: string;
  ticks: readonly Tick[];
  /** An earlier range: its name, and the sums of its points. */
  before?: { name: string; values: readonly number[] } | undefined;
  /** The point that is not over yet: what that means, and its index. */
  unfinished?: { name: string; index: number } | undefined;
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
export function sayPointAt({ names, series, before, unfinished }: Chart, index: number): string {
  const now = sayPoint(series, ({ values }) => values[index] ?? 0);
  const value = before?.values[index];
  const earlier = value === undefined ? "" : `; ${number(value)} before`;
  return `${names[index]}: ${now}${earlier}${index === unfinished?.index ? "; not over yet" : ""}`;
}
