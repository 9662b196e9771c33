import { z } from "zod";
import { type FieldError, invalid } from "../../errors";
import { isUlid } from "../../lib/ulid-text";
import { findNameIn } from "../../resources/links/change-many";
import { type ChangedLinks, changeAllLinks, changeChosenLinks } from "../../resources/links/change-results";
import { exportChosen } from "../../resources/links/export-list";
import { type ChangeLinks, changeLinksSchema } from "../../resources/links/schema";
import { sendCsv } from "../shell/file-response";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext, readQuery } from "../shell/request";
import { NO_GROUP } from "./bulk-form";
import { addOutcomes, describeOutcomes, NO_TALLY, type Tally } from "./bulk-notice";
import { fileName } from "./list";
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

function checkedChange({ fields }: Form): Omit<ChangeLinks, "ids"> {
  const { change: verb = "", with_tag: tag = "", to_group: group = "", to_domain: domain = "" } = fields;
  if (verb === "move" && group === "") throw invalid([NO_GROUP_CHOSEN]);
  const { ids: _, ...input } = checked(withoutIds, {
    ids: [],
    change: verb,
    tag,
    activity_group_id: group === NO_GROUP ? null : group,
    domain,
  });
  return input;
}

/** The chosen links as CSV, or all that the list finds. */
function exportLinks(c: PageContext, query: LinksList, form: Form): Response {
  if (form.fields["all"] !== undefined) {
    return c.redirect(href.linksFile(c.var.workspace, toLinksQuery(query)), 303);
  }
  const { ids } = checked(changeLinksSchema, { ids: form.all("ids"), change: "archive" });
  return sendCsv(c, fileName(c), exportChosen(c.var.ctx, ids));
}

/** Changes or exports links that were chosen in the list. */
export async function changeLinks(c: PageContext, form: Form): Promise<Response> {
  const query = readQuery(linksQuery, c);
  if (form.fields["change"] === "export") return exportLinks(c, query, form);
  const { workspace, ctx } = c.var;
  const input = checkedChange(form);
  const [{ outcomes, batch, next, left }, name] = await Promise.all([
    change(c, query, form, input),
    findNameIn(ctx, input),
  ]);
  const earlier = tallyIn(form);
  const text = describeOutcomes(input, outcomes, { name, earlier });
  const back = href.links(workspace, toLinksQuery(query));
  if (next === null) return redirectWithNotice(c, back, text, batch?.id);
  const { change: verb, with_tag = "", to_group = "", to_domain = "" } = form.fields;
  return showProgress(c, {
    action: href.changeLinks(workspace, toLinksQuery(query)),
    back,
    fields: {
      ...{ all: "1", change: verb, with_tag, to_group, to_domain },
      ...{ after: next, batch: batch?.id, left },
      ...addOutcomes(earlier, outcomes),
    },
    text,
  });
}
