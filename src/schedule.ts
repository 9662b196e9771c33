import { deliverAlerts } from "./alerts/deliver";
import { closeOldAlerts, findAlerts } from "./alerts/find";
import { type Env, parseConfig, type ServiceContext, systemRandom } from "./context";
import { createDatabase } from "./db/client";
import { giveCodes } from "./engagement/give-codes";
import { askDestinations } from "./health/job";
import { logFailure } from "./log";
import { bookChecks, checkDestinations } from "./moderation/checks";
import { removeExpired } from "./removal/service";
import { sweep } from "./slugs/sync";
import { forgetRemovals } from "./workspaces/sessions";

/** Jobs never use their own address. */
const NO_ORIGIN = "http://localhost";

type Job = (ctx: ServiceContext) => Promise<unknown>;
type Jobs = Readonly<Record<string, Job>>;

/** The jobs of one invocation share its 50 D1 queries (free plan). */
export const JOBS = {
  minute: { sweep, removeExpired },
  checks: { checkDestinations },
  alerts: { findAlerts, deliverAlerts },
  health: { askDestinations },
  day: { bookChecks, closeOldAlerts, forgetRemovals, giveCodes },
} satisfies Readonly<Record<string, Jobs>>;

/** By the crons of wrangler.toml. */
const JOBS_OF_CRON: Readonly<Record<string, Jobs>> = {
  "* * * * *": JOBS.minute,
  "*/2 * * * *": JOBS.checks,
  "1-59/2 * * * *": JOBS.alerts,
  "*/3 * * * *": JOBS.health,
  "17 3 * * *": JOBS.day,
};

export interface JobOutcome {
  job: string;
  outcome: PromiseSettledResult<unknown>;
}

/** Runs jobs concurrently, including their background work. A failed job does not stop the others. */
export async function runJobs(ctx: ServiceContext, jobs: Jobs): Promise<JobOutcome[]> {
  const background: Promise<unknown>[] = [];
  const own: ServiceContext = { ...ctx, waitUntil: (work) => background.push(work) };
  const names = Object.keys(jobs);
  const outcomes = await Promise.allSettled(Object.values(jobs).map(async (run) => run(own)));
  await Promise.allSettled(background);
  return outcomes.map((outcome, index) => ({ job: names[index] ?? "", outcome }));
}

/** Runs the jobs of a cron. Throws if one failed. */
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
  if (hasFailed) throw new Error("A scheduled job failed.");
}
