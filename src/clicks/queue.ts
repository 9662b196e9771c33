import type { ServiceContext } from "../context";
import { isPermanent } from "../db/failure";
import { SECOND_MS } from "../lib/time";
import { logDroppedClicks } from "../log";
import {
  claimMerge,
  deleteQueuedPack,
  type MergePause,
  type MergePosition,
  selectQueuedPack,
  selectQueuePortion,
  upsertMergePosition,
} from "./queue-repository";
import { mergePacks } from "./repository";

// Packs of clicks are written to a queue, one row each, and merged into the counts: at once while few packs arrive, else
// once a minute. So the rows that are written depend on the number of visited links, and hardly on the number of instances.

type Merger = Pick<ServiceContext, "db" | "now">;

const MAX_PACKS_PER_MERGE = 20_000;
/** Takes D1 a second or two, during which it answers nobody else. */
const MAX_BYTES_PER_MERGE = 8 * 1024 * 1024;
/** A portion that failed is tried with a quarter of its packs, which then doubles. */
const RETRY_DIVISOR = 4;
const GROWTH_FACTOR = 2;
const PAUSE: MergePause = {
  maxQuietPacks: 2,
  /** Shorter than the five seconds in which an instance gathers a pack. */
  quietMs: 4 * SECOND_MS,
  /** Longer than the minute of the cron, so a visit merges many packs only if the cron does not. */
  busyMs: 90 * SECOND_MS,
};

/** Changes a row if the caller should merge the queue. */
export const claimNextMerge = (now: number) =>
  claimMerge({ merged_at: now, merged: 0, packs: MAX_PACKS_PER_MERGE }, PAUSE);

async function dropPack({ db }: Merger, id: number): Promise<void> {
  const [[found]] = await db.read(selectQueuedPack(id));
  if (found === undefined) return;
  await db.writeUnaudited(deleteQueuedPack(id, found.pack));
  logDroppedClicks("refused", found.visits);
}

/**
 * Moves the first packs of the queue to the counts. A portion that fails is tried again in smaller ones, and a single
 * pack that D1 refuses for good is dropped. Takes at most ten queries, or one if the queue is empty.
 */
export async function mergeQueue(ctx: Merger): Promise<void> {
  const [[portion]] = await ctx.db.read(selectQueuePortion(MAX_PACKS_PER_MERGE, MAX_BYTES_PER_MERGE));
  if (portion === undefined || portion.last === null) return;
  const { last, packs, is_more: isMore } = portion;
  const next: MergePosition =
    isMore === 1
      ? { merged_at: 0, merged: packs, packs: Math.min(MAX_PACKS_PER_MERGE, packs * GROWTH_FACTOR) }
      : { merged_at: ctx.now(), merged: packs, packs: MAX_PACKS_PER_MERGE };
  try {
    await ctx.db.writeUnaudited(...mergePacks({ upTo: last }), upsertMergePosition(next));
  } catch (error) {
    const isRefused = isPermanent(error);
    if (packs === 1 && isRefused) await dropPack(ctx, last);
    // D1 may be overloaded, so only a refusal is tried again at once.
    const smaller = {
      merged_at: isRefused ? 0 : ctx.now(),
      merged: packs,
      packs: Math.max(1, Math.floor(packs / RETRY_DIVISOR)),
    };
    await ctx.db.writeUnaudited(upsertMergePosition(smaller));
    throw error;
  }
}
