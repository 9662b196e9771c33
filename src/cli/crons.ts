import type { ServiceContext } from "../context";
import { ServiceError } from "../errors";
import { DAY_MS, MINUTE_MS } from "../lib/time";
import { JOBS, runJobs } from "../schedule";

/** A database that is busy answers in the next minute. */
const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.status === 503;

/** What runs every minute or two. */
export const MINUTE_JOBS = { ...JOBS.minute, ...JOBS.checks };

/**
 * Runs what Cloudflare runs by the clock, until the process ends, which it does not delay: all of it at once, then the
 * minute's jobs every minute and the daily ones every 24 hours. Never throws; tells failures, except of a busy database.
 */
export function startCrons(ctx: ServiceContext, tell: (line: string) => void): void {
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
      const { reason } = outcome;
      tell(`The job ${job} failed: ${reason instanceof Error ? (reason.cause ?? reason.message) : reason}`);
    }
    isRunning = false;
  };
  setInterval(run, MINUTE_MS).unref();
  void run();
}
