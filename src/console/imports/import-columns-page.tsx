import { textOf } from "../../lib/csv";
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
}

const nameOf = ({ name, place }: UnknownColumn): string => name || `Column ${place + 1}`;

/** The file of the form, which is sent once more with the columns. */
const Again = ({ file }: { file: SentFile }) => {
  const text = file.bytes.length <= MAX_CARRIED_BYTES ? textOf(file.bytes) : undefined;
  return text?.ok === true ? (
    <HiddenFields fields={{ text: text.value, file_name: file.name }} />
  ) : (
    <FileField
      label="The file again"
      required
      hint="It is larger than 1 MB, so this page does not have it."
    />
  );
};

/** Asks what the unknown columns of a file are, before it is checked. */
export function showColumns(
  c: PageContext,
  form: Form,
  file: SentFile,
  { columns, fields }: UnknownColumns,
): Response | Promise<Response> {
  const { workspace } = c.var;
  const { existing, mends, activity_group_id, new_tags } = form.fields;
  const options = fields.map((field) => [field, fieldText(field)] as const);
  return c.render(
    <Page title="Unknown columns" section="import" crumbs={["import"]} class="stack">
      <PostForm
        action={href.imports(workspace)}
        enctype="multipart/form-data"
        class="narrow card fields asked"
        aria-label="Unknown columns"
      >
        <p>
          <bdi>{file.name}</bdi> has columns with names that are not known. Say what they are. The file is
          checked then, and nothing is imported yet.
        </p>
        {columns.map((column) => (
          <Select
            name={choiceOf(column)}
            label={`“${nameOf(column)}” is`}
            hint={<bdi>{column.values.join(" · ")}</bdi>}
            none="Leave out"
            options={options}
          />
        ))}
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
