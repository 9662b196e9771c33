import { ENCODINGS, toBytes, unclearTexts } from "../../lib/file-text";
import { DATE_ORDERS } from "../../lib/local-time";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { checkFile } from "../../resources/imports/check-file";
import { UnclearDates } from "../../resources/imports/date-order";
import { assertSize, MAX_FILE_BYTES, MAX_ROWS } from "../../resources/imports/import-file";
import { listImports } from "../../resources/imports/import-service";
import { findUnknownColumns, matchColumns } from "../../resources/imports/match-columns";
import { countExportFiles } from "../../resources/links/export-links";
import { splitTagNames } from "../../resources/tags/tag-names";
import { listTagsNaturally } from "../../resources/tags/tag-service";
import { here, href } from "../shell/href";
import { messagesOf } from "../shell/labelled";
import { Page, redirectWithNotice } from "../shell/layout";
import { type Form, type PageContext, readLargeForm, refusal } from "../shell/page-request";
import { Table } from "../shell/table";
import { Badge, Card, count, number, Time } from "../shell/text";
import { endedText, sameRows } from "./import-counts";
import { QUESTION_STEP, type SentFile, showLettersQuestion, showQuestion } from "./import-question";
import { Upload } from "./upload-form";

const ExportCard = ({ files }: { files: number }) => (
  <Card id="export" title="Export links">
    <p>
      Every link of this workspace, active and archived, as CSV for Excel, Numbers or Google Sheets. Importing
      the file creates the same links with their old slugs and times of creation, in a workspace with the same
      groups. Of clicks, it has only those from before a move. Posters are not in it.
    </p>
    {files === 1 ? (
      <p>
        <a class="button" href={here.export()} download>
          Download all links
        </a>
      </p>
    ) : (
      <>
        <p>
          There is a file for every {number(MAX_ROWS)} links, as many as an import takes (of 10 MB at most).
          Links that are deleted between two downloads move the others to earlier files: if that happens, take
          all files again.
        </p>
        <nav class="row" aria-label="Files of the export">
          {Array.from({ length: files }, (_, index) => (
            <a class="button" href={here.export({ part: index + 1 })} download>
              Part {index + 1} of {files}
            </a>
          ))}
        </nav>
      </>
    )}
    <p class="hint">
      A cell that a spreadsheet would run as a formula begins with an apostrophe, which an import takes away.
    </p>
  </Card>
);

/** More than fifty names of the longest kind. */
const MAX_NEW_TAGS_CHARACTERS = 10_000;

export async function showImports(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor } = c.var;
  const [imports, files, groups, tags] = await Promise.all([
    listImports(ctx),
    countExportFiles(ctx),
    listAllActivityGroups(ctx),
    listTagsNaturally(ctx),
  ]);
  return c.render(
    <Page title="Import and export" section="import" class="stack">
      <div class="columns">
        {isEditor ? (
          <Upload groups={groups} tags={tags} />
        ) : (
          <Card id="upload" title="Import links">
            <p>An editor or an owner of this workspace can import links.</p>
          </Card>
        )}
        <ExportCard files={files} />
      </div>
      <section class="stack" aria-labelledby="recent">
        <h2 id="recent">Recent imports</h2>
        <Table
          caption="Recent imports"
          empty={`Nothing has been imported in the last seven days.${isEditor ? " Choose a CSV file above to start." : ""}`}
          rows={imports}
          columns={[
            {
              heading: "File",
              isName: true,
              cell: ({ id, name }) => <a href={href.import(workspace, id)}>{name}</a>,
            },
            { heading: "State", cell: ({ status }) => <Badge of={status} /> },
            { heading: "Rows", kind: "number", cell: ({ rows }) => number(rows) },
            { heading: "Checked", cell: (one) => <Time at={one.created_at} exact /> },
          ]}
        />
        <p class="hint">
          An import is kept for seven days. The links that it has created stay. While it is kept, the same
          file leads to it and creates nothing again.
        </p>
      </section>
    </Page>,
  );
}

/** Room for the other parts of the form. */
const MAX_OTHER_BYTES = 50_000;

export async function readUpload(c: PageContext): Promise<Form> {
  const length = Number(c.req.header("Content-Length") ?? 0);
  assertSize(length - MAX_OTHER_BYTES);
  return readLargeForm(c, 2 * MAX_FILE_BYTES);
}

/** A file whose letters are unclear, in the code page that the form has chosen. */
function inChosenPage(file: SentFile, form: Form): SentFile {
  const chosen = form.fields["encoding"];
  const found = chosen === undefined ? undefined : unclearTexts(file.bytes).find(([page]) => page === chosen);
  if (found === undefined) return file;
  return { ...file, bytes: new TextEncoder().encode(found[1]), encoding: found[0] };
}

async function fileOf(form: Form): Promise<SentFile> {
  const text = form.lines("text");
  if (text !== "") {
    const bytes = new TextEncoder().encode(text);
    assertSize(bytes.length);
    const encoding = ENCODINGS.find((one) => one === form.fields["encoding"]);
    return { name: form.fields["file_name"] ?? "", bytes, encoding };
  }
  const western = form.lines("western");
  if (western !== "") {
    const bytes = toBytes(western);
    assertSize(bytes.length);
    return inChosenPage({ name: form.fields["file_name"] ?? "", bytes }, form);
  }
  const file = form.file("file");
  if (file === undefined || (file.size === 0 && file.name === "")) {
    throw refusal("file", "Choose a CSV file.");
  }
  assertSize(file.size);
  return inChosenPage({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, form);
}

/** The page of a refused form: that of the question about its file that was answered, unless something is wrong with the file itself. */
export async function showUpload(c: PageContext): Promise<Response> {
  const { form, problem } = c.var;
  const isOfFile = messagesOf(problem, "file").length > 0;
  const isAnswer = form?.fields["step"] === QUESTION_STEP && !isOfFile;
  const file = form !== undefined && isAnswer ? await fileOf(form).catch(() => undefined) : undefined;
  if (form === undefined || file === undefined) return showImports(c);
  const question = { unknown: findUnknownColumns(file.bytes), example: form.fields["dates_example"] };
  return showQuestion(c, form, file, question);
}

/** Checks a CSV file, after it has asked what is not clear in it. Nothing is imported yet. */
export async function upload(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { new_tags: newTags = "", activity_group_id: group = "" } = form.fields;
  if (newTags.length > MAX_NEW_TAGS_CHARACTERS) {
    const most = number(MAX_NEW_TAGS_CHARACTERS);
    throw refusal("new_tags", `The new tags must not have more than ${most} characters.`);
  }
  const file = await fileOf(form);
  const unclear = unclearTexts(file.bytes);
  if (unclear.length > 0) return showLettersQuestion(c, form, file, unclear);
  const unknown = findUnknownColumns(file.bytes);
  if (unknown.isAsked && form.fields["step"] !== QUESTION_STEP)
    return showQuestion(c, form, file, { unknown });
  const found = await checkFile(ctx, file, {
    matched: matchColumns(unknown, form.fields),
    dates: DATE_ORDERS.find((order) => order === form.fields["dates"]),
    group: group.trim() || undefined,
    tags: form.all("tag_ids").filter((id) => id !== ""),
    newTags: splitTagNames(newTags),
    updates: form.fields["existing"] === "update",
    mends: form.fields["mends"] === "true",
  }).catch((error: unknown) => {
    if (error instanceof UnclearDates) return error;
    throw error;
  });
  if (found instanceof UnclearDates) return showQuestion(c, form, file, { unknown, example: found.example });
  if ("earlier" in found)
    return redirectWithNotice(c, href.import(workspace, found.earlier.id), sameRows(found.earlier));
  const { id, rows, refused, ended } = found;
  const outcome =
    refused === 0 ? "none is refused" : `${number(refused)} ${refused === 1 ? "is" : "are"} refused`;
  const said = [`${count(rows, "row")} checked: ${outcome}.`, endedText(ended) ?? ""].join(" ").trim();
  return redirectWithNotice(c, href.import(workspace, id), said);
}
