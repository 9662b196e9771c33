import { type Range, rangeAfter, rangeBefore, toDate } from "../../lib/range";
import { Field, Submit } from "../shell/form";
import { rangeName } from "./dates";

/** The name of the range, between links to the ranges before and after it. */
export const Steps = ({
  range,
  now,
  hrefOf,
}: {
  range: Range;
  now: number;
  hrefOf: (other: Range) => string;
}) => {
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

/** A form with GET drops the query of its action, so its parameters become hidden fields. */
const HiddenFields = ({ address }: { address: string }) => (
  <>
    {[...new URL(address, "http://page").searchParams].map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** A form for any two days. */
export const OwnDays = ({
  range,
  action,
  isCurrent,
}: {
  range: Range;
  action: string;
  isCurrent: boolean;
}) => (
  <details class="dropdown">
    <summary class="choice" aria-current={isCurrent ? "true" : undefined}>
      Dates
    </summary>
    <form method="get" action={action.split("?")[0]} class="card">
      <HiddenFields address={action} />
      <Field label="From" name="from" type="date" value={toDate(range.firstDay)} required />
      <Field label="To" name="to" type="date" value={toDate(range.lastDay)} required />
      <Submit label="Show these days" />
    </form>
  </details>
);
