import { z } from "zod";
import { type Fit, fitOf, hasConvention } from "../../lib/conventions";
import { etagOf } from "../../lib/etag";
import { VALUE_FIELD_NAMES, VALUE_FIELDS, type ValueFieldName } from "../../lib/link-fields";
import { readStoredConventions } from "../../resources/links/link-conventions";
import {
  groupLookAlikes,
  listValues,
  MAX_REPLACED,
  MAX_VALUES,
  type UsedValue,
} from "../../resources/links/utm-values";
import { isUnassigned, KNOWN_MEDIUMS } from "../links/link-hints";
import { ActionForm, Button } from "../shell/button";
import { here } from "../shell/href";
import { Page } from "../shell/layout";
import { currentPage, type PageContext, readQuery } from "../shell/page-request";
import { Field, HiddenFields, PostForm } from "../shell/post-form";
import { Table } from "../shell/table";
import { Card, count, Empty, number } from "../shell/text";
import { ConventionForm } from "./convention";

export const fieldQuery = z.object({ field: z.enum(VALUE_FIELD_NAMES).default("utm_source") });

interface ShownValue extends UsedValue {
  fit: Fit;
}

function describeFit(fit: Fit): string {
  if (fit.kind === "spelt") return `Should be ${fit.as}`;
  return fit.kind === "fits" ? "" : "Not in the list";
}

/** A medium decides alone unless Google Analytics knows the source or the campaign, which the page does not read. */
const isUnknownMedium = (field: ValueFieldName, medium: string): boolean =>
  field === "utm_medium" && isUnassigned({ source: "", medium, campaign: "" });

const hasUnknownMedium = (field: ValueFieldName, values: readonly UsedValue[]): boolean =>
  values.some(({ value }) => isUnknownMedium(field, value));

const Tabs = ({ field }: { field: ValueFieldName }) => (
  <nav class="row" aria-label="Values of">
    {VALUE_FIELD_NAMES.map((name) => (
      <a href={here.values({ field: name })} aria-current={name === field ? "page" : undefined}>
        {VALUE_FIELDS[name].label}
      </a>
    ))}
  </nav>
);

const LinksLink = ({ field, used: { value, links } }: { field: ValueFieldName; used: UsedValue }) => (
  <a
    href={here.links({ [field]: value, status: "all" })}
    aria-label={`${count(links, "link")} with ${value}`}
  >
    {number(links)}
  </a>
);

interface AlikeProperties {
  field: ValueFieldName;
  alike: readonly ShownValue[];
  allowed: readonly string[] | undefined;
}

/**
 * Spellings of one value. All are chosen, and the spelling of the conventions or of most links is offered first. Where only the
 * listed values are allowed, those are offered.
 */
const Alike = ({ field, alike, allowed }: AlikeProperties) => {
  const listed = alike.flatMap(({ fit }) => (fit.kind === "spelt" ? fit.as : []));
  const spellings = [...new Set([...listed, ...(allowed ?? alike.map(({ value }) => value))])];
  const links = alike.reduce((sum, used) => sum + used.links, 0);
  return (
    <ActionForm method="post" action={here.replaceValues({ field })} class="fields narrow">
      <HiddenFields fields={{ values: alike.slice(0, MAX_REPLACED).map(({ value }) => value) }} />
      <p>
        {alike.map((used, index) => (
          <>
            {index > 0 && ", "}
            <strong>
              <bdi>{used.value}</bdi>
            </strong>{" "}
            (<LinksLink field={field} used={used} />)
          </>
        ))}
      </p>
      <div class="search">
        <label class="field">
          Write all of them as{" "}
          <select name="to">
            {spellings.map((value) => (
              <option value={value}>{value}</option>
            ))}
          </select>
        </label>
        <Button label={`Replace in up to ${count(links, "link")}`} />
      </div>
    </ActionForm>
  );
};

interface ValuesProperties {
  field: ValueFieldName;
  values: readonly ShownValue[];
  isBound: boolean;
}

const AllValues = ({ field, values, isBound }: ValuesProperties) => {
  const { form, isEditor } = currentPage().var;
  const chosen = new Set(form?.all("values"));
  const table = (
    <Table
      caption={`Values of ${VALUE_FIELDS[field].label.toLowerCase()}, the most used first`}
      rows={values}
      columns={[
        {
          heading: "Value",
          isName: true,
          cell: ({ value }) =>
            isEditor ? (
              <label class="tick">
                <input type="checkbox" name="values" value={value} checked={chosen.has(value)} />
                <bdi>{value}</bdi>
              </label>
            ) : (
              <bdi>{value}</bdi>
            ),
        },
        { heading: "Links", kind: "number", cell: (used) => <LinksLink field={field} used={used} /> },
        hasUnknownMedium(field, values) && {
          heading: "Google Analytics",
          cell: ({ value }) => isUnknownMedium(field, value) && "Unassigned",
        },
        isBound && { heading: "Convention", cell: ({ fit }) => describeFit(fit) },
      ]}
    />
  );
  if (!isEditor) return table;
  return (
    <PostForm action={here.replaceValues({ field })} class="stack">
      {table}
      <div class="search">
        <Field
          name="to"
          label="Replace the selected values by"
          required
          suggested={values.map(({ value }) => value)}
        />
        <Button label="Replace" />
      </div>
    </PostForm>
  );
};

export async function showValues(c: PageContext): Promise<Response> {
  const { ctx, membership, isEditor } = c.var;
  const { field } = readQuery(fieldQuery, c);
  const [listed, conventions] = await Promise.all([
    listValues(ctx, [field], MAX_VALUES + 1),
    readStoredConventions(ctx),
  ]);
  const convention = hasConvention(field) ? conventions[field] : undefined;
  const isBound = convention !== undefined && convention.strictness !== "off";
  const isCut = listed[field].length > MAX_VALUES;
  const values = listed[field].slice(0, MAX_VALUES).map((one): ShownValue => {
    return { ...one, fit: convention === undefined ? { kind: "fits" } : fitOf(convention, one.value) };
  });
  const allowed =
    convention?.strictness === "only" && convention.values.length > 0 ? convention.values : undefined;
  const setsConvention = membership.role === "owner" && hasConvention(field);
  const alike = groupLookAlikes(values).filter((group) => group.length > 1);
  return c.render(
    <Page title="Values" section="values" class="stack">
      <p>
        The UTM values and channels that your links have. A value in two spellings is two lines in your
        figures: write it in one way.
      </p>
      <Tabs field={field} />
      <div class={setsConvention ? "columns" : "stack"}>
        <div class="stack">
          {isEditor && alike.length > 0 && (
            <Card id="alike" title="Spelt in several ways">
              {alike.map((group) => (
                <Alike field={field} alike={group} allowed={allowed} />
              ))}
            </Card>
          )}
          {values.length === 0 ? (
            <Empty text={`No link has a ${VALUE_FIELDS[field].label.toLowerCase()} yet.`} />
          ) : (
            <AllValues field={field} values={values} isBound={isBound} />
          )}
          {hasUnknownMedium(field, values) && (
            <p class="hint">
              Google Analytics shows visits with these mediums as “Unassigned”, unless it knows the source,
              such as google or linkedin. {KNOWN_MEDIUMS}
            </p>
          )}
          {isCut && (
            <p class="hint">
              These are the first {number(MAX_VALUES)}. A filter of the list of links finds any value.
            </p>
          )}
        </div>
        {setsConvention && (
          <ConventionForm
            field={field}
            convention={conventions[field]}
            etag={await etagOf(conventions[field])}
          />
        )}
      </div>
    </Page>,
  );
}
