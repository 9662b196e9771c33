import { type Encoding, textOf } from "../../lib/csv";
import type { DateOrder } from "../../lib/local-time";
import { choiceOf, type UnknownColumn, type UnknownColumns } from "../../resources/imports/match-columns";
import { fieldText } from "../changes/change-text";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { FileField, HiddenFields, PostForm, Select, Submit } from "../shell/post-form";

/** A larger file is chosen again, because a page with it would be too large for an instance. */
const MAX_CARRIED_BYTES = 1024 * 1024;

/** The part of the form that says that the columns have been shown. */
export const COLUMNS_STEP = "columns";

export interface SentFile {
  name: string;
  bytes: Uint8Array;
  /** If the bytes are no longer in that of the file. */
  encoding?: Encoding | undefined;
}

const nameOf = ({ name, place }: UnknownColumn): string => name || `Column ${place + 1}`;

/** The file of the form, which is sent once more with the columns. */
const Again = ({ file }: { file: SentFile }) => {
  const text = file.bytes.length <= MAX_CARRIED_BYTES ? textOf(file.bytes) : undefined;
  return text?.ok === true ? (
    <HiddenFields
      fields={{ text: text.value, file_name: file.name, encoding: file.encoding ?? text.encoding }}
    />
  ) : (
    <FileField
      label="The file again"
      required
      hint="It is larger than 1 MB, so this page does not have it."
    />
  );
};

const ORDERS = [
  ["day", "The day, as in 31/12/2026"],
  ["month", "The month, as in 12/31/2026"],
] as const satisfies readonly (readonly [DateOrder, string])[];

/** Asks what the unknown columns of a file are, and what comes first in its dates, before it is checked. */
export function showColumns(
  c: PageContext,
  form: Form,
  file: SentFile,
  { unknown: { columns, fields, isAsked }, asksDates }: { unknown: UnknownColumns; asksDates: boolean },
): Response | Promise<Response> {
  const { workspace } = c.var;
  const { existing, mends, activity_group_id, new_tags } = form.fields;
  const options = fields.map((field) => [field, fieldText(field)] as const);
  const asked = isAsked || !asksDates ? columns : [];
  const title = asked.length > 0 ? "Unknown columns" : "Dates of the file";
  return c.render(
    <Page title={title} section="import" crumbs={["import"]} class="stack">
      <PostForm
        action={href.imports(workspace)}
        enctype="multipart/form-data"
        class="narrow card fields"
        aria-label={title}
      >
        {asked.length > 0 && (
          <p>
            <bdi>{file.name}</bdi> has columns with names that are not known. Say what they are. The file is
            checked then, and nothing is imported yet.
          </p>
        )}
        {asked.map((column) => (
          <Select
            name={choiceOf(column)}
            label={`“${nameOf(column)}” is`}
            hint={<bdi>{column.values.join(" · ")}</bdi>}
            none="Leave out"
            options={options}
          />
        ))}
        {asksDates && (
          <Select
            name="dates"
            label="What comes first in its dates?"
            none="Choose one"
            options={ORDERS}
            required
          />
        )}
        <Again file={file} />
        <HiddenFields
          fields={{
            step: COLUMNS_STEP,
            existing,
            mends,
            activity_group_id,
            new_tags,
            tag_ids: form.all("tag_ids"),
          }}
        />
        <Submit label="Check the file" cancel={href.imports(workspace)} />
      </PostForm>
    </Page>,
  );
}
