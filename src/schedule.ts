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

type Job = (ctx: ServiceContext) => Promise<unknown>;
type Jobs = Readonly<Record<string, Job>>;

/** Every minute what KV and destinations need and the removal of what has lapsed, once a day what is daily. */
export const JOBS: Readonly<Record<"minute" | "day", Jobs>> = {
  minute: { sweep, checkDestinations, removeExpired },
  day: { bookChecks, forgetRemovals },
};

export interface JobOutcome {
  job: string;
  outcome: PromiseSettledResult<unknown>;
}

/** Runs jobs to their end, with what they leave for later; one that fails keeps none of the others from its work. */
export async function runJobs(ctx: ServiceContext, jobs: Jobs): Promise<JobOutcome[]> {
  const behind: Promise<unknown>[] = [];
  const own: ServiceContext = { ...ctx, later: (work) => behind.push(work) };
  const names = Object.keys(jobs);
  const outcomes = await Promise.allSettled(Object.values(jobs).map(async (run) => run(own)));
  await Promise.allSettled(behind);
  return outcomes.map((outcome, index) => ({ job: names[index] ?? "", outcome }));
}

/** What wrangler.toml has run at its times. */
export async function runSchedule(cron: string, env: Env): Promise<void> {
  const ctx: ServiceContext = {
    db: createDatabase(env.DB),
    kv: env.KV,
    config: parseConfig(env, NO_ORIGIN),
    actor: "schedule",
    now: Date.now,
    random: systemRandom,
    later: () => undefined,
  };
  let hasFailed = false;
  for (const { outcome } of await runJobs(ctx, cron === SWEEP_CRON ? JOBS.minute : JOBS.day)) {
    if (outcome.status === "fulfilled") continue;
    hasFailed = true;
    logFailure(cron, outcome.reason);
  }
  if (hasFailed) throw new Error("A part of the schedule failed.");
}
