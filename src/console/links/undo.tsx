import { undoGroupChange } from "../../resources/activity-groups/manage";
import { undoAssets } from "../../resources/engagement/update";
import { finishAgain } from "../../resources/imports/undo";
import { findEntry } from "../../resources/links/revert/revert";
import { undoOperation } from "../../resources/links/revert/undo";
import { href } from "../shell/href";
import { redirectWithNotice, toReturnPath } from "../shell/layout";
import { type PageContext, readForm } from "../shell/request";
import { count } from "../shell/text";
import { answerStep, progressIn } from "./progress";

/** Undoes the change of a group, or that of one link or of many as far as the links have not changed since. */
export async function undoChange(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const operation = c.req.param("operation").toUpperCase();
  const [entry, form] = await Promise.all([findEntry(ctx, operation), readForm(c)]);
  const backOr = (page: string) => toReturnPath(c, form.fields["back"]) ?? page;
  if (entry?.action === "group.update") {
    const group = await undoGroupChange(ctx, entry);
    return redirectWithNotice(c, backOr(href.group(workspace, group.id)), "The change is undone.");
  }
  if (entry?.action === "asset.update" && entry.batch === operation) {
    const { changed, left } = await undoAssets(ctx, operation);
    const undone = changed === 0 ? "Nothing was undone." : `Undid the change of ${count(changed, "asset")}.`;
    const others = left === 0 ? "" : ` ${count(left, "asset stays", "assets stay")} as now.`;
    return redirectWithNotice(c, backOr(href.assets(workspace)), undone + others);
  }
  const isOfLink = form.fields["of_link"] !== undefined;
  const undone = await undoOperation(ctx, entry, progressIn(form), isOfLink);
  if (entry?.action === "link.revert" && undone.batch !== null && undone.next === null)
    await finishAgain(ctx, operation);
  const back = backOr(href.audit(workspace));
  return answerStep(c, form, undone, {
    change: { change: "undo" },
    action: href.undoChange(workspace, operation),
    back,
    fields: { back },
  });
}
