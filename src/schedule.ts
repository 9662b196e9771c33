import { forgetPacks } from "./clicks/pack";
import { type Env, parseConfig, type ServiceContext, systemRandom } from "./context";
import { createDatabase } from "./db/client";
import { cleanUp } from "./idempotency/service";
import { forgetImports } from "./imports/service";
import { bookChecks, checkDestinations } from "./links/checks";
import { logFailure } from "./log";
import { sweep } from "./slugs/sync";
import { forgetRemovals, forgetSessions } from "./workspaces/sessions";

/** Every minute; the other schedule in wrangler.toml is daily. */
const SWEEP_CRON = "* * * * *";
/** Nothing that runs by the clock shows its own address. */
const NO_ORIGIN = "http://localhost";

/** What wrangler.toml has run at its times: every minute what KV and destinations need, once a day what nobody needs any more. */
export async function runSchedule(cron: string, env: Env): Promise<void> {
  const behind: Promise<unknown>[] = [];
  const ctx: ServiceContext = {
    db: createDatabase(env.DB),
    kv: env.KV,
    config: parseConfig(env, NO_ORIGIN),
    actor: "schedule",
    now: Date.now,
    random: systemRandom,
    later: (work) => behind.push(work),
  };
  const jobs =
    cron === SWEEP_CRON
      ? [sweep(ctx), checkDestinations(ctx)]
      : [
          cleanUp(ctx),
          forgetPacks(ctx),
          forgetSessions(ctx),
          forgetRemovals(ctx),
          forgetImports(ctx),
          bookChecks(ctx),
        ];
  // One that fails keeps none of the others from its work.
  const outcomes = await Promise.allSettled(jobs);
  await Promise.allSettled(behind);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of failed) logFailure(cron, reason);
  if (failed.length > 0) throw new Error("A part of the schedule failed.");
}
