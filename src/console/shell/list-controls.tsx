import type { Child } from "hono/jsx";
import { z } from "zod";
import type { Page } from "../../lib/paging";
import { anyText } from "../../lib/validation";
import { ButtonLink } from "./button";
import { TagName } from "./colour";
import { here, pageParameters, thisPage } from "./href";
import { currentPage } from "./page-request";
import { HiddenFields } from "./post-form";
import type { Column } from "./table";
import { count, Empty, number } from "./text";

const MAX_CHARACTERS = 255;

/** The attributes of a search field. The script shows what is found while the person types. */
export const findAttributes = (): Record<string, string | number> => ({
  maxlength: MAX_CHARACTERS,
  placeholder: "Link, poster, group, tag or words",
  autocapitalize: "none",
  spellcheck: "false",
  "data-finds": here.findLinks(),
});

/**
 * The search in the header of every page, which finds archived links too. On the list of links, the field of the list
 * takes its place.
 */
export const FindForm = () => (
  <search class="find">
    <form method="get" action={here.links()}>
      <label class="unseen" for="search">
        Search
      </label>
      <input type="hidden" value="all" name="status" />
      <input type="search" id="search" name="q" autocomplete="off" {...findAttributes()} />
    </form>
  </search>
);

/** Whether a checkbox of a list is checked: it was sent, or the page was opened with all of them checked. */
function isTicked(name: string, value: string): boolean {
  const { req, var: page } = currentPage();
  return page.form === undefined ? req.query("ticked") === name : page.form.all(name).includes(value);
}

/** Chooses all of a page: a checkbox for the script, and a link without it, which loads the page again. */
export const TickAll = ({ name, label = "Select all on this page" }: { name: string; label?: string }) => (
  <>
    <label class="tick" hidden>
      <input type="checkbox" data-ticks={name} />
      {label}
    </label>
    <noscript>
      <a href={thisPage({ ticked: name })}>{label}</a>
    </noscript>
  </>
);

/** Checkboxes that choose from a list. Those of `chosen` are checked, and what was sent. */
export const Ticks = ({
  name,
  items,
  chosen = [],
}: {
  name: string;
  items: readonly { id: string; name: string; colour?: string | null }[];
  chosen?: readonly string[];
}) => (
  <div class="ticks" hidden={items.length === 0}>
    {items.map(({ id, name: label, colour = null }) => (
      <label class="tick">
        <input type="checkbox" name={name} value={id} checked={chosen.includes(id) || isTicked(name, id)} />
        <TagName tag={{ name: label, colour }} />
      </label>
    ))}
  </div>
);

const ACTIONS_ID = "actions";

/** The column whose checkboxes choose rows. Without a choice, a row has none. */
export const pickColumn = <Row,>(
  name: string,
  choiceOf: (row: Row) => { id: string; name: string } | undefined,
): Column<Row> => ({
  heading: <span class="unseen">Select</span>,
  kind: "pick",
  cell: (row) => {
    const choice = choiceOf(row);
    return (
      choice && (
        <>
          <input
            type="checkbox"
            name={name}
            value={choice.id}
            checked={isTicked(name, choice.id)}
            aria-label={`Select ${choice.name}`}
          />
          {/* The next stop of the keyboard, so that nobody walks through the rows below. */}
          <a class="skip" href={`#${ACTIONS_ID}`}>
            Go to the actions
          </a>
        </>
      )
    );
  },
});

/** What can be done with the chosen ones. The script shows it while some are chosen, and says how many. */
export const WithChosen = ({ name, of, children }: { name: string; of: string; children?: Child }) => (
  <fieldset class="change" id={ACTIONS_ID} tabindex={-1} data-counts={name}>
    <legend>
      <span class="spare">With the </span>
      <span data-count={of}>selected {of}s</span>
    </legend>
    {children}
  </fieldset>
);

/** A filter that is on, which can be removed. */
export const FilterChip = ({
  name,
  value,
  without,
  children = <bdi>{value}</bdi>,
}: {
  name: string;
  value: string;
  /** The page without it. */
  without: string;
  children?: Child;
}) => (
  <li>
    <span>
      <span class="soft">{name}</span> {children}
    </span>
    <a class="remove" href={without} aria-label={`Remove ${name} ${value}`}>
      ×
    </a>
  </li>
);

/** The search and the page of a list. */
export const listQuery = z.object({
  q: anyText(255).default(""),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
});

/** A search, whose placeholder says the same as its label. */
export const SearchField = ({
  label,
  value,
  attributes = {},
}: {
  label: string;
  value: string | undefined;
  attributes?: Record<string, string | number>;
}) => (
  <div class="field">
    <label class="unseen" for="q">
      {label}
    </label>
    <input
      type="search"
      id="q"
      name="q"
      value={value ?? ""}
      autocomplete="off"
      placeholder={label}
      {...attributes}
    />
  </div>
);

/** What a search in the list of the page begins anew. */
const NO_SEARCH = { q: undefined, page: undefined };

/** A search in the list of the page, whose other parameters are kept. */
export const ListSearch = ({ label, q }: { label: string; q: string }) => (
  <search>
    <form method="get" action={currentPage().req.path} class="search">
      <HiddenFields fields={pageParameters(NO_SEARCH)} />
      <SearchField label={label} value={q} />
      <button type="submit">Search</button>
      {q !== "" && <a href={thisPage(NO_SEARCH)}>Show all</a>}
    </form>
  </search>
);

type Meta = Page<unknown>["meta"];

/** Nothing for a page after the last one: what is shown in place of its list says so. */
export const Pager = ({
  meta: { current_page: page, last_page: last, total },
  of,
  many = `${of}s`,
  after,
  lastOpened = last,
  besides,
}: {
  meta: Meta;
  /** What is listed. */
  of: string;
  many?: string;
  /** Where the next page begins, if it does not only have a number; null on the last page. */
  after?: string | null | undefined;
  /** The last page that another one than the page before it leads to. */
  lastOpened?: number;
  /** What the number leaves out or has besides, such as "2 archived". */
  besides?: Child;
}) => {
  if (page > last) return null;
  const isLast = after === undefined ? page === last : after === null;
  return (
    <nav class="pager" aria-label="Pages">
      <p>
        {count(total, of, many)}
        {besides && <>, {besides}</>}
        {last > 1 && `, page ${number(page)} of ${number(last)}`}
      </p>
      <p class="turns">
        {page > 1 && page - 1 <= lastOpened && (
          <a href={thisPage({ page: page - 1, after: undefined })} rel="prev">
            Previous
          </a>
        )}
        {!isLast && (
          <a href={thisPage({ page: page + 1, after })} rel="next">
            Next
          </a>
        )}
      </p>
    </nav>
  );
};

/** In place of the list, for a page after the last one. */
export const NoSuchPage = ({ meta, lastOpened = meta.last_page }: { meta: Meta; lastOpened?: number }) => (
  <Empty>
    <p>
      There is no page {number(meta.current_page)}. The last one is page {number(meta.last_page)}.
    </p>
    <ButtonLink
      to={thisPage({ page: Math.min(meta.last_page, lastOpened), after: undefined })}
      label="Show the last page"
    />
  </Empty>
);
