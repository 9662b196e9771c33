import type { ServiceContext } from "../context";
import { isPermanent } from "../db/failure";
import type { LiteralDatabase } from "../db/send";
import { timeOfId } from "../lib/ids";
import { isoTime, MINUTE_MS, SECOND_MS } from "../lib/time";
import { logLine } from "../log";
import { applyBatches } from "./apply-repository";
import { addRefusal, dropBatch, selectQueueChunk, selectQueueState } from "./queue-repository";

// Instances write batches of counts to a queue, one row each. They are added up at once while few instances write, else
// every five minutes. So a busy service writes as many rows as links are visited, and hardly more with more instances.

type QueueContext = Pick<ServiceContext, "now"> & { db: LiteralDatabase };
type ReportContext = Pick<ServiceContext, "db" | "kv" | "now">;

const MAX_BATCHES = 20_000;
/** Takes D1 a second or two, during which it answers nobody else. */
const MAX_BYTES = 8 * 1024 * 1024;
/** For the doctor, which adds up until nothing waits. */
const MAX_CHUNKS = 1_000;

/** Two instances write at most so many batches in this time: one every five seconds each. */
const MAX_QUIET_BATCHES = 4;
const QUIET_MS = 8 * SECOND_MS;
/** How long batches wait while more instances write. The cron runs every minute. */
const BUSY_WAIT_MS = 4.5 * MINUTE_MS;
/** A batch should have been added up by then. If no cron runs, a visit does it. */
const MAX_WAIT_MS = 10 * MINUTE_MS;

/** Adds up the first batches that wait. Returns false if none does. Takes at most eight queries. */
async function applyChunk(ctx: QueueContext): Promise<boolean> {
  const [[chunk]] = await ctx.db.read(selectQueueChunk(MAX_BATCHES, MAX_BYTES));
  if (chunk === undefined || chunk.last === null) return false;
  const { last, batches, visits } = chunk;
  try {
    await ctx.db.writeGuarded(applyBatches(last));
    return true;
  } catch (error) {
    // D1 may be overloaded, so only a refusal makes the next chunk smaller, down to the batch that is refused.
    if (isPermanent(error) && batches > 1) await ctx.db.writeOnce(addRefusal(last));
    else if (isPermanent(error)) {
      const [dropped] = await ctx.db.writeOnce(dropBatch(last));
      if (dropped === 1) logLine("clicks_dropped", { reason: "refused", clicks: visits });
    }
    throw error;
  }
}

/** Adds up a chunk of the queue if few instances write, or if the first batch has waited for so long. */
async function applyIfDue(ctx: QueueContext, maxWaitMs: number): Promise<void> {
  const now = ctx.now();
  const [[state]] = await ctx.db.read(selectQueueState(now - QUIET_MS, MAX_QUIET_BATCHES + 1));
  if (state === undefined || state.first_batch === null) return;
  const since = timeOfId(state.first_batch) ?? now;
  if (since < now - MAX_WAIT_MS) logLine("clicks_waiting", { oldest_at: isoTime(since) });
  if (state.recent <= MAX_QUIET_BATCHES || since <= now - maxWaitMs) await applyChunk(ctx);
}

/** The job of every minute. Takes at most nine queries, or one if nothing waits. */
export const applyQueued = (ctx: QueueContext): Promise<void> => applyIfDue(ctx, BUSY_WAIT_MS);

/** After a batch was written. */
export const applyAfterFlush = (ctx: QueueContext): Promise<void> => applyIfDue(ctx, MAX_WAIT_MS);

const REPORT_PAUSE_MS = 30 * SECOND_MS;
/** Keyed by the KV binding, which lives as long as the instance. */
const appliedForReportAt = new WeakMap<KVNamespace, number>();

/** Before figures are read: adds up one chunk, at most once in 30 seconds. If that fails, the figures are a little older. */
export async function applyBeforeReport(ctx: ReportContext): Promise<void> {
  const now = ctx.now();
  if (Math.abs(now - (appliedForReportAt.get(ctx.kv) ?? 0)) < REPORT_PAUSE_MS) return;
  appliedForReportAt.set(ctx.kv, now);
  await applyChunk({ ...ctx, db: ctx.db.forEverybody() }).catch(() => undefined);
}

/** Adds up all batches that wait, except those that D1 refuses. */
export async function applyAll(ctx: QueueContext): Promise<void> {
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
    try {
      if (!(await applyChunk(ctx))) return;
    } catch (error) {
      if (!isPermanent(error)) throw error;
    }
  }
}
