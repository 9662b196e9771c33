import type { Hono } from "hono";
import { continueImport } from "../../imports/continue";
import { assertImportPath, discardImport, exportRefusedRows } from "../../imports/service";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { sendCsv } from "../shell/file-response";
import { redirectWithNotice } from "../shell/notice";
import type { ConsoleEnv } from "../shell/request";
import { count } from "../shell/text";
import { SAME_ROWS } from "./upload";

export function registerImportActions(app: Hono<ConsoleEnv>): void {
  app.get(paths.refusedRows, async (c) => {
    const { ctx } = c.var;
    const id = c.req.param("id");
    await assertImportPath(ctx, id);
    return sendCsv(c, "refused-rows.csv", exportRefusedRows(ctx, id));
  });

  app.post(paths.continueImport, editorsOnly, async (c) => {
    const { ctx, membership } = c.var;
    const id = c.req.param("id");
    const to = href.import(membership.workspace.slug, id);
    const result = await continueImport(ctx, id);
    if ("earlier" in result) {
      return redirectWithNotice(c, href.import(membership.workspace.slug, result.earlier), SAME_ROWS);
    }
    const { made, refused } = result;
    if (!result.done) return c.redirect(to, 303);
    return redirectWithNotice(
      c,
      to,
      `${count(made, "link was", "links were")} imported, ${count(refused, "row was", "rows were")} refused.`,
    );
  });

  app.post(paths.discardImport, editorsOnly, async (c) => {
    const { ctx, membership } = c.var;
    await discardImport(ctx, c.req.param("id"));
    return redirectWithNotice(c, href.imports(membership.workspace.slug), "The import was discarded.");
  });
}
