import type { ServiceContext } from "../context";
import { ServiceError } from "../errors";
import { DAY_MS, MINUTE_MS } from "../lib/time";
import { JOBS, runJobs } from "../operations/schedule";
import { reasonOf } from "./plain";

const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.status === 503;

/** With `--remote` only these run: the deployed Worker has the webhook, so a job that queues alerts would lose them here. */
export const REMOTE_JOBS = JOBS.minute;

/** Destinations are probed by the deployed Worker alone: the operator's network has hosts that no link may reach. */
export const MINUTE_JOBS = { ...REMOTE_JOBS, ...JOBS.checks, ...JOBS.alerts, ...JOBS.imports };

/**
 * Runs all jobs at once, then `MINUTE_JOBS` every minute and the daily jobs every 24 hours, until the process ends.
 * Never throws. Reports failures, except those of a busy database, which the next run repeats.
 */
export function startCrons(ctx: ServiceContext, report: (line: string) => void): void {
  let nextDaily = 0;
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    const isDaily = ctx.now() >= nextDaily;
    if (isDaily) nextDaily = ctx.now() + DAY_MS;
    for (const { job, outcome } of await runJobs(
      ctx,
      isDaily ? { ...MINUTE_JOBS, ...JOBS.day } : MINUTE_JOBS,
    )) {
      if (outcome.status === "fulfilled" || isUnavailable(outcome.reason)) continue;
      report(`The job ${job} failed: ${reasonOf(outcome.reason)}`);
    }
    isRunning = false;
  };
  setInterval(run, MINUTE_MS).unref();
  void run();
}
