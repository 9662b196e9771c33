import { deleteCountsBefore, deleteRunsBefore } from "../../analytics/count-statements";
import { RUNS_KEPT_MS } from "../../analytics/report-limits";
import { UNKNOWN_DAYS } from "../../analytics/unknown-address";
import type { ServiceContext } from "../../context";
import { MAX_REMOVED_ROWS } from "../../db/chunk";
import type { Statement } from "../../db/client";
import { countsKeptFrom } from "../../lib/range";
import { DAY_MS, startOfUtcDay } from "../../lib/time";
import { deleteOldImports } from "../../resources/imports/import-service";
import { deleteUnknownBefore } from "../../resources/unknown-addresses/unknown-statements";
import {
  deleteEmptyTotals,
  deleteExpired,
  deleteLinksPermanently,
  selectLinksDeletedBefore,
} from "./retention-repository";

// Expired data is deleted every minute, in chunks, so that no statement blocks the database.

const DELETED_LINKS_KEPT_MS = 90 * DAY_MS;
/** The most repeats of full chunks in a run. D1 serves nobody else meanwhile. */
const MAX_REPEATS = 4;

type Remover = Pick<ServiceContext, "db" | "now">;

/** Deletes a chunk of each kind of expired data, and repeats full chunks. */
async function removeLapsed(ctx: Remover): Promise<void> {
  let repeats = MAX_REPEATS;
  let statements: Statement[] = [
    ...deleteExpired(ctx.now()),
    deleteRunsBefore(ctx.now() - RUNS_KEPT_MS),
    ...deleteCountsBefore(countsKeptFrom(ctx.now())),
    deleteUnknownBefore(startOfUtcDay(ctx.now()) - (UNKNOWN_DAYS - 1) * DAY_MS),
    ...deleteOldImports(ctx),
    deleteEmptyTotals(),
  ];
  while (statements.length > 0) {
    const removed = await ctx.db.writeOnce(...statements);
    statements = statements
      .filter((_, index) => removed[index] === MAX_REMOVED_ROWS)
      .slice(0, Math.max(0, Math.min(repeats, ctx.db.statementsLeft())));
    repeats -= statements.length;
  }
}

/** Deletes links permanently 90 days after their soft delete, with their dependent rows. Slugs and audit log stay. */
async function removeDeletedLinks(ctx: Remover): Promise<void> {
  const [due] = await ctx.db.read(selectLinksDeletedBefore(ctx.now() - DELETED_LINKS_KEPT_MS));
  if (due.length > 0) await ctx.db.writeGuarded(deleteLinksPermanently(due.map(({ id }) => id)));
}

export async function removeExpired(ctx: Remover): Promise<void> {
  const outcomes = await Promise.allSettled([removeLapsed(ctx), removeDeletedLinks(ctx)]);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
