import { z } from "zod";
import { DAY_MS, isoTime } from "../../lib/time";
import { isoMoment } from "../../lib/validation";
import { Field } from "../shell/form";

/** The ranges with a link of their own, in days until today. */
const PRESETS = [
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
  ["365", "Last 12 months"],
] as const;

const DEFAULT_PRESET = "30";
/** A chart has room for no more bars. */
export const MAX_DAYS = 366;

export type LastDays = (typeof PRESETS)[number][0];

export const rangeQuery = z.object({
  last: z.enum(["7", "30", "90", "365"]).optional(),
  from: isoMoment().optional(),
  to: isoMoment().optional(),
});

export interface Range {
  /** Start of the first day in UTC, in milliseconds since the epoch. */
  begin: number;
  /** End of the last day. */
  end: number;
  /** Set if the range is a preset. */
  last: LastDays | undefined;
  /** Whether the request was for more than `MAX_DAYS`. */
  isCut: boolean;
}

const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;
const toDay = (at: number): string => isoTime(at).slice(0, 10);

/** The range of a query. `from` and `to` may be in either order; without both it is the last 30 days. */
export function toRange({ last, from, to }: z.output<typeof rangeQuery>, now: number): Range {
  const today = startOfDay(now);
  const before = (day: number, days: string) => day - (Number(days) - 1) * DAY_MS;
  if (from === undefined && to === undefined) {
    const days = last ?? DEFAULT_PRESET;
    return { begin: before(today, days), end: today + DAY_MS, last: days, isCut: false };
  }
  const until = startOfDay(to ?? Math.max(today, from ?? today));
  const since = startOfDay(from ?? before(until, DEFAULT_PRESET));
  const end = Math.max(since, until) + DAY_MS;
  const begin = Math.max(Math.min(since, until), end - MAX_DAYS * DAY_MS);
  return { begin, end, last: undefined, isCut: begin > Math.min(since, until) };
}

/** The first and the last day, for an address. */
export const toFromTo = ({ begin, end }: Range): { from: string; to: string } => ({
  from: toDay(begin),
  to: toDay(end - DAY_MS),
});

export const eachDay = ({ begin, end }: Range): string[] =>
  Array.from({ length: (end - begin) / DAY_MS }, (_, index) => toDay(begin + index * DAY_MS));

export const RangePicker = ({
  range,
  action,
  presetHref,
}: {
  range: Range;
  /** The address that takes `from` and `to`. */
  action: string;
  presetHref: (last: LastDays) => string;
}) => {
  const days = toFromTo(range);
  return (
    <div class="stack">
      <ul class="choices" aria-label="Time">
        {PRESETS.map(([last, label]) => (
          <li>
            <a class="choice" href={presetHref(last)} aria-current={last === range.last ? "true" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      <form method="get" action={action} class="filters">
        <Field label="From" name="from" type="date" value={days.from} />
        <Field label="To" name="to" type="date" value={days.to} />
        <div>
          <button type="submit">Show these days</button>
        </div>
      </form>
      {range.isCut && (
        <p class="warning">One view has room for {MAX_DAYS} days. These are the last of those you chose.</p>
      )}
    </div>
  );
};
