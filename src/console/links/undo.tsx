import { z } from "zod";
import { isUlid } from "../../lib/ulid-text";
import { undoGroupChange } from "../../resources/activity-groups/undo";
import { undoAssets } from "../../resources/engagement/change-many";
import { findEntry } from "../../resources/links/revert/revert";
import {
  type Undone,
  type UndoneOperation,
  type UndoProgress,
  undoOfLink,
  undoOperation,
} from "../../resources/links/revert/undo";
import { href } from "../shell/href";
import { redirectWithNotice, toReturnPath } from "../shell/layout";
import { type PageContext, readForm } from "../shell/request";
import { count } from "../shell/text";
import { groupByReason } from "./bulk-notice";
import { showProgress } from "./progress";

const REASONS: Readonly<Record<Exclude<Undone["problem"], null>, string>> = {
  changed: "changed since",
  undone: "undone already",
  deleted: "deleted since",
  destination: "not back, since its earlier destination is refused now",
  external_id: "not back, since its earlier external ID is another link's",
  tag: "back, but without a tag that has been deleted",
};

const number = z.coerce.number().int().min(0).catch(0);
const progressFields = z.object({ after: number, undone: number, left: number });

const isBack = ({ problem }: Undone): boolean => problem === null || problem === "tag";

/** What was undone, and what was not and why. `earlier` is what previous requests did. */
function describeUndone(
  { links, refused }: Pick<UndoneOperation, "links" | "refused">,
  earlier = { undone: 0, left: 0 },
): string {
  const undone = earlier.undone + links.filter(isBack).length;
  const refusedLinks = links.flatMap(({ slug, problem }) =>
    problem === null ? [] : [[slug, REASONS[problem]] as const],
  );
  return [
    undone === 0 ? "Nothing was undone." : `Undid the change of ${count(undone, "link")}.`,
    ...(earlier.left === 0 ? [] : [`Left as they are before: ${count(earlier.left, "link")}.`]),
    ...groupByReason(refusedLinks).map(({ reason, names }) => `${names}: ${reason}.`),
    ...refused,
  ].join(" ");
}

/** Runs a chunk of an undo, and answers with its outcome or with a form that goes on. */
export async function answerUndo(
  c: PageContext,
  to: { action: string; back: string },
  undo: (progress: UndoProgress, fields: Readonly<Record<string, string>>) => Promise<UndoneOperation>,
): Promise<Response> {
  const { fields } = await readForm(c);
  const { after, ...earlier } = progressFields.parse({ after: 0, undone: 0, left: 0, ...fields });
  const { batch: id = "" } = fields;
  const back = toReturnPath(c, fields["back"]) ?? to.back;
  const batch = isUlid(id) ? { id: id.toUpperCase(), isStarted: true } : null;
  const result = await undo({ after, batch }, fields);
  const text = describeUndone(result, earlier);
  if (result.next === null) return redirectWithNotice(c, back, text);
  const undone = result.links.filter(isBack).length;
  return showProgress(c, {
    action: to.action,
    back,
    fields: {
      back,
      after: result.next,
      batch: result.batch?.id,
      undone: earlier.undone + undone,
      left: earlier.left + result.links.length - undone,
    },
    text,
  });
}

/** Undoes the change of a group, or that of one link or of many as far as the links have not changed since. */
export async function undoChange(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const operation = c.req.param("operation").toUpperCase();
  const entry = await findEntry(ctx, operation);
  if (entry?.action === "group.update") {
    const group = await undoGroupChange(ctx, entry);
    const back = toReturnPath(c, (await readForm(c)).fields["back"]) ?? href.group(workspace, group.id);
    return redirectWithNotice(c, back, "The change is undone.");
  }
  if (entry?.action === "asset.update" && entry.batch === operation) {
    const { changed, left } = await undoAssets(ctx, operation);
    const back = toReturnPath(c, (await readForm(c)).fields["back"]) ?? href.assets(workspace);
    const undone = changed === 0 ? "Nothing was undone." : `Undid the change of ${count(changed, "asset")}.`;
    const others = left === 0 ? "" : ` ${count(left, "asset stays", "assets stay")} as now.`;
    return redirectWithNotice(c, back, undone + others);
  }
  const to = { action: href.undoChange(workspace, operation), back: href.audit(workspace) };
  return answerUndo(c, to, (progress, fields) =>
    fields["of_link"] !== undefined
      ? undoOfLink(ctx, operation)
      : undoOperation(ctx, operation, progress, entry),
  );
}
