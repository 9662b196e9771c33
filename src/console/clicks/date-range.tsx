import { z } from "zod";
import { DAY_MS, isoTime } from "../../lib/time";
import { isoMoment } from "../../lib/validation";
import { Field } from "../shell/form";

/** The ranges that are one click away, in days until today. */
const RANGES = [
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
  ["365", "Last 12 months"],
] as const;

const USUAL = "30";
/** What one chart has room for. */
export const MOST_DAYS = 366;

export type LastDays = (typeof RANGES)[number][0];

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
  /** Where it is one of those that move with today. */
  last: LastDays | undefined;
  /** Whether more days were asked for than are shown. */
  cut: boolean;
}

const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;
const dayOf = (at: number): string => isoTime(at).slice(0, 10);

/** The days that are asked for, in whichever order; the last 30 where nothing else is. */
export function rangeOf({ last, from, to }: z.output<typeof rangeQuery>, now: number): Range {
  const today = startOfDay(now);
  const before = (day: number, days: string) => day - (Number(days) - 1) * DAY_MS;
  if (from === undefined && to === undefined) {
    const days = last ?? USUAL;
    return { begin: before(today, days), end: today + DAY_MS, last: days, cut: false };
  }
  const until = startOfDay(to ?? Math.max(today, from ?? today));
  const since = startOfDay(from ?? before(until, USUAL));
  const end = Math.max(since, until) + DAY_MS;
  const begin = Math.max(Math.min(since, until), end - MOST_DAYS * DAY_MS);
  return { begin, end, last: undefined, cut: begin > Math.min(since, until) };
}

/** The first and the last day of a range, as an address has them. */
export const daysOf = ({ begin, end }: Range): { from: string; to: string } => ({
  from: dayOf(begin),
  to: dayOf(end - DAY_MS),
});

/** Every day of a range, as it is read. */
export const eachDay = ({ begin, end }: Range): string[] =>
  Array.from({ length: (end - begin) / DAY_MS }, (_, index) => dayOf(begin + index * DAY_MS));

/** The choice of a range: what is one click away, and any other from day to day. */
export const RangeChoice = ({
  range,
  action,
  to,
}: {
  range: Range;
  /** The page itself, which takes `from` and `to`. */
  action: string;
  to: (last: LastDays) => string;
}) => {
  const days = daysOf(range);
  return (
    <div class="stack">
      <ul class="choices" aria-label="Time">
        {RANGES.map(([last, label]) => (
          <li>
            <a class="choice" href={to(last)} aria-current={last === range.last ? "true" : undefined}>
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
      {range.cut && (
        <p class="warning">One view has room for {MOST_DAYS} days. These are the last of those you chose.</p>
      )}
    </div>
  );
};
