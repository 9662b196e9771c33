import type { ServiceContext } from "../context";
import { newId } from "../lib/ids";
import { applyBatches } from "./apply-repository";
import { countVisits, splitCounts } from "./count";
import { MAX_BATCH_BYTES } from "./flush";
import { insertBatch } from "./queue-repository";
import type { Counts, Visit } from "./visit-buffer";

export type { Visit } from "./visit-buffer";

type WriteContext = Pick<ServiceContext, "db" | "now">;

/** Adds counts up at once, without waiting in the queue. */
export const writeCounts = ({ db, now }: WriteContext, counts: Counts): Promise<unknown> =>
  db.writeUnaudited(insertBatch(newId(now()), now(), counts), ...applyBatches("last"));

/** Counts and writes visits at once. Referrers of two labels are their own registrable domain. */
export async function writeVisits(ctx: WriteContext, visits: readonly Visit[]): Promise<void> {
  for (const counts of splitCounts(countVisits(visits, new Set()), MAX_BATCH_BYTES))
    await writeCounts(ctx, counts);
}
