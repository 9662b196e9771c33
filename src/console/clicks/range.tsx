import { z } from "zod";
import { timeOfId } from "../../lib/ids";
import {
  PRESETS,
  type Preset,
  type Range,
  rangeAfter,
  rangeBefore,
  toDate,
  toRange,
  toRangeQuery,
} from "../../lib/range";
import { Choice } from "../shell/button";
import { Field, HiddenFields, Submit } from "../shell/form";
import type { RangeParameters } from "../shell/href";
import { type PageContext, readQuery } from "../shell/request";
import { nameOfBefore, PRESET_NAMES, rangeName } from "./dates";

/** The name of the range, between links to the ranges before and after it. */
const Steps = ({ range, now, hrefOf }: { range: Range; now: number; hrefOf: (other: Range) => string }) => {
  const before = rangeBefore(range);
  const after = rangeAfter(range, now);
  return (
    <p>
      <a class="button step" href={hrefOf(before)} rel="prev">
        <span aria-hidden="true">‹</span>
        <span class="unseen">Back to {rangeName(before)}</span>
      </a>
      <strong>{rangeName(range)}</strong>
      {after === undefined ? (
        <span class="button step off" aria-hidden="true">
          ›
        </span>
      ) : (
        <a class="button step" href={hrefOf(after)} rel="next">
          <span aria-hidden="true">›</span>
          <span class="unseen">Forward to {rangeName(after)}</span>
        </a>
      )}
    </p>
  );
};

/** A form for any two days. A form with GET drops the query of its action, so its parameters become hidden fields. */
const OwnDays = ({ range, action, isCurrent }: { range: Range; action: string; isCurrent: boolean }) => (
  <details class="dropdown">
    <summary class="choice" aria-current={isCurrent ? "true" : undefined}>
      Dates
    </summary>
    <form method="get" action={action.split("?")[0]} class="card">
      <HiddenFields fields={Object.fromEntries(new URL(action, "http://page").searchParams)} />
      <Field label="From" name="from" type="date" value={toDate(range.firstDay)} required />
      <Field label="To" name="to" type="date" value={toDate(range.lastDay)} required />
      <Submit label="Show these days" />
    </form>
  </details>
);

/** A date of this century, since visits are counted today. */
const date = () => z.iso.date().regex(/^20/);

export const rangeQuery = z.object({
  last: z.enum(PRESETS).optional(),
  from: date().optional(),
  to: date().optional(),
  compare: z.enum(["0", "1"]).optional(),
});

/** The range that a page shows. */
export interface ShownRange {
  range: Range;
  /** Whether it can be compared with the range before. */
  canCompare: boolean;
  /** Whether it is. */
  compare: boolean;
  /** Whether nothing can be before or after it. */
  isWhole: boolean;
  now: number;
}

/**
 * The range of the address, in the time zone of the workspace. `since` is where "All time" begins, in milliseconds since
 * the epoch. It is compared with the range before unless the address or the page does not want that.
 */
export function readRange(c: PageContext, since: number, { compares = true } = {}): ShownRange {
  const { workspace, now: clock } = c.var.ctx;
  const { compare, ...query } = readQuery(rangeQuery, c);
  const now = clock();
  const shown = showRange(toRange(query, workspace.timeZone, now, since), since, now, compares);
  return { ...shown, compare: shown.compare && compare !== "0" };
}

/** A range with what a page may say of it, compared if it can be. */
export function showRange(range: Range, since: number, now: number, compares = true): ShownRange {
  // No range precedes all time.
  const canCompare = compares && range.preset !== "all";
  return { range, canCompare, compare: canCompare, isWhole: range.from <= since && now < range.to, now };
}

/** The range of a page about something with an id. All time begins at its creation, which the id contains. */
export const readRangeOf = (c: PageContext, id: string): ShownRange =>
  readRange(c, timeOfId(id) ?? c.var.ctx.workspace.createdAt);

/** The range as parameters of an address. */
export const rangeParameters = ({ range, canCompare, compare }: ShownRange): RangeParameters => ({
  ...toRangeQuery(range),
  compare: canCompare && !compare ? "0" : undefined,
});

const SHORT_NAMES: Readonly<Record<Preset, string>> = {
  today: "Today",
  "7": "7 days",
  "30": "30 days",
  "90": "90 days",
  "365": "12 months",
  all: "All",
};

/** A choice of a page's own, such as the dates of a campaign. */
export interface OwnChoice {
  label: string;
  /** Dates, as 2026-05-01. */
  from: string;
  to: string;
}

const isOf = ({ preset, firstDay, lastDay }: Range, { from, to }: OwnChoice): boolean =>
  preset === undefined && toDate(firstDay) === from && toDate(lastDay) === to;

/** Selects the range of a page, with links and a form that keep the other parameters of the page. */
export const RangePicker = ({
  shown,
  to,
  own = [],
}: {
  shown: ShownRange;
  /** The address of the page with other parameters of its range. */
  to: (parameters: RangeParameters) => string;
  own?: readonly OwnChoice[];
}) => {
  const { range, canCompare, compare, now } = shown;
  const kept = { compare: rangeParameters(shown).compare };
  return (
    <nav class="range" aria-label="Time range">
      <Steps range={range} now={now} hrefOf={(other) => to({ ...toRangeQuery(other), ...kept })} />
      <ul class="choices">
        {own.map((choice) => (
          <Choice href={to({ ...kept, from: choice.from, to: choice.to })} isCurrent={isOf(range, choice)}>
            {choice.label}
          </Choice>
        ))}
        {PRESETS.map((preset) => (
          <Choice
            href={to({ ...kept, last: preset })}
            isCurrent={preset === range.preset}
            title={PRESET_NAMES[preset]}
          >
            {SHORT_NAMES[preset]}
          </Choice>
        ))}
        <li>
          <OwnDays
            range={range}
            action={to(kept)}
            isCurrent={range.preset === undefined && !own.some((choice) => isOf(range, choice))}
          />
        </li>
        {canCompare && (
          <Choice href={to(rangeParameters({ ...shown, compare: !compare }))} isCurrent={compare}>
            {compare ? <span class="unseen">Do not compare</span> : "Compare"}
            {compare && <span aria-hidden="true">Compared</span>}
            <span class="unseen"> with {nameOfBefore(range)}</span>
          </Choice>
        )}
      </ul>
    </nav>
  );
};
