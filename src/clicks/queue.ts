import type { ServiceContext } from "../context";
import { isPermanent } from "../db/failure";
import { timeOfId } from "../lib/ids";
import { isoTime, MINUTE_MS, SECOND_MS } from "../lib/time";
import { logDroppedClicks, logWaitingClicks } from "../log";
import {
  claimMerge,
  deleteQueuedPack,
  type MergePause,
  type MergePosition,
  selectPacksBefore,
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

/** A pack should have been merged by then. */
const MAX_WAIT_MS = 10 * MINUTE_MS;
/** For the doctor, which merges until the queue is empty. */
const MAX_PORTIONS = 1_000;

/** Changes a row if the caller should merge the queue. */
export const claimNextMerge = (now: number) =>
  claimMerge({ merged_at: now, merged: 0, packs: MAX_PACKS_PER_MERGE }, PAUSE);

async function dropPack({ db }: Merger, id: number, pack: string): Promise<void> {
  const [[found]] = await db.read(selectQueuedPack(id, pack));
  if (found === undefined) return;
  await db.writeUnaudited(deleteQueuedPack(id, pack));
  logDroppedClicks("refused", found.visits);
}

interface Portion {
  /** Row id of its last pack. */
  last: number;
  packs: number;
  isMore: boolean;
  /** The id of its first pack. */
  firstPack: string;
  /** When its first pack was made, in milliseconds since the epoch; undefined for an id without a time. */
  since: number | undefined;
}

/** The packs to merge next; undefined if the queue is empty. */
async function readPortion({ db }: Merger): Promise<Portion | undefined> {
  const [[portion]] = await db.read(selectQueuePortion(MAX_PACKS_PER_MERGE, MAX_BYTES_PER_MERGE));
  if (portion === undefined || portion.last === null) return undefined;
  const { last, packs, is_more: isMore } = portion;
  const firstPack = portion.first_pack ?? "";
  return { last, packs, isMore: isMore === 1, firstPack, since: timeOfId(firstPack) };
}

async function mergePortion(ctx: Merger, { last, packs, isMore, firstPack }: Portion): Promise<void> {
  const next: MergePosition = isMore
    ? { merged_at: 0, merged: packs, packs: Math.min(MAX_PACKS_PER_MERGE, packs * GROWTH_FACTOR) }
    : { merged_at: ctx.now(), merged: packs, packs: MAX_PACKS_PER_MERGE };
  try {
    await ctx.db.writeUnaudited(...mergePacks({ upTo: last }), upsertMergePosition(next));
  } catch (error) {
    const isRefused = isPermanent(error);
    if (packs === 1 && isRefused) await dropPack(ctx, last, firstPack);
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

/**
 * Moves the first packs of the queue to the counts. A portion that fails is tried again in smaller ones, and a single
 * pack that D1 refuses for good is dropped. Takes at most ten queries, or one if the queue is empty.
 */
export async function mergeQueue(ctx: Merger): Promise<void> {
  const portion = await readPortion(ctx);
  if (portion === undefined) return;
  const { since } = portion;
  if (since !== undefined && since < ctx.now() - MAX_WAIT_MS) logWaitingClicks(isoTime(since));
  await mergePortion(ctx, portion);
}

async function mergeWholeQueue(ctx: Merger): Promise<void> {
  for (let portions = 0; portions < MAX_PORTIONS; portions++) {
    const portion = await readPortion(ctx);
    if (portion === undefined) return;
    try {
      await mergePortion(ctx, portion);
    } catch (error) {
      if (!isPermanent(error)) throw error;
    }
  }
}

/** Packs of clicks that wait for more than ten minutes. */
interface WaitingPacks {
  packs: number;
  visits: number;
  oldest_at: string;
}

async function findWaitingPacks(ctx: Merger): Promise<WaitingPacks | undefined> {
  const [[found]] = await ctx.db.read(selectPacksBefore(ctx.now() - MAX_WAIT_MS));
  const since = timeOfId(found?.first_pack ?? "");
  if (found === undefined || since === undefined) return undefined;
  return { packs: found.packs, visits: found.visits ?? 0, oldest_at: isoTime(since) };
}

/** Merges the queue if packs wait for more than ten minutes. Returns these, and how many still wait; else undefined. */
export async function mergeWaitingPacks(ctx: Merger): Promise<(WaitingPacks & { left: number }) | undefined> {
  const waiting = await findWaitingPacks(ctx);
  if (waiting === undefined) return undefined;
  await mergeWholeQueue(ctx);
  return { ...waiting, left: (await findWaitingPacks(ctx))?.packs ?? 0 };
}
