import { followDates } from "./activity-groups/follow-dates";
import { deliverAlerts } from "./alerts/deliver";
import { closeOldAlerts, findAlerts } from "./alerts/find";
import { applyQueued } from "./clicks/queue";
import { type Env, parseConfig, type ServiceContext, systemRandom } from "./context";
import { type Binding, createDatabase } from "./db/client";
import { giveCodes } from "./engagement/give-codes";
import { askDestinations } from "./health/job";
import { continueImports } from "./imports/job";
import { logFailure } from "./log";
import { bookChecks, checkDestinations } from "./moderation/checks";
import { recordActiveLinks } from "./overview/active-links";
import { removeExpired } from "./removal/service";
import { sweep } from "./slugs/sync";
import { forgetRemovals } from "./workspaces/sessions";

/** Jobs never use their own address. */
const NO_ORIGIN = "http://localhost";

type Job = (ctx: ServiceContext) => Promise<unknown>;
type Jobs = Readonly<Record<string, Job>>;

/** The jobs of one invocation share its D1 queries. */
export const JOBS = {
  minute: { sweep, removeExpired },
  checks: { checkDestinations, followDates },
  alerts: { findAlerts, deliverAlerts },
  health: { askDestinations },
  day: { bookChecks, closeOldAlerts, forgetRemovals, giveCodes, recordActiveLinks },
  clicks: { applyQueued },
  imports: { continueImports },
} satisfies Readonly<Record<string, Jobs>>;

/** By the crons of wrangler.toml. */
const JOBS_OF_CRON: Readonly<Record<string, Jobs>> = {
  "* * * * *": JOBS.minute,
  "*/2 * * * *": JOBS.checks,
  "1-59/2 * * * *": JOBS.alerts,
  "*/3 * * * *": JOBS.health,
  "17 3 * * *": JOBS.day,
};

/** On the free plan. Each statement of a batch counts. */
const MAX_QUERIES = 50;
/** Jobs that use the queries which the others of their cron leave, and how many they need. Imports go on every minute. */
const JOBS_AFTER_CRON: Readonly<Record<string, { jobs: Jobs; queries: number }>> = {
  "* * * * *": { jobs: JOBS.clicks, queries: 10 },
  "*/2 * * * *": { jobs: JOBS.imports, queries: 34 },
  "1-59/2 * * * *": { jobs: JOBS.imports, queries: 34 },
};

/** The binding, and the number of statements that it was sent. */
function counting(db: Binding): { binding: Binding; sent: () => number } {
  let statements = 0;
  return {
    binding: {
      prepare: (query) => db.prepare(query),
      batch: (queries) => {
        statements += queries.length;
        return db.batch(queries);
      },
    },
    sent: () => statements,
  };
}

interface JobOutcome {
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
  const { binding, sent } = counting(env.DB);
  const ctx: ServiceContext = {
    db: createDatabase(binding),
    kv: env.KV,
    config: parseConfig(env, NO_ORIGIN),
    actor: "schedule",
    now: Date.now,
    random: systemRandom,
    waitUntil: () => undefined,
  };
  const outcomes = await runJobs(ctx, JOBS_OF_CRON[cron] ?? {});
  const after = JOBS_AFTER_CRON[cron];
  if (after !== undefined && sent() + after.queries <= MAX_QUERIES) {
    outcomes.push(...(await runJobs(ctx, after.jobs)));
  }
  let hasFailed = false;
  for (const { outcome } of outcomes) {
    if (outcome.status === "fulfilled") continue;
    hasFailed = true;
    logFailure(cron, outcome.reason);
  }
  if (hasFailed) throw new Error("A scheduled job failed.");
}
