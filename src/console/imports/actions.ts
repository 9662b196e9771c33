import { continueImport } from "../../resources/imports/continue";
import {
  assertImportPath,
  discardImport as discardFile,
  exportRefusedRows,
} from "../../resources/imports/service";
import { undoImport as undo } from "../../resources/imports/undo";
import { answerStep, progressIn } from "../links/progress";
import { type Problem, toProblem } from "../shell/error-labels";
import { sendCsv } from "../shell/file-response";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { type PageContext, readForm } from "../shell/request";
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
  const back = href.import(c.var.workspace, id);
  const form = await readForm(c);
  const undone = await undo(c.var.ctx, id, progressIn(form)).catch(toInvalid);
  if ("errors" in undone) return redirectWithNotice(c, back, undone.message);
  const action = href.undoImport(c.var.workspace, id);
  return answerStep(c, form, undone, { change: { change: "undo" }, name: "import", action, back });
}

export async function discardImport(c: PageContext): Promise<Response> {
  await discardFile(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.imports(c.var.workspace), "The import was discarded.");
}
