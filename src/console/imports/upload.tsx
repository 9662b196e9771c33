import type { Hono } from "hono";
import { type FieldError, invalid } from "../../errors";
import { listAllActivityGroups } from "../../resources/activity-groups/manage";
import { checkFile } from "../../resources/imports/check";
import { assertSize, MAX_FILE_BYTES } from "../../resources/imports/file";
import { listImports } from "../../resources/imports/service";
import { countExportFiles } from "../../resources/links/export";
import { splitTagNames } from "../../resources/tags/create-missing";
import { listTagsNaturally } from "../../resources/tags/service";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import type { Form } from "../shell/form-body";
import { showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, type PageContext, readForm } from "../shell/request";
import { count, number } from "../shell/text";
import { ExportCard } from "./export-card";
import { Recent } from "./recent";
import { Upload } from "./upload-form";

interface Chosen {
  group: string | undefined;
  tags: readonly string[];
  /** Names of tags to create, as they were typed. */
  newTags: string;
}

const NOTHING: Chosen = { group: undefined, tags: [], newTags: "" };
/** More than fifty names of the longest kind. */
const MAX_NEW_TAGS_CHARACTERS = 10_000;
const TOO_LONG: FieldError = {
  field: "new_tags",
  message: `The new tags must not have more than ${number(MAX_NEW_TAGS_CHARACTERS)} characters.`,
  code: "too_long",
};

async function show(c: PageContext, chosen: Chosen, problem?: Problem) {
  const { ctx, membership, workspace: slug } = c.var;
  const [imports, files, groups, tags] = await Promise.all([
    listImports(ctx),
    countExportFiles(ctx),
    listAllActivityGroups(ctx),
    listTagsNaturally(ctx),
  ]);
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
          <Upload workspace={slug} choices={{ groups, tags, chosen }} problem={problem} />
        )}
        <ExportCard workspace={slug} files={files} />
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
const MAX_OTHER_BYTES = 50_000;

async function readUpload(c: PageContext): Promise<Form> {
  const length = Number(c.req.header("Content-Length") ?? 0);
  assertSize(length - MAX_OTHER_BYTES);
  return readForm(c, 2 * MAX_FILE_BYTES);
}

function fileOf(form: Form): File {
  const file = form.file("file");
  if (file === undefined || (file.size === 0 && file.name === "")) {
    throw invalid([{ field: "file", message: "Choose a CSV file.", code: "required" }]);
  }
  assertSize(file.size);
  return file;
}

/** The page of imports and exports, and the upload of a CSV file. The file is only checked. */
export function registerUpload(app: Hono<ConsoleEnv>): void {
  app.get(paths.imports, (c) => show(c, { ...NOTHING, group: c.req.query("group") }));

  app.post(paths.imports, editorsOnly, async (c) => {
    const { ctx, membership } = c.var;
    let chosen = NOTHING;
    try {
      const form = await readUpload(c);
      chosen = {
        group: form.fields["activity_group_id"]?.trim() || undefined,
        tags: form.all("tag_ids").filter((id) => id !== ""),
        newTags: form.fields["new_tags"] ?? "",
      };
      if (chosen.newTags.length > MAX_NEW_TAGS_CHARACTERS) throw invalid([TOO_LONG]);
      const file = fileOf(form);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const found = await checkFile(
        ctx,
        { name: file.name, bytes },
        { ...chosen, newTags: splitTagNames(chosen.newTags) },
      );
      const { slug } = membership.workspace;
      if ("earlier" in found) return redirectWithNotice(c, href.import(slug, found.earlier), SAME_ROWS);
      const { id, rows, refused } = found;
      const hostCheck = refused === 0 ? "all can be imported" : `${number(refused)} cannot be imported`;
      return redirectWithNotice(c, href.import(slug, id), `${count(rows, "row")} checked: ${hostCheck}.`);
    } catch (error) {
      return show(c, chosen, toProblem(error));
    }
  });
}
