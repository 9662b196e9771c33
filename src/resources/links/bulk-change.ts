import type { Context } from "../../context";
import { ServiceError } from "../../errors";
import type { Failure } from "../../lib/failure";
import { newId } from "../../lib/ids";
import { selectAuditEntry } from "../audit/audit-statements";
import type { BulkChange } from "./write/audit-entries";

/** The most links that one request changes. More could need more statements than the free plan allows. */
export const MAX_LINKS_PER_COMMIT = 250;

/** Of the links, with their previous states in an undo, that one chunk changes. They are held some eight times meanwhile. */
export const MAX_CHARACTERS_PER_CHUNK = 1_500_000;

/** `unchanged` means that the link already had the requested state. A changed link may lack what has failures. */
export type Outcome =
  | { outcome: "changed"; failures?: readonly Failure[] }
  | { outcome: "refused"; failures: readonly Failure[] }
  | { outcome: "unchanged" };

/** The result for one link; `slug` is null if it does not exist. */
export type ChangeOutcome = { id: string; slug: string | null } & Outcome;

export interface BulkResult {
  outcomes: ChangeOutcome[];
  /** The batch of the changes, to be continued or undone; null if nothing was changed. */
  batch: BulkChange | null;
  /** The cursor at which the next request goes on; null at the end. */
  next: string | null;
  /** How many links the next request may still look at; undefined for no limit. */
  left?: number | undefined;
}

export interface ChangeProgress {
  after?: string | undefined;
  batch: BulkChange | null;
  left?: number | undefined;
}

export const newBulkChange = (ctx: Context): BulkChange => ({
  id: ctx.operation ?? newId(ctx.now()),
  isStarted: false,
});

/** The batch after some outcomes; null as long as nothing was changed. */
export function bulkChangeAfter(batch: BulkChange, outcomes: readonly ChangeOutcome[]): BulkChange | null {
  const isStarted = batch.isStarted || outcomes.some(({ outcome }) => outcome === "changed");
  return isStarted ? { ...batch, isStarted } : null;
}

/** Throws 404 unless the actor of the request has begun this batch of changes, so that nobody adds to another's. */
export async function assertOwnBulkChange(
  ctx: Context,
  batch: BulkChange | null,
  action: string,
): Promise<void> {
  if (batch === null) return;
  const [[entry]] = await ctx.db.read(selectAuditEntry(ctx.workspace.rowId, batch.id));
  const isOwn = entry?.batch === batch.id && entry.actor === ctx.actor && entry.action === action;
  if (!isOwn) throw new ServiceError(404, { message: "There is no such change." });
}
