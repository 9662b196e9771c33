import type { Hono } from "hono";
import { continueImport } from "../../resources/imports/continue";
import { restoreImport } from "../../resources/imports/restore";
import { assertImportPath, discardImport, exportRefusedRows } from "../../resources/imports/service";
import { undoImport } from "../../resources/imports/undo";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { answerUndo } from "../links/undo";
import { sendCsv } from "../shell/file-response";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import type { ConsoleEnv } from "../shell/request";
import { count } from "../shell/text";
import { describeUndo } from "./progress";
import { reasonOf } from "./rows";
import { SAME_ROWS } from "./upload";

export function registerImportActions(app: Hono<ConsoleEnv>): void {
  app.get(paths.refusedRows, async (c) => {
    const { ctx } = c.var;
    const id = c.req.param("id");
    await assertImportPath(ctx, id);
    return sendCsv(c, "refused-rows.csv", exportRefusedRows(ctx, id, reasonOf));
  });

  app.post(paths.continueImport, editorsOnly, async (c) => {
    const { ctx, workspace } = c.var;
    const id = c.req.param("id");
    const to = href.import(workspace, id);
    const result = await continueImport(ctx, id).catch((error: unknown) => {
      const problem = toProblem(error);
      if (problem.status !== 422) throw error;
      return problem;
    });
    if ("errors" in result)
      return redirectWithNotice(c, to, `Not imported. ${result.message} Check the file again.`);
    if ("earlier" in result) {
      return redirectWithNotice(c, href.import(workspace, result.earlier), SAME_ROWS);
    }
    const { made, refused } = result;
    if (!result.done) return c.redirect(to, 303);
    return redirectWithNotice(
      c,
      to,
      `${count(made, "link was", "links were")} imported, ${count(refused, "row was", "rows were")} refused.`,
    );
  });

  app.post(paths.undoImport, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const to = href.import(c.var.workspace, id);
    try {
      const { done, undo } = await undoImport(c.var.ctx, id);
      if (!done) return c.redirect(to, 303);
      return redirectWithNotice(c, to, describeUndo(undo), undo.archived > 0 ? undo.batch : undefined);
    } catch (error) {
      return redirectWithNotice(c, to, toProblem(error).message);
    }
  });

  app.post(paths.restoreImport, editorsOnly, async (c) => {
    const { workspace: slug } = c.var;
    const id = c.req.param("id");
    const back = href.import(slug, id);
    try {
      return await answerUndo(c, { action: href.restoreImport(slug, id), back }, (progress) =>
        restoreImport(c.var.ctx, id, progress),
      );
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status !== 422) throw error;
      return redirectWithNotice(c, back, problem.message);
    }
  });

  app.post(paths.discardImport, editorsOnly, async (c) => {
    const { ctx, workspace } = c.var;
    await discardImport(ctx, c.req.param("id"));
    return redirectWithNotice(c, href.imports(workspace), "The import was discarded.");
  });
}
