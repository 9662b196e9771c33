import { continueImport } from "../../resources/imports/continue";
import { restoreImport as restoreLinks } from "../../resources/imports/restore";
import {
  assertImportPath,
  discardImport as discardFile,
  exportRefusedRows,
} from "../../resources/imports/service";
import { undoImport as archiveLinks } from "../../resources/imports/undo";
import { answerUndo } from "../links/undo";
import { type Problem, toProblem } from "../shell/error-labels";
import { sendCsv } from "../shell/file-response";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import type { PageContext } from "../shell/request";
import { describeUndo } from "./progress";
import { reasonOf } from "./rows";
import { SAME_ROWS } from "./upload";

/** Why an action cannot be done. Any other error is thrown again. */
function toInvalid(error: unknown): Problem {
  const problem = toProblem(error);
  if (problem.status !== 422) throw error;
  return problem;
}

export async function sendRefusedRows(c: PageContext): Promise<Response> {
  const { ctx } = c.var;
  const id = c.req.param("id");
  await assertImportPath(ctx, id);
  return sendCsv(c, "refused-rows.csv", exportRefusedRows(ctx, id, reasonOf));
}

export async function goOn(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  const to = href.import(workspace, id);
  const result = await continueImport(ctx, id);
  if ("earlier" in result) {
    return redirectWithNotice(c, href.import(workspace, result.earlier), SAME_ROWS);
  }
  return result.done ? redirectWithNotice(c, to, "The import is finished.") : c.redirect(to, 303);
}

export async function undoImport(c: PageContext): Promise<Response> {
  const id = c.req.param("id");
  const to = href.import(c.var.workspace, id);
  const result = await archiveLinks(c.var.ctx, id).catch(toProblem);
  if ("errors" in result) return redirectWithNotice(c, to, result.message);
  const { done, undo } = result;
  if (!done) return c.redirect(to, 303);
  return redirectWithNotice(c, to, describeUndo(undo), undo.archived > 0 ? undo.batch : undefined);
}

export async function restoreImport(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  const back = href.import(workspace, id);
  const answer = answerUndo(c, { action: href.restoreImport(workspace, id), back }, (progress) =>
    restoreLinks(ctx, id, progress),
  );
  const result = await answer.catch(toInvalid);
  return "errors" in result ? redirectWithNotice(c, back, result.message) : result;
}

export async function discardImport(c: PageContext): Promise<Response> {
  await discardFile(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.imports(c.var.workspace), "The import was discarded.");
}
