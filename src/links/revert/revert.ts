import { parseObject } from "../../audit/facts";
import { auditRowOf } from "../../audit/repository";
import type { Context } from "../../context";
import { invalid, retryLostRaces, ServiceError } from "../../errors";
import { isoTime } from "../../lib/time";
import { toLink } from "../link";
import { commitLinks } from "../write/commit";
import { nextState } from "../write/next-state";
import { planRevert, type Revert, type RevertPlan, readBefore } from "./plan";

const OF_FIELDS: ReadonlySet<string> = new Set(["link.update", "link.revert"]);
const OF_TAGS: ReadonlySet<string> = new Set(["link.attach_tags", "link.detach_tag"]);

/** Whether a link can be taken back to before such an action. */
export const isRevertible = (action: string): boolean => OF_FIELDS.has(action) || OF_TAGS.has(action);

/** When a change was made, and what taking it back does. */
export interface DatedRevert extends Revert {
  at: string;
}

async function plan(ctx: Context, operation: string): Promise<RevertPlan & DatedRevert> {
  const [[entry]] = await ctx.db.read(auditRowOf(ctx.workspace.rowId, operation));
  if (entry === undefined) throw new ServiceError(404, { message: "There is no such change." });
  const before = readBefore(parseObject(entry.before), OF_TAGS.has(entry.action));
  if (!isRevertible(entry.action) || (before.fields ?? before.tagIds) === undefined) {
    throw new ServiceError(422, { message: "A change of this kind cannot be taken back." });
  }
  return { at: isoTime(entry.at), ...(await planRevert(ctx, entry.subject, before)) };
}

const shown = ({ at, link, fields, refused }: DatedRevert): DatedRevert => ({ at, link, fields, refused });

/** What taking a link back to its state before a change would do now. */
export const previewRevert = async (ctx: Context, operation: string): Promise<DatedRevert> =>
  shown(await plan(ctx, operation));

/**
 * Takes a link back to its state before a change, by the rules of an update: all fields that can be, with the reason for
 * each that cannot. Where none can, it is 422 with the reasons.
 */
export const revertLink = (ctx: Context, operation: string): Promise<DatedRevert> =>
  retryLostRaces(async () => {
    const planned = await plan(ctx, operation);
    const { row: was, input, found, unclaimed, change, refused } = planned;
    if (planned.fields.length === 0 && refused.length > 0) throw invalid(refused);
    const at = ctx.now();
    const will = nextState(was, input, found, at);
    if (will === undefined) return shown(planned);
    await commitLinks(ctx, [{ was, will }], {
      action: "link.revert",
      input: { ...change, reverted: operation },
      at,
      unclaimed,
    });
    return { ...shown(planned), link: toLink(will, ctx.config.shortBaseUrl) };
  });
