import type { Child } from "hono/jsx";
import { MAX_CHARACTERS } from "../../lib/destination";
import { MOMENT_FIELD_NAMES, MOMENT_FIELDS, VALUE_FIELD_NAMES, VALUE_FIELDS } from "../../lib/link-fields";
import { MAX_EXPORTED_LINKS } from "../../resources/links/export-links";
import { ActionForm, Button } from "../shell/button";
import { DateField } from "../shell/date-field";
import { pickColumn, TickAll, WithChosen } from "../shell/list-controls";
import { currentPage } from "../shell/page-request";
import { Picker, toOptions } from "../shell/picker";
import { Field, Fields, Select } from "../shell/post-form";
import { number } from "../shell/text";
import { PREVIEW, PREVIEW_DATE } from "./bulk-preview";
import type { ListChoices } from "./filters";
import { nameOf } from "./link-text";

/** The option for no Activity Group. An empty value means that nothing was chosen. */
export const NO_GROUP = "none";

/** The form around the table that changes many links. */
export interface BulkForm {
  action: string;
  choices: Pick<ListChoices, "tags" | "groups" | "hosts">;
  /** The group that is chosen at first. */
  toGroup?: string | undefined;
  /** The number of links that the list finds, on all its pages. */
  total: number;
  /** Whether these include archived links that the page counts apart. */
  hasArchived?: boolean;
}

/** Above the table: chooses all links of the page, or all that the list finds. */
const ChooseAll = ({
  total,
  shown,
  hasArchived,
}: Omit<BulkForm, "action" | "choices"> & { shown: number }) => (
  <p class="row">
    <TickAll name="ids" />
    {total > shown && (
      <label class="tick">
        <input
          type="checkbox"
          name="all"
          value="1"
          checked={currentPage().var.form?.fields["all"] !== undefined}
          data-chooses={total}
        />
        Select all {number(total)} results{hasArchived === true && ", archived ones too"}
        {/* No more links are changed than the person has seen counted. */}
        <input type="hidden" name="left" value={total} />
      </label>
    )}
  </p>
);

const OF_ADDRESS = { type: "code", attributes: { maxlength: MAX_CHARACTERS } };

/** The script shows it only while links are chosen, says how many, and closes it at first on narrow screens. */
const BulkFields = ({ choices: { tags, groups, hosts }, toGroup, total, action }: BulkForm) => (
  <Fields action={action} initial={{ to_group: toGroup }}>
    <WithChosen name="ids" of="link">
      {/* The enter key presses the first button. This one sends nothing, so that no field is taken for another. */}
      <button type="submit" disabled hidden />
      <details open data-folds={toGroup === undefined ? "" : undefined}>
        <summary>Actions</summary>
        <div class="fields">
          <div class="row">
            <Field
              label="Tag"
              name="with_tag"
              error="tag"
              suggested={tags.map(({ name }) => name)}
              attributes={{ placeholder: "Known or new name", maxlength: 100 }}
            />
            <Button label="Add tag" name="change" value="tag" />
            <Button label="Remove tag" name="change" value="untag" />
          </div>
          <div class="row">
            <Picker
              label="Group"
              name="to_group"
              error="activity_group_id"
              none="Choose a group"
              options={[[NO_GROUP, "No group"], ...toOptions(groups)]}
            />
            <Button label="Move" name="change" value="move" />
          </div>
          <div class="row">
            <Button label="Archive" name="change" value="archive" />
            <Button label="Restore" name="change" value="restore" />
            <button type="submit" name="change" value="export" data-downloads="">
              Export
            </button>
            {total > MAX_EXPORTED_LINKS && (
              <span class="hint">The export of all results has the first {number(MAX_EXPORTED_LINKS)}.</span>
            )}
          </div>
          {/* After a refused form it may hold what was typed. */}
          <details class="more" open={currentPage().var.form !== undefined}>
            <summary>Values, times, domain and destination</summary>
            <div class="fields">
              <div class="row">
                <Select
                  name="value_field"
                  label="Field"
                  none="Choose a field"
                  options={VALUE_FIELD_NAMES.map((name) => [name, VALUE_FIELDS[name].label] as const)}
                />
                <Field name="value" label="New value" error="set" attributes={{ maxlength: 255 }} />
                <Button label="Set value" name="change" value="set_value" />
                <Button label="Remove value" name="change" value="remove_value" />
              </div>
              <div class="row">
                <Select
                  name="moment_field"
                  label="Start or end"
                  none="Choose one"
                  options={MOMENT_FIELD_NAMES.map((name) => [name, MOMENT_FIELDS[name].label] as const)}
                />
                <DateField name="moment" label="New day" labelOfTime="New time of day" />
                <Button label="Preview start or end" name="change" value={PREVIEW_DATE} />
                <Button label="Remove start or end" name="change" value="remove_moment" />
              </div>
              {hosts.length > 0 && (
                <div class="row">
                  <Select
                    name="to_domain"
                    error="domain"
                    label="Domain"
                    none="Choose a domain"
                    options={hosts.map((host) => [host, host])}
                  />
                  <Button label="Move to the domain" name="change" value="domain" />
                </div>
              )}
              <div class="row">
                <Field name="find" label="Text in destinations" {...OF_ADDRESS} />
                <Field name="replacement" label="Replace by" {...OF_ADDRESS} />
                <Button label="Preview" name="change" value={PREVIEW} />
              </div>
            </div>
          </details>
        </div>
      </details>
    </WithChosen>
  </Fields>
);

/** For editors, the form around a table whose rows have checkboxes for changes of many links. */
export const BulkList = ({ shown, children, ...form }: BulkForm & { shown: number; children?: Child }) =>
  currentPage().var.isEditor ? (
    <ActionForm class="bulk" method="post" action={form.action} aria-label="Change many links">
      <ChooseAll {...form} shown={shown} />
      {children}
      <BulkFields {...form} />
    </ActionForm>
  ) : (
    children
  );

/** The column with the checkboxes. */
export const pickLinks = <Row,>(linkOf: (row: Row) => { id: string; title: string | null; slug: string }) =>
  currentPage().var.isEditor &&
  pickColumn<Row>("ids", (row) => ({ id: linkOf(row).id, name: nameOf(linkOf(row)) }));
