import type { Env } from "../context";
import { isPermanent, isQueueFull } from "../db/failure";
import { createLiteralDatabase, type LiteralDatabase } from "../db/send";
import { newId, timeOfId } from "../lib/ids";
import type { PublicSuffixes } from "../lib/registrable-domain";
import { HOUR_MS } from "../lib/time";
import { logFailure, logLine } from "../log";
import { countVisits, splitCounts } from "./count";
import { publicSuffixes } from "./public-suffixes";
import { insertBatch } from "./queue-repository";
import { selectQueueState } from "./queue-statements";
import { LATE_MS, MAX_BATCH_AGE_MS } from "./report-limits";
import type { Batch, VisitBuffer } from "./visit-buffer";

/** D1 allows values of 2 MB. */
export const MAX_BATCH_BYTES = 256 * 1024;
/** At most 16 MB wait in memory for D1. */
const MAX_BATCHES = 64;
/** Each takes two of the 50 queries per invocation of the free plan, and adding up 22. */
const MAX_BATCHES_PER_FLUSH = 14;
/** Background work is cancelled by then, so no other request is still writing the batch. */
const WRITE_MS = 30_000;

function drop(buffer: VisitBuffer, batch: Batch, reason: "full" | "old" | "refused"): void {
  buffer.batches.delete(batch.id);
  const clicks = batch.hours.reduce(
    (sum, hour) => sum + hour.clicks + hour.scans + hour.bots + hour.after_end,
    0,
  );
  logLine("clicks_dropped", { reason, clicks });
}

/**
 * Takes out the newest batch if it was never sent, so that more can be added. Only within an hour: visits count for the group
 * that a link is in at the time of their batch.
 */
function takeUnsent({ batches }: VisitBuffer, now: number): Batch | undefined {
  const newest = [...batches.values()].at(-1);
  const startOfHour = now - (now % HOUR_MS);
  if (newest === undefined || newest.isSent || newest.countedAt < startOfHour) return undefined;
  batches.delete(newest.id);
  return newest;
}

/** Turns visits into batches. Synchronous, so no two requests count the same visit. */
function countBuffered(buffer: VisitBuffer, suffixes: PublicSuffixes, now: number): void {
  const visits = buffer.visits.splice(0);
  const counted = countVisits(visits, suffixes, takeUnsent(buffer, now));
  for (const counts of splitCounts(counted, MAX_BATCH_BYTES)) {
    const id = newId(now);
    buffer.batches.set(id, { id, countedAt: now, busyUntil: 0, isSent: false, ...counts });
  }
  for (const batch of buffer.batches.values()) {
    if (now - batch.countedAt > MAX_BATCH_AGE_MS) drop(buffer, batch, "old");
  }
  for (const batch of [...buffer.batches.values()].slice(0, -MAX_BATCHES)) drop(buffer, batch, "full");
}

/** Returns the first batch that waits, or null if none does or the write fails. */
async function writeBatch(
  buffer: VisitBuffer,
  batch: Batch,
  database: LiteralDatabase,
): Promise<string | null> {
  try {
    const insert = insertBatch(batch.id, batch.countedAt, batch, Date.now());
    const [[first]] = await database.writeGuarded([insert], selectQueueState(0));
    buffer.batches.delete(batch.id);
    return first?.batch ?? null;
  } catch (error) {
    if (isPermanent(error) && !isQueueFull(error)) drop(buffer, batch, "refused");
    else batch.busyUntil = 0;
    return null;
  }
}

/**
 * Queues the buffered visits, and earlier batches that no other request is writing. A batch stays until D1 confirms it, so
 * a later request retries it after a cancelled one. Its id prevents double counting. While the public suffixes cannot be
 * read, a referrer counts by its last two labels, and the log says so.
 */
export async function flush(buffer: VisitBuffer, env: Pick<Env, "DB" | "ASSETS">): Promise<void> {
  // An instance has to read and parse the file.
  const isReferred = buffer.visits.some(({ referrer }) => referrer !== null);
  const suffixes = await publicSuffixes(isReferred ? env.ASSETS : undefined).catch(
    (error): PublicSuffixes => {
      logFailure("visits", error);
      return new Set();
    },
  );
  const now = Date.now();
  countBuffered(buffer, suffixes, now);
  const database = createLiteralDatabase(env.DB);
  const free = [...buffer.batches.values()].filter(({ busyUntil }) => busyUntil <= now);
  const mine = free.slice(0, MAX_BATCHES_PER_FLUSH);
  for (const batch of mine) Object.assign(batch, { busyUntil: now + WRITE_MS, isSent: true });
  let first: string | null = null;
  for (const batch of mine) first = (await writeBatch(buffer, batch, database)) ?? first;
  if (first === null || (timeOfId(first) ?? 0) >= Date.now() - LATE_MS) return;
  // No cron runs. What fails stays in the queue.
  const { applyChunk } = await import("./queue");
  await applyChunk({ db: database, now: Date.now }).catch(() => undefined);
}
