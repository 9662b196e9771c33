import type { Context } from "../../context";
import { ServiceError } from "../../errors";
import { selectAuditEntry } from "../audit/statements";

/** The most links that one request changes. More could need more statements than the free plan allows. */
export const MAX_LINKS_PER_COMMIT = 250;

/** Throws 404 unless the actor of the request has begun this batch of changes, so that nobody adds to another's. */
export async function assertOwnBatch(ctx: Context, id: string, action: string): Promise<void> {
  const [[entry]] = await ctx.db.read(selectAuditEntry(ctx.workspace.rowId, id));
  const isOwn = entry?.batch === id && entry.actor === ctx.actor && entry.action === action;
  if (!isOwn) throw new ServiceError(404, { message: "There is no such change." });
}
