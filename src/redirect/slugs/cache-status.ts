import type { ServiceContext } from "../../context";
import { isoTimeOrNull } from "../../lib/time";
import { countOutdated } from "./statements/doubt-statements";
import { countDue } from "./statements/outbox";

const MAX_COUNTED = 1_000;

/** The writes to KV that are due. Counts up to 1,000. */
export async function cacheStatus(ctx: Pick<ServiceContext, "db" | "now">) {
  const [[first], [found]] = await ctx.db.read(
    countDue(ctx.now(), MAX_COUNTED + 1),
    countOutdated(MAX_COUNTED),
  );
  const { due, oldest } = first ?? { due: 0, oldest: null };
  return {
    due: Math.min(due, MAX_COUNTED),
    ...(due > MAX_COUNTED && { at_least: true as const }),
    oldest_due_at: isoTimeOrNull(oldest),
    /** Values in KV that a check found outdated in the last seven days. There should be none. */
    kv_outdated: found?.outdated ?? 0,
  };
}
