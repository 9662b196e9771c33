import type { Hono } from "hono";
import { z } from "zod";
import { type FieldError, invalid } from "../../errors";
import { isUlid } from "../../lib/ulid-text";
import { findNameIn } from "../../resources/links/change-many";
import { type ChangedLinks, changeAllLinks, changeChosenLinks } from "../../resources/links/change-results";
import { exportChosen } from "../../resources/links/export-list";
import { type ChangeLinks, changeLinksSchema } from "../../resources/links/schema";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { sendCsv } from "../shell/file-response";
import type { Form } from "../shell/form-body";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm, readQuery } from "../shell/request";
import { NO_GROUP } from "./bulk-form";
import { addTallies, describeOutcomes, NO_TALLY, type Tally, tallyOf } from "./bulk-notice";
import { fileName, showLinks } from "./list";
import { showProgress } from "./progress";
import { type LinksList, linksQuery, toLinksQuery, toListQuery } from "./query";

const NO_GROUP_CHOSEN: FieldError = {
  field: "activity_group_id",
  message: "Choose an Activity Group, or that there is to be none.",
  code: "required",
};

const countField = z.coerce.number().int().min(0).catch(0);
/** What earlier requests have done of the same change. The numbers are only shown. */
const progressFields = z.object({ changed: countField, unchanged: countField, refused: countField });

const tallyIn = ({ fields }: Form): Tally => progressFields.parse({ ...NO_TALLY, ...fields });

/** Changes all links that the list finds, or those that were chosen in it. */
async function change(
  c: PageContext,
  query: LinksList,
  form: Form,
  input: Omit<ChangeLinks, "ids">,
): Promise<ChangedLinks> {
  const { ctx } = c.var;
  const { all, after = "", batch = "", left = "" } = form.fields;
  if (all === undefined)
    return changeChosenLinks(ctx, checked(changeLinksSchema, { ...input, ids: form.all("ids") }));
  return changeAllLinks(ctx, toListQuery(ctx, { ...query, after: undefined }), input, {
    after: after === "" ? undefined : after,
    batch: isUlid(batch) ? { id: batch.toUpperCase(), isStarted: true } : null,
    left: left === "" ? undefined : countField.parse(left),
  });
}

const withoutIds = changeLinksSchema.safeExtend({ ids: z.array(z.string()).max(0) });

async function changeChosen(c: PageContext, query: LinksList, form: Form): Promise<Response> {
  const { change: verb = "", with_tag: tag = "", to_group: group = "", to_domain: domain = "" } = form.fields;
  const workspace = c.var.workspace;
  if (verb === "move" && group === "") throw invalid([NO_GROUP_CHOSEN]);
  const { ids: _, ...input } = checked(withoutIds, {
    ids: [],
    change: verb,
    tag,
    activity_group_id: group === NO_GROUP ? null : group,
    domain,
  });
  const [{ outcomes, batch, next, left }, name] = await Promise.all([
    change(c, query, form, input),
    findNameIn(c.var.ctx, input),
  ]);
  const earlier = tallyIn(form);
  const text = describeOutcomes(input, outcomes, { name, earlier });
  if (next !== null) {
    const chosen = { all: "1", change: verb, with_tag: tag, to_group: group, to_domain: domain };
    const fields = { ...chosen, after: next, batch: batch?.id, left };
    return showProgress(c, {
      action: href.changeLinks(workspace, toLinksQuery(query)),
      back: href.links(workspace, toLinksQuery(query)),
      fields: { ...fields, ...addTallies(earlier, tallyOf(outcomes)) },
      text,
    });
  }
  const to = href.links(workspace, toLinksQuery(query));
  return redirectWithNotice(c, to, text, batch?.id);
}

/** The chosen links as CSV, or all that the list finds. */
function exportLinks(c: PageContext, query: LinksList, form: Form): Response {
  const workspace = c.var.workspace;
  if (form.fields["all"] !== undefined)
    return c.redirect(href.linksFile(workspace, toLinksQuery(query)), 303);
  const { ids } = checked(changeLinksSchema, { ids: form.all("ids"), change: "archive" });
  return sendCsv(c, fileName(c), exportChosen(c.var.ctx, ids));
}

/** Changes or exports links that were chosen in the list. */
export function registerBulkChange(app: Hono<ConsoleEnv>): void {
  app.post(paths.changeLinks, editorsOnly, async (c) => {
    const query = readQuery(linksQuery, c);
    const form = await readForm(c);
    try {
      const isExport = form.fields["change"] === "export";
      return isExport ? exportLinks(c, query, form) : await changeChosen(c, query, form);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status !== 422) throw error;
      const { with_tag: tag = "", to_group: group = "", to_domain: domain = "", all } = form.fields;
      const ids = form.all("ids");
      return showLinks(c, query, { problem, ids, isAll: all !== undefined, tag, group, domain });
    }
  });
}
