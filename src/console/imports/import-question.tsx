import type { Child } from "hono/jsx";
import {
  CODE_PAGES,
  cellsThatDiffer,
  type Encoding,
  textOf,
  toWestern,
  type unclearTexts,
} from "../../lib/file-text";
import { DATE_ORDERS, fromWrittenMoment } from "../../lib/local-time";
import {
  choiceOf,
  likelyDestination,
  type UnknownColumn,
  type UnknownColumns,
} from "../../resources/imports/match-columns";
import { fieldText } from "../changes/field-change";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import { currentPage, type Form, type PageContext } from "../shell/page-request";
import { FileField, HiddenFields, PostForm, Select, Submit } from "../shell/post-form";
import { dayText, Fact } from "../shell/text";

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

/** The file of the form, which is sent once more with the answer. */
const Again = ({ file }: { file: SentFile }) => {
  if (file.bytes.length > MAX_CARRIED_BYTES)
    return (
      <>
        <FileField
          label="The file again"
          required
          hint="It is larger than 1 MB, so this page does not have it."
        />
        <HiddenFields fields={{ encoding: file.encoding }} />
      </>
    );
  const text = textOf(file.bytes);
  const carried = text.ok
    ? { text: text.value, encoding: file.encoding ?? text.encoding }
    : { western: toWestern(file.bytes) };
  return <HiddenFields fields={{ ...carried, file_name: file.name }} />;
};

/** What is asked before it, and the fields of the form that sent the file. */
const Question = ({
  title,
  file,
  form,
  fields = {},
  children,
}: {
  title: string;
  file: SentFile;
  form: Form;
  /** Further fields that the answer has. */
  fields?: Readonly<Record<string, string | undefined>>;
  children: Child;
}) => {
  const { existing, mends, activity_group_id, new_tags } = form.fields;
  const { workspace } = currentPage().var;
  return (
    <Page title={title} section="import" crumbs={["import"]} class="stack">
      <PostForm
        action={href.imports(workspace)}
        enctype="multipart/form-data"
        class="narrow card fields"
        aria-label={title}
      >
        {children}
        <Again file={file} />
        <HiddenFields
          fields={{ ...fields, existing, mends, activity_group_id, new_tags, tag_ids: form.all("tag_ids") }}
        />
        <Submit label="Check the file" cancel={href.imports(workspace)} />
      </PostForm>
    </Page>
  );
};

/** Asks by some of its cells in which code page a file is. */
export function showLettersQuestion(
  c: PageContext,
  form: Form,
  file: SentFile,
  texts: ReturnType<typeof unclearTexts>,
): Response | Promise<Response> {
  const [[page, one] = ["Windows-1252", ""] as const, [, other] = ["", one]] = texts;
  const cells = cellsThatDiffer(one, other);
  const shown = (which: 0 | 1) => cells.map((both) => both[which]).join(" · ");
  const readings =
    one === other
      ? [[page, texts.length === 1 ? CODE_PAGES[page] : "Western or Central European", shown(0)] as const]
      : texts.map(([name], index) => [name, CODE_PAGES[name], shown(index === 0 ? 0 : 1)] as const);
  return c.render(
    <Question title="Letters of the file" file={file} form={form}>
      <p>
        It is not certain which letters <bdi>{file.name}</bdi> has, such as é or ü. The file is checked after
        your answer, and nothing is imported yet. If none of these are right, save the file as “CSV UTF-8”,
        and choose it again.
      </p>
      <dl class="facts">
        {readings.map(([, name, text]) => (
          <Fact name={name}>
            <bdi>{text}</bdi>
          </Fact>
        ))}
      </dl>
      <Select
        name="encoding"
        label="Which of these are the right letters?"
        none="Choose one"
        options={readings.map(([value, name, text]) => [value, `${name}: ${text}`])}
        required
      />
    </Question>,
  );
}

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
const ColumnsQuestion = ({
  file,
  unknown,
  likely,
}: {
  file: SentFile;
  unknown: UnknownColumns;
  /** What is chosen at first as the destination. */
  likely: UnknownColumn | undefined;
}) => (
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
        {...(column === likely && { value: "destination_url" })}
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
  const title = example === undefined ? "Unknown columns" : "Dates of the file";
  const answered = unknown.columns.map(
    (column) => [choiceOf(column), form.fields[choiceOf(column)]] as const,
  );
  const likely = form.fields["step"] === QUESTION_STEP ? undefined : likelyDestination(unknown);
  const fields = { ...(example !== undefined && Object.fromEntries(answered)), step: QUESTION_STEP };
  return c.render(
    <Question title={title} file={file} form={form} fields={fields}>
      {example === undefined ? (
        <ColumnsQuestion file={file} unknown={unknown} likely={likely} />
      ) : (
        <DatesQuestion file={file} example={example} />
      )}
    </Question>,
  );
}
