import type { AuditQuery } from "../../audit/schema";
import { isoTime } from "../../lib/time";
import { href } from "../href";
import { Field, type Options, Select } from "../shell/form";
import { ACTION_OPTIONS } from "./change";

const toDay = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : isoTime(at).slice(0, 10);

/** The same list for an address. */
export const toAuditQuery = ({ actor, subject, action, from, to, before }: AuditQuery) => ({
  ...(actor === undefined ? {} : { actor }),
  ...(subject === undefined ? {} : { subject }),
  ...(action === undefined ? {} : { action }),
  ...(from === undefined ? {} : { from: toDay(from) ?? "" }),
  ...(to === undefined ? {} : { to: toDay(to) ?? "" }),
  ...(before === undefined ? {} : { before }),
});

/** Adds the chosen option if it is not among them. */
export const withChosen = (options: Options, chosen: string | undefined, label: string): Options =>
  chosen === undefined || options.some(([value]) => value === chosen)
    ? options
    : [[chosen, label], ...options];

export const AuditFilters = ({
  slug,
  query,
  actors,
}: {
  slug: string;
  query: AuditQuery;
  actors: Options;
}) => (
  <form method="get" action={href.audit(slug)} class="stack">
    <div class="filters">
      <Select label="Who" name="actor" value={query.actor} options={actors} none="Everybody" />
      <Field label="Slug or id" name="subject" value={query.subject} attributes={{ maxlength: 64 }} />
      <Select
        label="Kind"
        name="action"
        value={query.action}
        options={withChosen(ACTION_OPTIONS, query.action, query.action ?? "")}
        none="Everything"
      />
      <Field label="From" name="from" type="date" value={toDay(query.from)} />
      <Field label="To" name="to" type="date" value={toDay(query.to)} />
    </div>
    <p class="row">
      <button type="submit" class="primary">
        Filter
      </button>
      <a href={href.audit(slug)}>Show everything</a>
    </p>
  </form>
);
