import { z } from "zod";
import { text } from "../../lib/validation";
import { ButtonLink } from "./button";
import { Field, HiddenFields } from "./form";
import type { RangeParameters } from "./href";
import { Empty, number } from "./text";

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
      <HiddenFields fields={parameters} />
      <Field label={label} name="q" type="search" value={q} />
      <button type="submit">Search</button>
      {q !== "" && <a href={action}>Show all</a>}
    </form>
  </search>
);

interface Meta {
  current_page: number;
  last_page: number;
  total: number;
}

/** Nothing for a page after the last one: what is shown in place of its list says so. */
export const Pager = ({
  meta: { current_page: page, last_page: last, total },
  of,
  hrefOf,
  after,
}: {
  meta: Meta;
  /** What is listed: "link" and "links". */
  of: readonly [one: string, many: string];
  /** The address of a page; undefined for one that cannot be opened. */
  hrefOf: (page: number, after?: string) => string | undefined;
  /** Where the next page begins, if it does not only have a number; null on the last page. */
  after?: string | null;
}) => {
  if (page > last) return null;
  const previous = page > 1 ? hrefOf(page - 1) : undefined;
  const isLast = after === undefined ? page === last : after === null;
  const next = isLast ? undefined : hrefOf(page + 1, after ?? undefined);
  return (
    <nav class="pager" aria-label="Pages">
      <p>
        {number(total)} {total === 1 ? of[0] : of[1]}
        {last > 1 && `, page ${number(page)} of ${number(last)}`}
      </p>
      <p class="turns">
        {previous !== undefined && (
          <a href={previous} rel="prev">
            Previous
          </a>
        )}
        {next !== undefined && (
          <a href={next} rel="next">
            Next
          </a>
        )}
      </p>
    </nav>
  );
};

/** In place of the list, for a page after the last one. */
export const NoSuchPage = ({ meta, href }: { meta: Meta; href: string }) => (
  <Empty>
    <p>
      There is no page {number(meta.current_page)}. The last one is page {number(meta.last_page)}.
    </p>
    <ButtonLink to={href} label="Show the last page" />
  </Empty>
);
