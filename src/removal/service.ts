import { foldClicks } from "../clicks/fold";
import { removeOldPacks } from "../clicks/pack";
import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { MAX_REMOVED_ROWS } from "../db/portion";
import { deleteOldKeys } from "../idempotency/service";
import { deleteOldImports } from "../imports/service";
import { DAY_MS } from "../lib/time";
import { deleteExpiredSignIns } from "../workspaces/sessions";
import { deleteEmptyTotals, deleteLinksPermanently, selectLinksDeletedBefore } from "./repository";

// What nobody needs any more is removed every minute, in portions, so that removal keeps up with creation and no statement
// holds up the database. An invocation has 50 queries on the free plan; here it takes at most 24, and 10 where nothing is to do.

const DELETED_LINKS_KEPT_MS = 90 * DAY_MS;
/** How often what had a full portion is asked for another, one query each time. */
const MAX_REPEATS = 4;

type Remover = Pick<ServiceContext, "db" | "now">;

/** Removes what has lapsed, and more of it where there was a full portion. */
async function removeLapsed(ctx: Remover): Promise<void> {
  let repeats = MAX_REPEATS;
  let statements: Statement[] = [
    deleteOldKeys(ctx),
    removeOldPacks(ctx),
    ...deleteExpiredSignIns(ctx),
    ...deleteOldImports(ctx),
    deleteEmptyTotals(),
  ];
  while (statements.length > 0) {
    const removed = await ctx.db.remove(...statements);
    statements = statements.filter((_, index) => removed[index] === MAX_REMOVED_ROWS).slice(0, repeats);
    repeats -= statements.length;
  }
}

/** Removes links for good 90 days after their deletion, with what hangs on them. Their slugs and the audit log stay. */
async function removeDeletedLinks(ctx: Remover): Promise<void> {
  const [due] = await ctx.db.read(selectLinksDeletedBefore(ctx.now() - DELETED_LINKS_KEPT_MS));
  if (due.length > 0) await ctx.db.remove(...deleteLinksPermanently(due.map(({ id }) => id)));
}

/** One round of removal: a portion of every table that has something to remove. */
export async function removeExpired(ctx: Remover): Promise<void> {
  const outcomes = await Promise.allSettled([removeLapsed(ctx), removeDeletedLinks(ctx), foldClicks(ctx)]);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
