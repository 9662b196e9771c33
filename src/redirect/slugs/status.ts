import type { ServiceContext } from "../../context";
import { isoTimeOrNull } from "../../lib/time";
import { countDuePushes } from "./statements/pending";

/** Limits the rows that a status request reads. */
const MAX_COUNTED = 1_000;

export interface CacheStatus {
  /** Number of slugs with a due push. */
  due: number;
  /** True if there are more than `due`; else absent. */
  at_least?: true;
  /** Due time of the oldest push; null if none is due. */
  oldest_due_at: string | null;
}

/** The pushes to KV that are due. Counts up to 1,000. */
export async function cacheStatus(ctx: Pick<ServiceContext, "db" | "now">): Promise<CacheStatus> {
  const [rows] = await ctx.db.read(countDuePushes(ctx.now(), MAX_COUNTED + 1));
  const { due, oldest } = rows[0] ?? { due: 0, oldest: null };
  return {
    due: Math.min(due, MAX_COUNTED),
    ...(due > MAX_COUNTED ? { at_least: true } : {}),
    oldest_due_at: isoTimeOrNull(oldest),
  };
}
