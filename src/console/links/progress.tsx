import { z } from "zod";
import { isUlid } from "../../lib/ulid-text";
import { undoGroupChange } from "../../resources/activity-groups/manage-groups";
import { findAuditEntry } from "../../resources/audit/audit-service";
import { parseObject } from "../../resources/audit/field-changes";
import { isUndo } from "../../resources/audit/undoable";
import { undoAssets } from "../../resources/engagement/update-asset";
import { finishAgain } from "../../resources/imports/undo-import";
import type { BulkResult, ChangeProgress } from "../../resources/links/bulk-change";
import { dropSlug } from "../../resources/links/drop-slug";
import { undoOperation } from "../../resources/links/revert/undo-changes";
import { ActionForm, Button } from "../shell/button";
import { href } from "../shell/href";
import { Page, redirectWithNotice, toReturnPath } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { HiddenFields } from "../shell/post-form";
import { count } from "../shell/text";
import { addOutcomes, type BulkAction, describeOutcomes } from "./bulk-notice";

const countField = z.coerce.number().int().min(0).catch(0);
/** What earlier requests have done of the same change. It is only shown. */
const tallyFields = z.object({
  changed: countField,
  unchanged: countField,
  refused: countField,
  refusals: z.string().catch(""),
});

/** Where a change of many links goes on. */
export const progressIn = ({ fields: { after = "", batch = "", left = "" } }: Form): ChangeProgress => ({
  after: after === "" ? undefined : after,
  batch: isUlid(batch) ? { id: batch.toUpperCase(), isStarted: true } : null,
  left: left === "" ? undefined : countField.parse(left),
});

interface Asked {
  change: BulkAction;
  /** The name of what the change is about, if it is known. */
  name?: string | undefined;
  /** The address that takes the next step. */
  action: string;
  /** The page to return to at the end, or if the person stops. */
  back: string;
  /** Whether the page has its own button for that which would undo the change. */
  restoresThere?: boolean;
  /** What the form of the next step has besides its progress. */
  fields?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Answers a change of many links: with its outcome or, if there are more links, with a form that goes on. The script sends
 * that by itself.
 */
export function answerStep(
  c: PageContext,
  form: Form,
  { outcomes, batch, next, left }: BulkResult,
  { change, name, action, back, restoresThere, fields }: Asked,
): Response | Promise<Response> {
  const earlier = tallyFields.parse(form.fields);
  const zone = c.var.ctx.workspace.timeZone;
  const text = describeOutcomes(change, outcomes, { name, earlier, zone });
  if (next === null) return redirectWithNotice(c, back, text, restoresThere ? undefined : batch?.id);
  const progress = { after: next, batch: batch?.id, left, ...addOutcomes(change, outcomes, earlier) };
  return c.render(
    <Page title="There are more links" section="links" class="narrow">
      <p role="status">{text}</p>
      <p>Many links are changed in steps. This step is done, and the remaining links are unchanged.</p>
      <ActionForm class="row" method="post" action={action} data-continues="">
        <HiddenFields fields={{ ...fields, ...progress }} />
        <Button label="Continue" kind="primary" />
        <a href={back}>Stop here</a>
      </ActionForm>
    </Page>,
  );
}

function describeAssets({ changed, left }: { changed: number; left: number }, isRedo: boolean): string {
  const posters = count(changed, "poster");
  const done = isRedo ? `Redid the change of ${posters}.` : `Undid the change of ${posters}.`;
  const none = isRedo ? "No poster was changed." : "Nothing was undone.";
  const others = left === 0 ? "" : ` ${count(left, "poster stays", "posters stay")} as now.`;
  return (changed === 0 ? none : done) + others;
}

/** Undoes the change of a group, or that of one link or of many as far as the links have not changed since. */
export async function undoChange(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const operation = c.req.param("operation").toUpperCase();
  const entry = await findAuditEntry(ctx, operation);
  const backOr = (page: string) => toReturnPath(c, form.fields["back"]) ?? page;
  if (entry?.action === "group.update") {
    const group = await undoGroupChange(ctx, entry);
    return redirectWithNotice(c, backOr(href.group(workspace, group.id)), "The change is undone.");
  }
  if (entry?.action === "link.add_slug") {
    await dropSlug(ctx, entry.subject, String(parseObject(entry.change)["added_slug"]));
    return redirectWithNotice(c, backOr(href.link(workspace, entry.subject)), "The change is undone.");
  }
  if (entry?.action === "asset.update" && entry.batch === operation) {
    const result = await undoAssets(ctx, operation);
    return redirectWithNotice(c, backOr(href.assets(workspace)), describeAssets(result, isUndo(entry)));
  }
  const isOfLink = form.fields["of_link"] !== undefined;
  const undone = await undoOperation(ctx, entry, progressIn(form), isOfLink);
  if (entry?.action === "link.revert" && undone.batch !== null && undone.next === null)
    await finishAgain(ctx, operation);
  const back = backOr(href.audit(workspace));
  return answerStep(c, form, undone, {
    change: { change: entry !== undefined && isUndo(entry) ? "redo" : "undo" },
    action: href.undoChange(workspace, operation),
    back,
    fields: { back },
  });
}
