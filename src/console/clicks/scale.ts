export const GRIDLINES = 3;

export const fixed = (value: number): string => String(Number(value.toFixed(2)));

/** Rounded, unless that makes nothing of it. */
export const toTenth = (value: number): number => Math.round(value * 10) / 10 || value;

/** What a gridline may be, times a power of ten. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The distance of three gridlines at round numbers, the highest of which no value exceeds. */
export function gridStep(highest: number): number {
  const least = Math.max(1, highest / GRIDLINES);
  const power = 10 ** Math.floor(Math.log10(least));
  const steps = ROUND.map((round) => round * power);
  return steps.find((step) => step >= least && Number.isInteger(step)) ?? 10 * power;
}

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const MAX_PLAIN = 9_999;

/** A number at a gridline, in the few characters that an axis has room for. */
export const axisNumber = (value: number): string =>
  value <= MAX_PLAIN ? value.toLocaleString("en-GB") : COMPACT.format(value);

/** A share as "12%". Only nothing is 0%, and only everything is 100%. */
export function percentage(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return "0%";
  const percent = Math.round((part / whole) * 100);
  if (percent === 0) return "under 1%";
  return part < whole ? `${Math.min(percent, 99)}%` : "100%";
}

export interface Share {
  label: string;
  value: number;
  /** The number of its colour in the stylesheet, if it has one of its own. */
  colour?: number | undefined;
  /** The page that it leads to, if there is one. */
  href?: string | undefined;
  /** Whether the page is filtered by it. It is always shown. */
  isChosen?: boolean;
}

export function topOf(values: readonly Share[], top: number): Share[] {
  const sorted = values.toSorted((one, other) => other.value - one.value);
  const named = sorted.filter(({ label }) => label !== OTHER);
  const shown = named.filter(({ isChosen = false }, place) => place < top || isChosen);
  const other = sorted.reduce((sum, one) => (shown.includes(one) ? sum : sum + one.value), 0);
  return other === 0 ? shown : [...shown, { label: OTHER, value: other }];
}

const TOP = 8;

/** What a table of shares shows: the highest values and the chosen one, and the others together. */
export const shownShares = (values: readonly Share[]): Share[] =>
  topOf(values, TOP).filter(({ value, isChosen = false }) => value > 0 || isChosen);

export const OTHER = "Other";
