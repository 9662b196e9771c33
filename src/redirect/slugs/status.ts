import type { ServiceContext } from "../../context";
import { isoTimeOrNull } from "../../lib/time";
import { countDuePushes } from "./statements/counts";

/** Limits the rows that a status request reads. */
const MAX_COUNTED = 1_000;

/** The pushes to KV that are due. Counts up to 1,000. */
export async function cacheStatus(ctx: Pick<ServiceContext, "db" | "now">) {
  const [rows] = await ctx.db.read(countDuePushes(ctx.now(), MAX_COUNTED + 1));
  const { due, oldest } = rows[0] ?? { due: 0, oldest: null };
  return {
    due: Math.min(due, MAX_COUNTED),
    /** If there are more than `due`. */
    ...(due > MAX_COUNTED && { at_least: true as const }),
    /** Of the oldest push; null if none is due. */
    oldest_due_at: isoTimeOrNull(oldest),
  };
}
