import type { Child } from "hono/jsx";
import { hasPassed, isDay } from "../../lib/days";
import type { Failure } from "../../lib/failure";
import { MOMENT_FIELD_NAMES, MOMENT_FIELDS } from "../../lib/link-fields";
import type { ChangeLinks } from "../../resources/links/change-schema";
import { previewDate } from "../../resources/links/preview-dates";
import { previewReplacement } from "../../resources/links/replace-destination";
import { FromTo, Value } from "../changes/field-change";
import { ActionForm, Button } from "../shell/button";
import { nounOf } from "../shell/error-labels";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import { currentPage, type Form, type PageContext } from "../shell/page-request";
import { HiddenFields } from "../shell/post-form";
import { Table } from "../shell/table";
import { count, number } from "../shell/text";
import { groupByReason, nameReplacement } from "./bulk-notice";
import { type LinksList, toLinksQuery, toListQuery } from "./links-query";

/** The button that shows what a replacement would do. */
export const PREVIEW = "preview";

/** The button that shows what a new start or end would replace. */
export const PREVIEW_DATE = "preview_moment";

const MAX_SHOWN = 10;

interface Found {
  changed: readonly { slug: string; was: string | null; isOfGroup?: boolean; will: string | null }[];
  refused: readonly (readonly [slug: string, failures: readonly Failure[]])[];
  looked: number;
  total: number;
}

interface Asked {
  title: string;
  /** What is changed, and the heading of its column. */
  field: string;
  of: string;
  /** Says how many links are changed, and how many stay. */
  children: Child;
  found: Found;
  list: LinksList;
  /** The fields that make the change. */
  fields: Parameters<typeof HiddenFields>[0]["fields"];
  /** The label of the button that makes the change of so many links, or of all. */
  button: (links: string) => string;
}

/** What a change would do, with the button that does it. Nothing is changed yet. */
const Preview = ({ title, field, of, children, found, list, fields, button }: Asked) => {
  const { workspace } = currentPage().var;
  const { changed, refused, looked, total } = found;
  const isCut = looked < total;
  const query = toLinksQuery(list);
  return (
    <Page title={title} section="links" class="stack">
      <p role="status">
        {children}
        {isCut && ` Of ${number(total)} links, the newest ${number(looked)} were looked at.`}
      </p>
      {groupByReason(refused).map(({ reason, names }) => (
        <p class="warning">
          Cannot be changed: {names}. {reason}
        </p>
      ))}
      {changed.length > 0 && (
        <Table
          layout="pairs"
          caption={`What would change, the first ${MAX_SHOWN}`}
          rows={changed.slice(0, MAX_SHOWN)}
          columns={[
            { heading: "Link", isName: true, cell: ({ slug }) => slug },
            {
              heading: of,
              cell: ({ was, isOfGroup, will }) => (
                <FromTo field={field} was={was} note={isOfGroup && "with its group"} is={will} />
              ),
            },
          ]}
        />
      )}
      {changed.length > MAX_SHOWN && <p class="hint">And {number(changed.length - MAX_SHOWN)} more.</p>}
      <ActionForm class="row" method="post" action={href.changeLinks(workspace, query)}>
        <HiddenFields fields={fields} />
        {(changed.length > 0 || isCut) && (
          <Button label={button(isCut ? "all of them" : count(changed.length, "link"))} kind="primary" />
        )}
        <a href={href.links(workspace, query)}>Back to the list</a>
      </ActionForm>
    </Page>
  );
};

const linksOf = ({ var: { ctx } }: PageContext, list: LinksList, { fields }: Form, input: ChangeLinks) =>
  fields["all"] === undefined ? input : toListQuery(ctx, { ...list, after: undefined });

const linksOrNone = (links: number): string => (links === 0 ? "No link" : count(links, "link"));

/** What a replacement in destinations would do. */
export async function showReplacement(
  c: PageContext,
  list: LinksList,
  form: Form,
  input: ChangeLinks,
): Promise<Response> {
  const { all, left } = form.fields;
  const { ids, find, replacement } = input;
  const found = await previewReplacement(c.var.ctx, linksOf(c, list, form, input), input);
  const { changed, refused, looked } = found;
  const without = looked - changed.length - refused.length;
  return c.render(
    <Preview
      title="Replace in destinations"
      field="destination_url"
      of="Destination"
      found={found}
      list={list}
      fields={{ change: "replace", find, replacement, all, left, ids }}
      button={(links) => `Replace in ${links}`}
    >
      {linksOrNone(changed.length)} would change by replacing {nameReplacement(input)}.
      {without > 0 && ` ${count(without, "link")} did not have the text.`}
    </Preview>,
  );
}

const WORDS = {
  starts_at: { title: "New start", does: "open", asDay: "begins" },
  ends_at: { title: "New end", does: "end", asDay: "ends" },
} as const;

/** What a new start or end would replace. */
export async function showNewDate(
  c: PageContext,
  list: LinksList,
  form: Form,
  { ids, set = {} }: ChangeLinks,
): Promise<Response> {
  const { all, left, moment_field, moment, moment_time } = form.fields;
  const { ctx } = c.var;
  const [name = "ends_at"] = MOMENT_FIELD_NAMES.filter((one) => set[one] !== undefined);
  const date = set[name] ?? "";
  const found = await previewDate(ctx, linksOf(c, list, form, { ids, change: "set" }), name, date);
  const { changed, timed, refused, looked } = found;
  const same = looked - changed.length - refused.length;
  const noun = nounOf(name);
  const { title, does, asDay } = WORDS[name];
  const isOver =
    name === "ends_at" && changed.length > 0 && hasPassed(date, ctx.workspace.timeZone, ctx.now());
  return c.render(
    <Preview
      title={title}
      field={name}
      of={MOMENT_FIELDS[name].label}
      found={found}
      list={list}
      fields={{ change: "set_moment", moment_field, moment, moment_time, all, left, ids }}
      button={(links) => `Set the ${noun} of ${links}`}
    >
      {linksOrNone(changed.length)} would {does} {isDay(date) ? `when this day ${asDay}` : "at this time"}:{" "}
      <Value field={name} text={date} />.
      {same > 0 && ` ${count(same, "link has", "links have")} this ${noun} already.`}
      {timed > 0 && ` ${count(timed, "link has", "links have")} a time of day now, which the day replaces.`}
      {isOver && " This end is in the past: they would have ended already."}
    </Preview>,
  );
}
