import type { ServiceContext } from "../context";
import { isoTimeOrNull } from "../lib/time";
import { backlog } from "./due";

/** Rows read each time that somebody asks: beyond them only "at least" is told. */
const MAX_COUNTED = 1_000;

export interface CacheStatus {
  /** How many slugs KV still has to be told of. */
  due: number;
  /** True where there are more, which nobody counts; else absent. */
  at_least?: true;
  /** Since when the oldest of them is due; null where none is. */
  oldest_due_at: string | null;
}

/** How far KV is behind D1: a change is due from its own time on, until it is pushed. Counts up to a thousand. */
export async function cacheStatus(ctx: Pick<ServiceContext, "db" | "now">): Promise<CacheStatus> {
  const [rows] = await ctx.db.read(backlog(ctx.now(), MAX_COUNTED + 1));
  const { due, oldest } = rows[0] ?? { due: 0, oldest: null };
  return {
    due: Math.min(due, MAX_COUNTED),
    ...(due > MAX_COUNTED ? { at_least: true } : {}),
    oldest_due_at: isoTimeOrNull(oldest),
  };
}
