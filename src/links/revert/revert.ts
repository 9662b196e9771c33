import { parseObject } from "../../audit/facts";
import { selectAuditEntry } from "../../audit/repository";
import type { Context } from "../../context";
import { invalid, LostRace, retryLostRaces, ServiceError } from "../../errors";
import { isoTime } from "../../lib/time";
import { toLink } from "../link";
import { commitLinks } from "../write/commit";
import { nextState } from "../write/next-state";
import { planRevert, type Revert, type RevertPlan, toBefore } from "./plan";

const OF_FIELDS: ReadonlySet<string> = new Set(["link.update", "link.revert"]);
const OF_TAGS: ReadonlySet<string> = new Set(["link.attach_tags", "link.detach_tag"]);

/** Whether changes with this action can be reverted. */
export const isRevertible = (action: string): boolean => OF_FIELDS.has(action) || OF_TAGS.has(action);

/** A revert with the time of the change that it reverts. */
interface DatedRevert extends Revert {
  at: string;
}

export const changeNotFound = () => new ServiceError(404, { message: "There is no such change." });

async function plan(ctx: Context, operation: string): Promise<RevertPlan & DatedRevert> {
  const [[entry]] = await ctx.db.read(selectAuditEntry(ctx.workspace.rowId, operation));
  if (entry === undefined) throw changeNotFound();
  const before = toBefore(parseObject(entry.before), OF_TAGS.has(entry.action));
  if (!isRevertible(entry.action) || (before.fields ?? before.tagIds) === undefined) {
    throw new ServiceError(422, { message: "A change of this kind cannot be undone." });
  }
  return { at: isoTime(entry.at), ...(await planRevert(ctx, entry.subject, before)) };
}

const shown = ({ at, link, fields, refused }: DatedRevert): DatedRevert => ({ at, link, fields, refused });

/** Shows what a revert would change now, without writing it. */
export const previewRevert = async (ctx: Context, operation: string): Promise<DatedRevert> =>
  shown(await plan(ctx, operation));

/** Reverts a link once. Throws LostRace if the link has changed, also since the `version` that the caller has read. */
export async function revertOnce(ctx: Context, operation: string, version?: number): Promise<DatedRevert> {
  const planned = await plan(ctx, operation);
  const { row: was, input, found, unclaimed, change, refused } = planned;
  if (version !== undefined && was.version !== version) throw new LostRace();
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
}

/**
 * Reverts a link to its state before a change, by the rules of an update. Fields that cannot be reverted are returned
 * with reasons; 422 if none can.
 */
export const revertLink = (ctx: Context, operation: string): Promise<DatedRevert> =>
  retryLostRaces(() => revertOnce(ctx, operation));
