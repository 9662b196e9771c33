import { forgetPacks } from "./clicks/pack";
import type { Env } from "./context";
import { createDatabase } from "./db/client";
import { cleanUp } from "./idempotency/service";
import { sweep } from "./slugs/sync";

/** Every minute; the other schedule in wrangler.toml is daily. */
const SWEEP_CRON = "* * * * *";

/** What wrangler.toml has run at its times: every minute what KV still lacks, once a day what nobody needs any more. */
export async function runSchedule(cron: string, env: Env): Promise<void> {
  const ctx = { db: createDatabase(env.DB), kv: env.KV, now: Date.now };
  if (cron === SWEEP_CRON) await sweep(ctx);
  else await Promise.all([cleanUp(ctx), forgetPacks(ctx)]);
}
