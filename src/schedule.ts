import { type Env, parseConfig, type ServiceContext, systemRandom } from "./context";
import { createDatabase } from "./db/client";
import { logFailure } from "./log";
import { bookChecks, checkDestinations } from "./moderation/checks";
import { removeExpired } from "./removal/service";
import { sweep } from "./slugs/sync";
import { forgetRemovals } from "./workspaces/sessions";

/** Nothing that runs by the clock shows its own address. */
const NO_ORIGIN = "http://localhost";

type Job = (ctx: ServiceContext) => Promise<unknown>;
type Jobs = Readonly<Record<string, Job>>;

/** What runs together shares the 50 queries that D1 allows an invocation on the free plan. */
export const JOBS = {
  minute: { sweep, removeExpired },
  checks: { checkDestinations },
  day: { bookChecks, forgetRemovals },
} satisfies Readonly<Record<string, Jobs>>;

/** The schedules of wrangler.toml. */
const JOBS_OF_CRON: Readonly<Record<string, Jobs>> = {
  "* * * * *": JOBS.minute,
  "*/2 * * * *": JOBS.checks,
  "17 3 * * *": JOBS.day,
};

export interface JobOutcome {
  job: string;
  outcome: PromiseSettledResult<unknown>;
}

/** Runs jobs to their end, with what they leave for later; one that fails keeps none of the others from its work. */
export async function runJobs(ctx: ServiceContext, jobs: Jobs): Promise<JobOutcome[]> {
  const behind: Promise<unknown>[] = [];
  const own: ServiceContext = { ...ctx, waitUntil: (work) => behind.push(work) };
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
    waitUntil: () => undefined,
  };
  let hasFailed = false;
  for (const { outcome } of await runJobs(ctx, JOBS_OF_CRON[cron] ?? {})) {
    if (outcome.status === "fulfilled") continue;
    hasFailed = true;
    logFailure(cron, outcome.reason);
  }
  if (hasFailed) throw new Error("A part of the schedule failed.");
}
