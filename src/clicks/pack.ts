import type { ServiceContext } from "../context";
import { createDatabase, type Database, type Statement } from "../db/client";
import { isPackWritten, isPermanent, isQueueFull } from "../db/failure";
import { newId } from "../lib/ids";
import { DAY_MS, HOUR_MS } from "../lib/time";
import { logDroppedClicks } from "../log";
import { countVisits, splitCounts } from "./count";
import { countVisitsOf, type Gathering, type Pack } from "./gathering";
import { claimNextMerge, mergeQueue } from "./queue";
import { deletePacksBefore, insertPack, insertQueued } from "./repository";

/** D1 allows values of 2 MB. */
export const MAX_PACK_BYTES = 256 * 1024;
/** At most 16 MB wait in memory for D1. */
const MAX_PACKS = 64;
/** Each takes three of the 50 queries per invocation of the free plan, and merging takes ten. */
const MAX_PACKS_PER_WRITE = 5;
/** Background work is cancelled by then, so no other request is still writing the pack. */
const WRITE_MS = 30_000;
/** Ids of packs are deleted after a day. An older pack must not be retried, because it could count twice. */
const MAX_PACK_AGE_MS = 12 * HOUR_MS;

function drop(gathering: Gathering, pack: Pack, reason: "full" | "old" | "refused"): void {
  gathering.packs.delete(pack.id);
  logDroppedClicks(reason, countVisitsOf(pack));
}

/** Turns visits into packs. Synchronous, so no two requests count the same visit. */
function countGathered(gathering: Gathering, now: number): void {
  for (const counts of splitCounts(countVisits(gathering.visits.splice(0)), MAX_PACK_BYTES)) {
    const id = newId(now);
    gathering.packs.set(id, { id, countedAt: now, busyUntil: 0, ...counts });
  }
  for (const pack of gathering.packs.values()) {
    if (now - pack.countedAt > MAX_PACK_AGE_MS) drop(gathering, pack, "old");
  }
  for (const pack of [...gathering.packs.values()].slice(0, -MAX_PACKS)) drop(gathering, pack, "full");
}

/** Returns whether the caller should merge the queue. */
async function writePack(gathering: Gathering, pack: Pack, database: Database): Promise<boolean> {
  const now = Date.now();
  try {
    const [, , claimed] = await database.writeCounted(
      insertPack(pack.id, now),
      insertQueued(pack.id, pack),
      claimNextMerge(now),
    );
    gathering.packs.delete(pack.id);
    return claimed === 1;
  } catch (error) {
    if (isPackWritten(error)) gathering.packs.delete(pack.id);
    else if (isPermanent(error) && !isQueueFull(error)) drop(gathering, pack, "refused");
    else pack.busyUntil = 0;
    return false;
  }
}

/**
 * Queues the gathered visits, and earlier packs that no other request is writing. A pack stays until D1 confirms it, so a
 * later request retries it after a cancelled one. Its id prevents double counting.
 */
export async function writePacks(gathering: Gathering, db: D1Database): Promise<void> {
  const now = Date.now();
  countGathered(gathering, now);
  const database = createDatabase(db);
  const free = [...gathering.packs.values()].filter(({ busyUntil }) => busyUntil <= now);
  const mine = free.slice(0, MAX_PACKS_PER_WRITE);
  for (const pack of mine) pack.busyUntil = now + WRITE_MS;
  let shouldMerge = false;
  for (const pack of mine) {
    if (await writePack(gathering, pack, database)) shouldMerge = true;
  }
  // What fails stays in the queue, and the cron reports it.
  if (shouldMerge) await mergeQueue({ db: database, now: Date.now }).catch(() => undefined);
}

/** Deletes ids of packs that no instance can retry. */
export const removeOldPacks = (ctx: Pick<ServiceContext, "now">): Statement =>
  deletePacksBefore(ctx.now() - DAY_MS);
