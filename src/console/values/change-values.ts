import { z } from "zod";
import { CONVENTION_FIELDS } from "../../lib/conventions";
import { settableFields } from "../../resources/links/change-schema";
import { convention, saveConvention } from "../../resources/links/link-conventions";
import { MAX_REPLACED, replaceValues as replace } from "../../resources/links/utm-values";
import { answerStep, progressIn } from "../links/progress";
import { withEtag } from "../shell/edit-form";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext, readLargeForm, readQuery } from "../shell/page-request";
import { fieldQuery } from "./values-page";

const chosenValues = z.object({
  values: z
    .array(z.string())
    .min(1, "Choose at least one value.")
    .max(MAX_REPLACED, `Choose at most ${MAX_REPLACED} values.`),
  to: z.string("Enter the new value."),
});

/** Fits a hundred of the longest values with every character percent-encoded. */
const MAX_VALUES_FORM_BYTES = 512 * 1024;

export const readValuesForm = (c: PageContext): Promise<Form> => readLargeForm(c, MAX_VALUES_FORM_BYTES);

export async function replaceValues(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { field } = readQuery(fieldQuery, c);
  const { values, to: typed } = checked(chosenValues, { ...form.fields, values: form.all("values") });
  const { [field]: asked } = checked(settableFields.partial(), { [field]: typed });
  const replaced = await replace(ctx, { field, values, to: asked ?? "" }, progressIn(form).batch);
  const { to } = replaced;
  return answerStep(c, form, replaced, {
    change: { change: "set", set: { [field]: to } },
    action: href.replaceValues(workspace, { field }),
    back: href.values(workspace, { field }),
    fields: { values, to },
  });
}

const conventionFieldQuery = z.object({ field: z.enum(CONVENTION_FIELDS) });

export async function saveConventionOf(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { field } = readQuery(conventionFieldQuery, c);
  const given = checked(convention, { ...form.fields, listed: form.lines("listed") });
  await saveConvention(withEtag(ctx, form), field, given);
  return redirectWithNotice(c, href.values(workspace, { field }), "Saved.");
}
