import type { Hono } from "hono";
import { invalid } from "../../errors";
import { checkFile } from "../../imports/check";
import { assertSize, MAX_FILE_BYTES, MAX_FILE_MEGABYTES, MAX_ROWS } from "../../imports/file";
import { type Import, listImports } from "../../imports/service";
import { TEXT_FIELD_NAMES } from "../../lib/link-fields";
import { countExportFiles } from "../../links/export";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, type PageContext, readForm } from "../shell/request";
import { Badge, count, Empty, number, Time } from "../shell/text";

/** The title has a line of its own. */
const OTHER_TEXTS = TEXT_FIELD_NAMES.filter((name) => name !== "title");

const COLUMNS: readonly (readonly [says: string, names: string])[] = [
  ["Where it leads (needed)", "destination_url, long_url, Destination URL, originalURL, target, url"],
  [
    "Its slug",
    "slug, key, keyword, path, address, short_url, Custom Link, link: of a short URL its last part",
  ],
  ["Slugs that it had before", "old_slugs: separated by spaces; they go on leading to it"],
  ["Its title", "title, description"],
  ["Its tags", "tags: separated by commas, semicolons or bars; new ones are made"],
  ["Its Activity Group", "activity_group: a slug, an id or a name"],
  ["Its channel and UTM values", [...OTHER_TEXTS, "utm_campaign"].join(", ")],
  [
    "When it opens and ends",
    "starts_at, ends_at, expiresAt: times with a zone, such as 2026-06-01T08:00:00Z",
  ],
  ["Where visitors go after the end", "ended_url, expiredURL"],
  ["Whether it is archived", "status: active or archived; archived: true or false"],
];

const Upload = ({ workspace, problem }: { workspace: string; problem: Problem | undefined }) => (
  <form
    class="card"
    method="post"
    action={href.imports(workspace)}
    enctype="multipart/form-data"
    aria-labelledby="upload"
  >
    <h2 id="upload">Import links</h2>
    {problem?.errors["file"] === undefined && <Refusal problem={problem} />}
    <Field
      label="CSV file"
      name="file"
      type="file"
      required
      problem={problem}
      hint={`Up to ${number(MAX_ROWS)} rows and ${MAX_FILE_MEGABYTES} MB, in UTF-8, separated by commas, semicolons or tabs. The first row names the columns.`}
      attributes={{ accept: ".csv,.tsv,.txt,text/csv", value: undefined }}
    />
    <p class="soft">
      The file is checked first. You see what each row would do, and nothing is made until you say so.
    </p>
    <div class="row">
      <button type="submit" class="primary">
        Check the file
      </button>
      <a href={href.exampleImport(workspace)} download>
        Download an example
      </a>
    </div>
    <details>
      <summary>Which columns are understood</summary>
      <p>
        Those that Waymark, Bitly, Dub, Short.io, Kutt and YOURLS export. Case, spaces and underscores do not
        matter, and other columns are ignored.
      </p>
      <dl class="facts">
        {COLUMNS.map(([says, names]) => (
          <>
            <dt>{says}</dt>
            <dd>{names}</dd>
          </>
        ))}
      </dl>
    </details>
  </form>
);

const Export = ({ workspace, files }: { workspace: string; files: number }) => (
  <section class="card" aria-labelledby="export">
    <h2 id="export">Export links</h2>
    <p>
      Every link of this workspace, active and archived, as CSV. Excel, Numbers and Google Sheets open it, and
      importing it gives the same links again, with the slugs that they had before, where there are the same
      Activity Groups. Clicks, assets and the times of creation stay behind.
    </p>
    {files === 1 ? (
      <p>
        <a class="button" href={href.export(workspace)} download>
          Download all links
        </a>
      </p>
    ) : (
      <>
        <p>
          There is a file for every {number(MAX_ROWS)} links, as many as an import takes (of 10 MB at most).
          Links that are deleted between two downloads move the others to earlier files: while links are being
          deleted, take all in one file.
        </p>
        <nav class="row" aria-label="Files of the export">
          {Array.from({ length: files }, (_, index) => (
            <a class="button" href={href.export(workspace, { part: index + 1 })} download>
              Part {index + 1} of {files}
            </a>
          ))}
        </nav>
        <p>
          <a href={href.export(workspace)} download>
            All links in one file
          </a>
          , for a spreadsheet
        </p>
      </>
    )}
    <p class="hint">
      A cell that a spreadsheet would run as a formula begins with an apostrophe, which an import takes away.
    </p>
  </section>
);

const Recent = ({
  workspace,
  imports,
  mayWrite,
}: {
  workspace: string;
  imports: readonly Import[];
  mayWrite: boolean;
}) =>
  imports.length === 0 ? (
    <Empty>
      <p>
        Nothing has been imported in the last seven days.
        {mayWrite && " Choose a CSV file above to begin."}
      </p>
    </Empty>
  ) : (
    <table class="list">
      <caption class="unseen">Recent imports</caption>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Rows
          </th>
          <th scope="col">Checked</th>
        </tr>
      </thead>
      <tbody>
        {imports.map((one) => (
          <tr>
            <th scope="row">
              <a href={href.import(workspace, one.id)}>{one.name}</a>
            </th>
            <td data-label="State">
              <Badge of={one.status} />
            </td>
            <td class="number" data-label="Rows">
              {number(one.rows)}
            </td>
            <td data-label="Checked">
              <Time at={one.created_at} exact />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );

async function show(c: PageContext, problem?: Problem) {
  const { ctx, membership } = c.var;
  const { slug } = membership.workspace;
  const [imports, files] = await Promise.all([listImports(ctx), countExportFiles(ctx)]);
  return showPage(
    c,
    { title: "Import and export", section: "import", status: problem?.status ?? 200 },
    <div class="stack">
      <div class="columns">
        {membership.role === "viewer" ? (
          <section class="card">
            <h2>Import links</h2>
            <p>An editor or an owner of this workspace can import links.</p>
          </section>
        ) : (
          <Upload workspace={slug} problem={problem} />
        )}
        <Export workspace={slug} files={files} />
      </div>
      <section class="stack" aria-labelledby="recent">
        <h2 id="recent">Recent imports</h2>
        <Recent workspace={slug} imports={imports} mayWrite={membership.role !== "viewer"} />
        <p class="hint">
          An import is kept for seven days. The links that it has made stay. While it is kept, the same file
          leads to it and makes nothing again.
        </p>
      </section>
    </div>,
  );
}

/** The notice if the same rows were imported before. */
export const SAME_ROWS =
  "These rows have been sent before: this is their import, and nothing is made twice. Rows that it refused can be downloaded and imported again.";

/** Room for the other parts of the form. */
const MAX_OTHER_BYTES = 10_000;

async function fileOf(c: PageContext): Promise<File> {
  const length = Number(c.req.header("Content-Length") ?? 0);
  assertSize(length - MAX_OTHER_BYTES);
  const file = (await readForm(c, 2 * MAX_FILE_BYTES)).file("file");
  if (file === undefined || (file.size === 0 && file.name === "")) {
    throw invalid([{ field: "file", message: "Choose a CSV file.", code: "required" }]);
  }
  assertSize(file.size);
  return file;
}

/** The page of imports and exports, and the upload of a CSV file. The file is only checked. */
export function registerUpload(app: Hono<ConsoleEnv>): void {
  app.get(paths.imports, (c) => show(c));

  app.post(paths.imports, editorsOnly, async (c) => {
    const { ctx, membership } = c.var;
    try {
      const file = await fileOf(c);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const found = await checkFile(ctx, { name: file.name, bytes });
      const { slug } = membership.workspace;
      if ("earlier" in found) return redirectWithNotice(c, href.import(slug, found.earlier), SAME_ROWS);
      const { id, rows, refused } = found;
      const verdict = refused === 0 ? "all can be imported" : `${number(refused)} cannot be imported`;
      return redirectWithNotice(c, href.import(slug, id), `${count(rows, "row")} checked: ${verdict}.`);
    } catch (error) {
      return show(c, toProblem(error));
    }
  });
}
