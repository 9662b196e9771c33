import type { AuditQuery } from "../../resources/audit/schema";
import { ACTION_OPTIONS } from "../changes/change";
import { href } from "../href";
import { Field, type Options } from "../shell/form";
import { FindField, Picker } from "../shell/picker";

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
      <Picker label="Who" name="actor" value={query.actor} options={actors} none="Everybody" />
      <FindField
        label="Slug or id"
        name="subject"
        value={query.subject}
        from={href.suggestLinks(slug)}
        attributes={{ maxlength: 64 }}
      />
      <Picker
        label="Kind"
        name="action"
        value={query.action}
        options={withChosen(ACTION_OPTIONS, query.action, query.action ?? "")}
        none="Everything"
      />
      <Field label="From" name="from" type="date" value={query.from} />
      <Field label="To" name="to" type="date" value={query.to} />
    </div>
    <p class="row">
      <button type="submit" class="primary">
        Filter
      </button>
      <a href={href.audit(slug)}>Show all</a>
    </p>
  </form>
);
