import type { Point } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Unit } from "../../lib/range";
import { count, number } from "../shell/text";
import type { Tick } from "./dates";

export const FIGURES = ["visits", "clicks", "scans", "after_end"] as const;
export type Figure = (typeof FIGURES)[number];

export const figureValue = (point: Point, figure: Figure): number =>
  figure === "visits" ? visitsOf(point) : point[figure];

export interface Series {
  label: string;
  /** The number of its colour in the stylesheet, the same wherever it is shown. */
  colour: number;
  values: readonly number[];
  /** What one of it is called, if not by the label. */
  noun?: string;
  /** Whether its last point is not over yet. */
  isUnfinished?: boolean;
}

export interface Chart {
  title: string;
  names: readonly string[];
  series: readonly Series[];
  unit: Unit;
  ticks: readonly Tick[];
  /** An earlier range: its name, and the sums of its points. */
  before?: { name: string; values: readonly number[] } | undefined;
  /** The point that is not over yet: what that means, and its index. */
  unfinished?: { name: string; index: number } | undefined;
  /** Pages of the points, such as those of their days. */
  hrefs?: readonly string[] | undefined;
  /** Lines in place of bars: for series that are no parts of a whole. */
  isLines?: boolean;
}

const CHANNEL_COLOURS = 8;
/** For what has no channel, and for all other channels together. */
export const NO_COLOUR = 8;
export const OTHER_COLOUR = 9;

export const seriesClass = (colour: number): string => `series-${colour}`;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const sumAt = (series: readonly Series[], index: number): number =>
  sum(series.map(({ values }) => values[index] ?? 0));

const KINDS: Readonly<Record<keyof Point, Omit<Series, "values">>> = {
  clicks: { label: "Clicks", colour: 0, noun: "click" },
  scans: { label: "Scans", colour: 1, noun: "scan" },
  after_end: { label: "After the end", colour: NO_COLOUR, noun: "visit" },
};

/** The series of a figure. Visits are clicks and scans. */
export const seriesOfFigure = (points: readonly Point[], figure: Figure): Series[] =>
  (figure === "visits" ? (["clicks", "scans"] as const) : [figure]).map((kind) => ({
    ...KINDS[kind],
    values: points.map((point) => point[kind]),
  }));

export const scansOf = (values: readonly number[]): Series => ({ ...KINDS.scans, values });

/** A number from a text, always the same. */
const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7);

/** A colour for each of some channels, by its name. If it is taken, also by an earlier name, it is the next one. */
export function channelColours(
  channels: readonly string[],
  others: readonly number[] = [],
): Map<string, number> {
  const colours = new Map<string, number>();
  for (const channel of channels.toSorted()) {
    const taken = new Set([...others, ...colours.values()]);
    const first = hashOf(channel) % CHANNEL_COLOURS;
    const order = Array.from({ length: CHANNEL_COLOURS }, (_, step) => (first + step) % CHANNEL_COLOURS);
    colours.set(channel, order.find((colour) => !taken.has(colour)) ?? first);
  }
  return colours;
}

/** Of many series only those that have something. */
const withValues = (series: readonly Series[], toValue: (one: Series) => number): readonly Series[] =>
  series.length <= 2 ? series : series.filter((one) => toValue(one) > 0);

/** The sums of all points in words: "3 clicks and 1 scan". */
export function describeTotals(series: readonly Series[]): string {
  const said = withValues(series, ({ values }) => sum(values)).map(({ label, noun, values }) =>
    noun === undefined ? `${label} ${number(sum(values))}` : count(sum(values), noun),
  );
  return said.length === 0 ? "nothing" : said.join(series.length <= 2 ? " and " : ", ");
}

/** What the tooltip of a point says, a line each: its name, the series, and the sum before. */
export function describePoint({ names, series, before, unfinished }: Chart, index: number): string {
  const name = `${names[index]}${index === unfinished?.index ? ", so far" : ""}`;
  const said = withValues(series, ({ values }) => values[index] ?? 0);
  const value = before?.values[index];
  return [
    name,
    ...said.map((one) => `${one.label}\t${number(one.values[index] ?? 0)}`),
    ...(value === undefined ? [] : [`Before\t${number(value)}`]),
  ].join("\n");
}
