import type { ServiceContext } from "../context";
import { newId } from "../lib/ids";
import { countVisits, splitCounts } from "./count";
import { MAX_BATCH_BYTES } from "./flush";
import { applyAll } from "./queue";
import { insertBatch } from "./queue-repository";
import type { Counts, Visit } from "./visit-buffer";

export type { Visit } from "./visit-buffer";

type WriteContext = Pick<ServiceContext, "db" | "now">;

export async function writeCounts(ctx: WriteContext, ...all: readonly Counts[]): Promise<void> {
  const at = ctx.now();
  for (const counts of all) await ctx.db.writeGuarded([insertBatch(newId(at), at, counts)]);
  await applyAll(ctx);
}

/** Counts and writes visits at once. Referrers of two labels are their own registrable domain. */
export const writeVisits = (ctx: WriteContext, visits: readonly Visit[]): Promise<void> =>
  writeCounts(ctx, ...splitCounts(countVisits(visits, new Set()), MAX_BATCH_BYTES));
