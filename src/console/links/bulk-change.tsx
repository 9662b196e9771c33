import { z } from "zod";
import type { Context } from "../../context";
import { MOMENT_FIELD_NAMES, VALUE_FIELD_NAMES } from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { isUlid } from "../../lib/ulid-text";
import { changeAllLinks, changeChosenLinks, findNameIn } from "../../resources/links/change-many";
import { type ChangeLinks, changeLinksSchema, settableFields } from "../../resources/links/change-schema";
import { exportChosen } from "../../resources/links/export-links";
import { toConform } from "../../resources/links/link-conventions";
import { ensureTags } from "../../resources/tags/tag-names";
import { listTags } from "../../resources/tags/tag-service";
import { joinDates, readDate } from "../shell/date-field";
import { sendCsv } from "../shell/file-response";
import { href } from "../shell/href";
import { toReturnPath } from "../shell/layout";
import { checked, type Form, type PageContext, readQuery, refusal } from "../shell/page-request";
import { NO_GROUP } from "./bulk-form";
import { PREVIEW, PREVIEW_DATE, showNewDate, showReplacement } from "./bulk-preview";
import { fileName } from "./links-page";
import { type LinksList, linksQuery, toLinksQuery, toListQuery } from "./links-query";
import { answerStep, progressIn } from "./progress";

/** The same change of all links that the list finds. */
const changeAllSchema = changeLinksSchema.safeExtend({ ids: z.array(z.string()).max(0) });

/** The button that was pressed: to set or remove the value or the time of a field. */
const SETS = /^(set|remove)_(value|moment)$/;

const asSet = (pressed = ""): string => (pressed === PREVIEW_DATE ? "set_moment" : pressed);

/** What a field is set to; undefined if another button was pressed. 422 without a field or value. */
function setIn({ fields }: Form, timeZone: string): ChangeLinks["set"] {
  const [, verb, kind = ""] = SETS.exec(asSet(fields["change"])) ?? [];
  if (verb === undefined) return undefined;
  const { [`${kind}_field`]: field = "", [kind]: typed = "" } = joinDates(fields, "moment");
  const text = typed.trim();
  const possible = kind === "value" ? VALUE_FIELD_NAMES : MOMENT_FIELD_NAMES;
  if (!possible.some((name) => name === field))
    throw refusal(`${kind}_field`, kind === "value" ? "Choose a field." : "Choose the start or the end.");
  if (verb === "remove") return { [field]: null };
  if (text === "") throw refusal(kind, `Enter a ${kind === "value" ? "value" : "day"}.`);
  return { [field]: kind === "moment" ? readDate(text, timeZone) : text };
}

/** The id of the tag that a form names, by its name or id. "Add tag" creates a tag that the workspace lacks. */
async function findTag(ctx: Context, typed: string, creates: boolean): Promise<string> {
  const name = typed.trim();
  if (name === "" || isUlid(name)) return name;
  if (creates) {
    const [id = ""] = (await ensureTags(ctx, [name], { field: "tag" })).values();
    return id;
  }
  const tag = (await listTags(ctx)).find((one) => fold(one.name) === fold(name));
  if (tag === undefined) throw refusal("tag", "The workspace has no tag of this name.");
  return tag.id;
}

/** The change that the form asks for, with a value as the conventions write it. It names no links if it is of all. */
async function checkedChange({ var: { ctx } }: PageContext, form: Form): Promise<ChangeLinks> {
  const { change: pressed = "", with_tag: tag = "", to_group: group = "", all, ...fields } = form.fields;
  const verb = pressed === PREVIEW ? "replace" : pressed;
  if (verb === "move" && group === "") throw refusal("activity_group_id", "Choose a group, or “No group”.");
  const schema = all === undefined ? changeLinksSchema : changeAllSchema;
  const ids = all === undefined ? form.all("ids") : [];
  const typed = setIn(form, ctx.workspace.timeZone);
  if (typed !== undefined) {
    const set = await toConform(ctx, checked(settableFields.partial(), typed));
    return checked(schema, { ids, change: "set", set });
  }
  const isOfTag = verb === "tag" || verb === "untag";
  const hasLinks = all !== undefined || ids.length > 0;
  const input = checked(changeAllSchema, {
    ids: [],
    change: verb,
    tag: isOfTag && hasLinks ? await findTag(ctx, tag, verb === "tag") : tag,
    activity_group_id: group === NO_GROUP ? null : group,
    domain: fields["to_domain"],
    find: fields["find"],
    replacement: fields["replacement"],
  });
  return checked(schema, { ...input, ids });
}

/** The chosen links as CSV, or all that the list finds. */
function exportLinks(c: PageContext, query: LinksList, form: Form): Response | Promise<Response> {
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
  const input = await checkedChange(c, form);
  if (form.fields["change"] === PREVIEW) return showReplacement(c, query, form, input);
  if (form.fields["change"] === PREVIEW_DATE) return showNewDate(c, query, form, input);
  const { ids: _, form: __, ...sent } = form.fields;
  const [changed, name] = await Promise.all([
    sent["all"] === undefined
      ? changeChosenLinks(ctx, input)
      : changeAllLinks(ctx, toListQuery(ctx, query), input, progressIn(form)),
    findNameIn(ctx, input),
  ]);
  const { to_group: group } = query;
  const back =
    toReturnPath(c, query.back) ??
    (group !== undefined && input.change === "move" && input.activity_group_id === group
      ? href.group(workspace, group)
      : href.links(workspace, toLinksQuery(query)));
  return answerStep(c, form, changed, {
    change: input,
    name,
    action: href.changeLinks(workspace, toLinksQuery(query)),
    back,
    fields: { ...sent, all: "1" },
  });
}
