import type { ServiceContext } from "../context";
import { isoTimeOrNull } from "../lib/time";
import { backlog } from "./repository";

export interface CacheStatus {
  /** How many slugs KV still has to be told of. */
  due: number;
  /** Since when the oldest of them is due; null where none is. */
  oldest_due_at: string | null;
}

/** How far KV is behind D1: a change is due from its own time on, until it is pushed. */
export async function cacheStatus(ctx: Pick<ServiceContext, "db" | "now">): Promise<CacheStatus> {
  const [rows] = await ctx.db.read(backlog(ctx.now()));
  return { due: rows[0]?.due ?? 0, oldest_due_at: isoTimeOrNull(rows[0]?.oldest ?? null) };
}
