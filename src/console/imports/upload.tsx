import { ENCODINGS } from "../../lib/csv";
import { DATE_ORDERS } from "../../lib/local-time";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { checkFile } from "../../resources/imports/check-file";
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
import { COLUMNS_STEP, type SentFile, showColumns } from "./import-columns-page";
import { Upload } from "./upload-form";

const ExportCard = ({ files }: { files: number }) => (
  <Card id="export" title="Export links">
    <p>
      Every link of this workspace, active and archived, as CSV for Excel, Numbers or Google Sheets. Importing
      the file creates the same links with their old slugs, in a workspace with the same groups. Clicks,
      posters and creation times are not in it.
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
          An import is kept for seven days. The links that it has made stay. While it is kept, the same file
          leads to it and makes nothing again.
        </p>
      </section>
    </Page>,
  );
}

export const SAME_ROWS =
  "These rows have been sent before: this is their import, and nothing is made twice. Rows that it refused can be downloaded and imported again.";

/** Room for the other parts of the form. */
const MAX_OTHER_BYTES = 50_000;

export async function readUpload(c: PageContext): Promise<Form> {
  const length = Number(c.req.header("Content-Length") ?? 0);
  assertSize(length - MAX_OTHER_BYTES);
  return readLargeForm(c, 2 * MAX_FILE_BYTES);
}

async function fileOf(form: Form): Promise<SentFile> {
  const text = form.lines("text");
  if (text !== "") {
    const bytes = new TextEncoder().encode(text);
    assertSize(bytes.length);
    const encoding = ENCODINGS.find((one) => one === form.fields["encoding"]);
    return { name: form.fields["file_name"] ?? "", bytes, encoding };
  }
  const file = form.file("file");
  if (file === undefined || (file.size === 0 && file.name === "")) {
    throw refusal("file", "Choose a CSV file.");
  }
  assertSize(file.size);
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** The page of a refused form: that of the questions about its file, if it was sent from there, or its dates are not clear. */
export async function showUpload(c: PageContext): Promise<Response> {
  const { form, problem } = c.var;
  const asksDates = form?.fields["dates"] !== undefined || messagesOf(problem, "dates").length > 0;
  const isAsked = asksDates || form?.fields["step"] === COLUMNS_STEP;
  const file = form !== undefined && isAsked ? await fileOf(form).catch(() => undefined) : undefined;
  if (form === undefined || file === undefined) return showImports(c);
  return showColumns(c, form, file, { unknown: findUnknownColumns(file.bytes), asksDates });
}

/** Checks a CSV file, after it has asked what its unknown columns are. Nothing is imported yet. */
export async function upload(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { new_tags: newTags = "", activity_group_id: group = "" } = form.fields;
  if (newTags.length > MAX_NEW_TAGS_CHARACTERS) {
    const most = number(MAX_NEW_TAGS_CHARACTERS);
    throw refusal("new_tags", `The new tags must not have more than ${most} characters.`);
  }
  const file = await fileOf(form);
  const unknown = findUnknownColumns(file.bytes);
  if (unknown.isAsked && form.fields["step"] !== COLUMNS_STEP)
    return showColumns(c, form, file, { unknown, asksDates: false });
  const found = await checkFile(ctx, file, {
    matched: matchColumns(unknown, form.fields),
    dates: DATE_ORDERS.find((order) => order === form.fields["dates"]),
    group: group.trim() || undefined,
    tags: form.all("tag_ids").filter((id) => id !== ""),
    newTags: splitTagNames(newTags),
    updates: form.fields["existing"] === "update",
    mends: form.fields["mends"] === "true",
  });
  if ("earlier" in found) return redirectWithNotice(c, href.import(workspace, found.earlier), SAME_ROWS);
  const { id, rows, refused } = found;
  const outcome = refused === 0 ? "all can be imported" : `${number(refused)} cannot be imported`;
  return redirectWithNotice(c, href.import(workspace, id), `${count(rows, "row")} checked: ${outcome}.`);
}
