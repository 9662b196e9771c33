import { z } from "zod";
import { timeOfId } from "../../lib/ids";
import { PRESETS, type Range, rangeAfter, rangeBefore, toDate, toRange, toRangeQuery } from "../../lib/range";
import { Choice } from "../shell/button";
import { pageParameters, type RangeParameters, thisPage } from "../shell/href";
import { currentPage, type PageContext, readQuery } from "../shell/page-request";
import { Field, HiddenFields, Submit } from "../shell/post-form";
import { nameOfBefore, PRESET_NAMES, rangeName, writtenDays } from "./dates";
import { FIGURES, type Figure } from "./series";

/** Another range replaces these parameters of the page, and its lists begin anew. */
export const NO_RANGE = { last: undefined, from: undefined, to: undefined, page: undefined };

/** A link to the range before or after; without one, only its place. */
const Step = ({ direction, range }: { direction: "prev" | "next"; range: Range | undefined }) => {
  const [sign, word] = direction === "prev" ? ["‹", "Back"] : ["›", "Forward"];
  return range === undefined ? (
    <span class="button step off" aria-hidden="true">
      {sign}
    </span>
  ) : (
    <a class="button step" href={thisPage({ ...NO_RANGE, ...toRangeQuery(range) })} rel={direction}>
      <span aria-hidden="true">{sign}</span>
      <span class="unseen">
        {word} to {rangeName(range)}
      </span>
    </a>
  );
};

/** A form for any two days. A form with GET drops the query of its action, so its parameters become hidden fields. */
const OwnDays = ({ range }: { range: Range }) => (
  <form method="get" action={currentPage().req.path} class="fields">
    <HiddenFields fields={pageParameters(NO_RANGE)} />
    <Field label="From" name="from" type="date" value={toDate(range.firstDay)} required />
    <Field label="To" name="to" type="date" value={toDate(range.lastDay)} required />
    <Submit label="Show these days" />
  </form>
);

/** A date of this century, since visits are counted today. */
const date = () => z.iso.date().regex(/^20/);

export const rangeQuery = z.object({
  last: z.enum(PRESETS).optional(),
  from: date().optional(),
  to: date().optional(),
  compare: z.literal("0").optional(),
  figure: z.enum(FIGURES).optional(),
});

export interface ShownRange {
  range: Range;
  canCompare: boolean;
  compare: boolean;
  figure: Figure;
  /** Whether the page is to offer the other figures. */
  choosesFigure: boolean;
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
  const { compare, figure = "visits", ...query } = readQuery(rangeQuery, c);
  const now = clock();
  const shown = showRange(toRange(query, workspace.zones, now, since), since, now, compares);
  return { ...shown, figure, choosesFigure: compares, compare: shown.compare && compare === undefined };
}

/** A range with what a page may say of it, compared if it can be. */
export function showRange(range: Range, since: number, now: number, compares = true): ShownRange {
  // No range precedes all time.
  const canCompare = compares && range.preset !== "all";
  const isWhole = range.from <= since && now < range.to;
  return { range, canCompare, compare: canCompare, figure: "visits", choosesFigure: false, isWhole, now };
}

/** The range of a page about something with an id. All time begins at its creation, which the id contains. */
export const readRangeOf = (c: PageContext, id: string): ShownRange =>
  readRange(c, timeOfId(id) ?? c.var.ctx.workspace.createdAt);

export const rangeParameters = ({ range, canCompare, compare, figure }: ShownRange): RangeParameters => ({
  ...toRangeQuery(range),
  compare: canCompare && !compare ? "0" : undefined,
  figure: figure === "visits" ? undefined : figure,
});

/** A choice of a page's own, such as the dates of a campaign. */
export interface OwnChoice {
  label: string;
  /** Dates, as 2026-05-01. */
  from: string;
  to: string;
}

const isOf = ({ preset, firstDay, lastDay }: Range, { from, to }: OwnChoice): boolean =>
  preset === undefined && toDate(firstDay) === from && toDate(lastDay) === to;

interface PickerProperties {
  shown: ShownRange;
  own?: OwnChoice | undefined;
  /** Whether the page compares its figures. */
  compares?: boolean;
}

/** Selects the range of a page in one line, with links and a form that keep the other parameters of the page. */
export const RangePicker = ({ shown, own, compares = true }: PickerProperties) => {
  const { range, canCompare, compare, now } = shown;
  const isOwn = own !== undefined && isOf(range, own);
  const name = isOwn ? own.label : rangeName(range);
  return (
    <nav class="range" aria-label="Time range">
      <Step direction="prev" range={rangeBefore(range)} />
      <details class="dropdown">
        <summary class="button">
          <strong>{name}</strong>
          {name !== writtenDays(range) && <span class="small soft days">{writtenDays(range)}</span>}
        </summary>
        <div class="card">
          <ul class="choices-below">
            {own && (
              <Choice href={thisPage({ ...NO_RANGE, from: own.from, to: own.to })} isCurrent={isOwn}>
                {own.label}
              </Choice>
            )}
            {PRESETS.map((preset) => (
              <Choice href={thisPage({ ...NO_RANGE, last: preset })} isCurrent={preset === range.preset}>
                {PRESET_NAMES[preset]}
              </Choice>
            ))}
          </ul>
          <OwnDays range={range} />
        </div>
      </details>
      <Step direction="next" range={rangeAfter(range, now)} />
      {canCompare && compares && (
        <a
          class="button toggle"
          href={thisPage({ compare: compare ? "0" : undefined })}
          aria-current={compare ? "true" : undefined}
        >
          {compare ? <span class="unseen">Do not compare</span> : "Compare"}
          {compare && <span aria-hidden="true">Compared</span>}
          <span class="unseen"> with {nameOfBefore(range)}</span>
        </a>
      )}
    </nav>
  );
};
