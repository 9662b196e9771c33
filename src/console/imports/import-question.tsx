import { type Encoding, textOf } from "../../lib/csv";
import { DATE_ORDERS, fromWrittenMoment } from "../../lib/local-time";
import { choiceOf, type UnknownColumn, type UnknownColumns } from "../../resources/imports/match-columns";
import { fieldText } from "../changes/field-change";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { FileField, HiddenFields, PostForm, Select, Submit } from "../shell/post-form";
import { dayText } from "../shell/text";

/** A larger file is chosen again, because a page with it would be too large for an instance. */
const MAX_CARRIED_BYTES = 1024 * 1024;

/** The part of the form that says that it answers a question. */
export const QUESTION_STEP = "columns";

const DATE_LENGTH = "2026-05-01".length;

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

/** What comes first in dates, each with what a date of the file is then. */
const ordersOf = (example: string) =>
  DATE_ORDERS.map((order) => {
    const day = fromWrittenMoment(example, "UTC", { order })?.slice(0, DATE_LENGTH);
    return [order, `The ${order}${day === undefined ? "" : `: ${example} is ${dayText(day)}`}`] as const;
  });

/** Asks what comes first in the dates of a file. */
const DatesQuestion = ({ file, example }: { file: SentFile; example: string }) => (
  <>
    <p>
      <bdi>{file.name}</bdi> has dates that can be read in two ways, such as {example}. Say how to read them.
      The file is checked then, and nothing is imported yet.
    </p>
    <Select
      name="dates"
      label="What comes first in its dates?"
      none="Choose one"
      options={ordersOf(example)}
      required
    />
    <HiddenFields fields={{ dates_example: example }} />
  </>
);

/** Asks what the unknown columns of a file are. */
const ColumnsQuestion = ({ file, unknown }: { file: SentFile; unknown: UnknownColumns }) => (
  <>
    <p>
      <bdi>{file.name}</bdi> has columns with names that are not known. Say what they are. The file is checked
      then, and nothing is imported yet.
    </p>
    {unknown.columns.map((column) => (
      <Select
        name={choiceOf(column)}
        label={`“${nameOf(column)}” is`}
        hint={<bdi>{column.values.join(" · ")}</bdi>}
        none="Leave out"
        options={unknown.fields.map((field) => [field, fieldText(field)] as const)}
      />
    ))}
  </>
);

/** Asks one thing of a file before it is checked: with an example, how its dates are read, else what its unknown columns are. */
export function showQuestion(
  c: PageContext,
  form: Form,
  file: SentFile,
  { unknown, example }: { unknown: UnknownColumns; example?: string | undefined },
): Response | Promise<Response> {
  const { workspace } = c.var;
  const { existing, mends, activity_group_id, new_tags } = form.fields;
  const title = example === undefined ? "Unknown columns" : "Dates of the file";
  const answered = unknown.columns.map(
    (column) => [choiceOf(column), form.fields[choiceOf(column)]] as const,
  );
  return c.render(
    <Page title={title} section="import" crumbs={["import"]} class="stack">
      <PostForm
        action={href.imports(workspace)}
        enctype="multipart/form-data"
        class="narrow card fields"
        aria-label={title}
      >
        {example === undefined ? (
          <ColumnsQuestion file={file} unknown={unknown} />
        ) : (
          <DatesQuestion file={file} example={example} />
        )}
        <Again file={file} />
        <HiddenFields
          fields={{
            ...(example !== undefined && Object.fromEntries(answered)),
            step: QUESTION_STEP,
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
