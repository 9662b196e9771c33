import { z } from "zod";
import { text } from "../../lib/validation";
import { Field } from "./form";
import type { RangeParameters } from "./href";

/** The search and the page of a list. */
export const listQuery = z.object({
  q: text(255).default(""),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
});

/** A search in a list. `parameters` are kept. */
export const ListSearch = ({
  label,
  action,
  parameters = {},
  q,
}: {
  label: string;
  action: string;
  parameters?: RangeParameters;
  q: string;
}) => (
  <search>
    <form method="get" action={action} class="search">
      {Object.entries(parameters).map(
        ([name, value]) => value != null && <input type="hidden" name={name} value={String(value)} />,
      )}
      <Field label={label} name="q" type="search" value={q} />
      <button type="submit">Search</button>
      {q !== "" && <a href={action}>Show all</a>}
    </form>
  </search>
);
