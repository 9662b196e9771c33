import type { Context } from "../../../context";
import { LostRace, retryLostRaces, ServiceError } from "../../../errors";
import { invalid } from "../../../field-errors";
import type { Failure } from "../../../lib/failure";
import { isoTime } from "../../../lib/time";
import { findAuditEntry } from "../../audit/audit-service";
import type { AuditRow } from "../../audit/audit-statements";
import { isRevertible, takesBack } from "../../audit/undoable";
import { checkHosts, hostsOfLink } from "../../destinations/hosts";
import { toLink } from "../link";
import type { UpdateLink } from "../link-schema";
import { checkUpdate } from "../update-link";
import { commitLinks } from "../write/commit";
import { nextState, type Resolved } from "../write/next-state";
import {
  changedValues,
  differencesOf,
  fieldsOf,
  toAsked,
  toPreviousState,
  toUndoneState,
} from "./previous-state";

/** Throws 404, and 422 for a change that cannot be reverted. */
export function assertRevertible(entry: AuditRow | undefined): asserts entry is AuditRow {
  if (entry === undefined) throw new ServiceError(404, { message: "There is no such change." });
  if (!isRevertible(entry.action)) {
    throw new ServiceError(422, { message: "A change of this kind cannot be undone." });
  }
}

const DELETED = "The link has been deleted. A deleted link cannot be restored; a new one can take its slug.";

const lostTag = (id: string): Failure => ({
  field: "tag_ids",
  message: `The tag ${id} has been deleted.`,
  code: "unknown",
});

/** Plans the change of a link back to the state before a change, by the current rules of an update. `isLast` says that it is an undo. */
async function plan(ctx: Context, operation: string, isLast = false) {
  const entry = await findAuditEntry(ctx, operation);
  assertRevertible(entry);
  const { input, campaign, tagIds } = (isLast ? toUndoneState : toPreviousState)(entry, ctx.config);
  const checked = await checkUpdate(
    ctx,
    entry.subject,
    { ...input, ...(tagIds && { tag_ids: [...tagIds] }) },
    checkHosts(ctx.config, hostsOfLink(input)),
  );
  const { row: was, claims } = checked;
  const { group, tags, zone, hostCheck, checkAt = null } = checked.found;
  if (was === undefined) throw new ServiceError(404, { message: DELETED });
  const { asked, failures } = toAsked(was, { input }, ctx.config);
  const refused = [...failures, ...checked.problems].filter(
    (problem): problem is Failure =>
      problem !== undefined && fieldsOf(problem).some((field) => field in asked),
  );
  const possible: UpdateLink = Object.fromEntries(
    Object.entries(asked).filter(([name]) => refused.every((problem) => !fieldsOf(problem).includes(name))),
  );
  const lost = (tagIds ?? []).filter((id) => tags?.every((tag) => tag.public_id !== id));
  const at = ctx.now();
  const found: Resolved = {
    group,
    campaign,
    tags,
    zone,
    hasExactDates: true,
    ...(possible.domain !== undefined && { domain: checked.found.domain }),
    ...(possible.destination_url !== undefined && hostCheck && { hostCheck, checkAt }),
  };
  const will = nextState(was, possible, found, at);
  const shown = {
    at: isoTime(entry.at),
    link: toLink(was, ctx.config),
    fields: will === undefined ? [] : differencesOf(was, will, ctx.config),
    refused: [...refused, ...lost.map(lostTag)],
  };
  // An earlier state takes back later changes too, so it is no change made again.
  const mark = isLast ? takesBack(entry) : { reverted: operation };
  return { was, will, claims, at, zone, shown, mark };
}

export type Revert = Awaited<ReturnType<typeof plan>>["shown"];

/** Shows what a revert would change now, without writing it. */
export const previewRevert = async (ctx: Context, operation: string): Promise<Revert> =>
  (await plan(ctx, operation)).shown;

/** Reverts a link once, or with a `version` undoes its last change. Throws LostRace if the link has changed, also since that version. */
export async function revertOnce(ctx: Context, operation: string, version?: number): Promise<Revert> {
  const { was, will, claims, at, zone, shown, mark } = await plan(ctx, operation, version !== undefined);
  if (version !== undefined && was.version !== version) throw new LostRace();
  if (shown.fields.length === 0 && shown.refused.length > 0) throw invalid(shown.refused);
  if (will === undefined) return shown;
  const input = { ...changedValues(was, will, ctx.config), ...mark };
  await commitLinks(ctx, [{ was, will, input }], { action: "link.revert", at, zone, claims });
  return { ...shown, link: toLink(will, ctx.config) };
}

/**
 * Reverts a link to its state before a change, by the rules of an update. Fields that cannot be reverted are returned
 * with reasons; 422 if none can.
 */
export const revertLink = (ctx: Context, operation: string): Promise<Revert> =>
  retryLostRaces(() => revertOnce(ctx, operation));
