import { applyQueued } from "../analytics/queue";
import { parseConfig } from "../config";
import { type Env, type ServiceContext, systemRandom } from "../context";
import { createDatabase, roomIn } from "../db/client";
import { newMeter } from "../db/meter";
import { SECOND_MS } from "../lib/time";
import { logFailure } from "../log";
import { writeDueSlugs } from "../redirect/slugs/kv-writer";
import { followDates } from "../resources/activity-groups/follow-dates";
import { finishReleases } from "../resources/domains/release-domain";
import { watchDomains } from "../resources/domains/watch";
import { deliverEvents } from "../resources/events/deliver-events";
import { tellVisits } from "../resources/events/tell-visits";
import { continueImports } from "../resources/imports/continue-import";
import { takeOffRemovedTags } from "../resources/links/remove-tag";
import { recordActiveLinks } from "../resources/overview/active-links";
import { deliverAlerts } from "./alerts/deliver";
import { findAlerts } from "./alerts/find-alerts";
import { tellRefusal } from "./alerts/refused";
import { continueBackup, startBackup } from "./backup/scheduled-backup";
import type { Cron } from "./cron-statements";
import { probeDestinations } from "./health/health-job";
import { sendHeartbeat } from "./heartbeat";
import { bookChecks, checkDestinations } from "./moderation/checks";
import { recordRun } from "./record-run";
import { removeExpired } from "./retention/remove-expired";
import { sendWeeklyReports } from "./weekly-report/send-weekly-report";

/** D1 ends a query after this time. */
const MAX_SILENCE_MS = 30 * SECOND_MS;
/** Jobs never use their own address. */
const NO_ORIGIN = "http://localhost";

type Job = (ctx: ServiceContext) => Promise<unknown>;
type Jobs = Readonly<Record<string, Job>>;

/** Those of one invocation share its statements, so a job without a small limit of its own comes last. */
export const JOBS = {
  minute: {
    applyQueued,
    removeExpired,
    tellVisits,
    deliverEvents,
    sweep: writeDueSlugs,
    takeOffRemovedTags,
    finishReleases,
    continueBackup,
  },
  checks: { followDates, checkDestinations },
  alerts: { findAlerts, deliverAlerts },
  health: { probeDestinations },
  day: { bookChecks, watchDomains, recordActiveLinks, startBackup, sendWeeklyReports },
  imports: { continueImports },
} satisfies Readonly<Record<string, Jobs>>;

/** By the crons of wrangler.toml. Imports go on every minute. */
const JOBS_OF_CRON: Readonly<Record<string, { name: Cron; jobs: Jobs }>> = {
  "* * * * *": { name: "minute", jobs: JOBS.minute },
  "*/2 * * * *": { name: "checks", jobs: { ...JOBS.checks, ...JOBS.imports } },
  "1-59/2 * * * *": { name: "alerts", jobs: { ...JOBS.alerts, ...JOBS.imports } },
  "*/3 * * * *": { name: "destinations", jobs: JOBS.health },
  "17 3 * * *": { name: "day", jobs: JOBS.day },
};

/** What the record of a run takes. */
const RECORD_STATEMENTS = 1;

interface JobOutcome {
  job: string;
  outcome: PromiseSettledResult<unknown>;
}

/**
 * Runs jobs one after the other, including their background work. Each may use the statements that the jobs before it have
 * left. A failed job does not stop the others.
 */
export async function runJobs(
  ctx: ServiceContext,
  jobs: Jobs,
  statementsLeft = ctx.db.statementsLeft,
): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (const [job, run] of Object.entries(jobs)) {
    const background: Promise<unknown>[] = [];
    const own: ServiceContext = {
      ...ctx,
      db: { ...ctx.db, statementsLeft },
      waitUntil: (work) => background.push(work),
    };
    const [outcome] = await Promise.allSettled([run(own)]);
    await Promise.allSettled(background);
    outcomes.push({ job, outcome });
  }
  return outcomes;
}

/** Runs the jobs of a cron, and records that none failed. Throws if one did. */
export async function runSchedule(cron: string, env: Env): Promise<void> {
  const own = JOBS_OF_CRON[cron];
  if (own === undefined) return;
  const meter = newMeter(MAX_SILENCE_MS);
  const config = parseConfig(env, NO_ORIGIN);
  const ctx: ServiceContext = {
    db: createDatabase(env.DB, meter, undefined, roomIn(config)),
    kv: env.KV,
    config,
    ...(env.ASSETS && { files: env.ASSETS }),
    ...(env.BACKUPS && { backups: env.BACKUPS }),
    actor: "schedule",
    now: Date.now,
    random: systemRandom,
    waitUntil: () => undefined,
  };
  const statementsLeft = () => config.maxStatements - RECORD_STATEMENTS - meter.statements;
  const outcomes = await runJobs(ctx, own.jobs, statementsLeft);
  const reasons = outcomes.flatMap(({ outcome }) => (outcome.status === "rejected" ? [outcome.reason] : []));
  if (reasons.length === 0) await recordRun(ctx, own.name).catch((reason) => reasons.push(reason));
  for (const reason of reasons) logFailure(cron, reason);
  // One cron tells it, so that it is told once.
  if (own.name === "minute")
    await (reasons.length === 0 ? sendHeartbeat(config.heartbeatUrl) : tellRefusal(ctx, reasons));
  if (reasons.length > 0) throw new Error("A scheduled job failed.");
}
