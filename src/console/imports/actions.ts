import { z } from "zod";
import { continueImport } from "../../resources/imports/continue-import";
import {
  assertImportPath,
  discardImport as discardFile,
  exportRefusedRows,
} from "../../resources/imports/import-service";
import { undoImport as undo } from "../../resources/imports/undo-import";
import { countExportFiles, exportLinks } from "../../resources/links/export-links";
import { answerStep, progressIn } from "../links/progress";
import { sendCsv } from "../shell/file-response";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { type Form, type PageContext, readQuery, takeOwnShare } from "../shell/page-request";
import { sameRows } from "./import-counts";
import { reasonOf } from "./import-rows";

export async function sendRefusedRows(c: PageContext): Promise<Response> {
  const { ctx } = c.var;
  const id = c.req.param("id");
  await assertImportPath(ctx, id);
  return sendCsv(c, "refused-rows.csv", exportRefusedRows(ctx, id, reasonOf));
}

const exportQuery = z.object({ part: z.coerce.number().int().min(1).max(10_000).optional() });

const EXAMPLE = `destination_url,slug,title,channel,utm_source,utm_medium,tags,status
https://www.example.com/summer?colour=blue,summer-poster,Summer sale,print,poster,print,"Summer, Print",active
https://www.example.com/newsletter,,A slug is made for this one,newsletter,newsletter,email,,active
`;

export const sendExample = (c: PageContext): Response =>
  c.body(EXAMPLE, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": 'attachment; filename="example.csv"',
  });

/** All links as CSV, in one file or, of many links, in parts. */
export async function sendExport(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { part } = readQuery(exportQuery, c);
  if (part === undefined && (await countExportFiles(ctx)) > 1) {
    const notice = "There are more links than a file holds. Export them in parts.";
    return redirectWithNotice(c, href.imports(workspace), notice);
  }
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  const name = `${workspace}-links-${day}${part === undefined ? "" : `-part-${part}`}`;
  return sendCsv(c, `${name}.csv`, exportLinks(ctx, part));
}

export async function goOn(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  await takeOwnShare(c);
  const to = href.import(workspace, id);
  const result = await continueImport(ctx, id);
  if ("earlier" in result) {
    return redirectWithNotice(c, href.import(workspace, result.earlier.id), sameRows(result.earlier));
  }
  return result.done ? redirectWithNotice(c, to, "The import is finished.") : c.redirect(to, 303);
}

export async function undoImport(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  return answerStep(c, form, await undo(ctx, id, progressIn(form)), {
    change: { change: "undo" },
    name: "import",
    action: href.undoImport(workspace, id),
    back: href.import(workspace, id),
    restoresThere: true,
  });
}

export async function discardImport(c: PageContext): Promise<Response> {
  await discardFile(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.imports(c.var.workspace), "The import was discarded.");
}
