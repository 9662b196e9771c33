import { type Env, parseConfig, type ServiceContext, systemRandom } from "./context";
import { createDatabase } from "./db/client";
import { bookChecks, checkDestinations } from "./links/checks";
import { logFailure } from "./log";
import { removeExpired } from "./removal/service";
import { sweep } from "./slugs/sync";
import { forgetRemovals } from "./workspaces/sessions";

/** Every minute; the other schedule in wrangler.toml is daily. */
const SWEEP_CRON = "* * * * *";
/** Nothing that runs by the clock shows its own address. */
const NO_ORIGIN = "http://localhost";

/** What wrangler.toml has run at its times: every minute what KV and destinations need and the removal of what nobody needs, once a day what is daily. */
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
      ? [sweep(ctx), checkDestinations(ctx), removeExpired(ctx)]
      : [bookChecks(ctx), forgetRemovals(ctx)];
  // One that fails keeps none of the others from its work.
  const outcomes = await Promise.allSettled(jobs);
  await Promise.allSettled(behind);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of failed) logFailure(cron, reason);
  if (failed.length > 0) throw new Error("A part of the schedule failed.");
}
