import type { ServiceContext } from "../context";
import { createDatabase, type Database, type Statement } from "../db/client";
import { isPackWritten, isPermanent } from "../db/failure";
import { newId } from "../lib/ids";
import { DAY_MS, HOUR_MS } from "../lib/time";
import { logDroppedClicks } from "../log";
import { countVisits, splitCounts } from "./count";
import type { Gathering, Pack } from "./gathering";
import { addDays, addHours, deletePacksBefore, insertPack } from "./repository";

/** D1 takes values of 2 MB. */
const MAX_PACK_BYTES = 256 * 1024;
/** Packs that are kept until D1 takes them: 16 MB at most. */
const MAX_PACKS = 64;
/** Three queries each, of the 50 that an invocation has on the free plan. */
const MAX_PACKS_A_WRITE = 12;
/** A request is cancelled by then, so whoever began to write a pack writes no more. */
const WRITE_MS = 30_000;
/** D1 knows the ids of a day: a pack must not be tried again when its id may be gone. */
const MAX_PACK_AGE_MS = 12 * HOUR_MS;

function drop(gathering: Gathering, { id, hours }: Pack, reason: "full" | "old" | "refused"): void {
  gathering.packs.delete(id);
  logDroppedClicks(
    reason,
    hours.reduce((sum, { people, bots }) => sum + people + bots, 0),
  );
}

/** Counts what was gathered, in one step, so that no two requests count a visit. */
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

async function writePack(gathering: Gathering, pack: Pack, database: Database): Promise<void> {
  try {
    await database.writeUnaudited(insertPack(pack.id, Date.now()), addHours(pack.hours), addDays(pack.days));
    gathering.packs.delete(pack.id);
  } catch (error) {
    if (isPackWritten(error)) gathering.packs.delete(pack.id);
    else if (isPermanent(error)) drop(gathering, pack, "refused");
    else pack.busyUntil = 0;
  }
}

/**
 * Writes what was gathered, and what could not be written before and nobody is writing now. A pack stays until D1
 * confirms it, so a request that is cancelled leaves it to a later one; its id makes the repeat harmless.
 */
export async function writePacks(gathering: Gathering, db: D1Database): Promise<void> {
  const now = Date.now();
  countGathered(gathering, now);
  const database = createDatabase(db);
  const free = [...gathering.packs.values()].filter(({ busyUntil }) => busyUntil <= now);
  const mine = free.slice(0, MAX_PACKS_A_WRITE);
  for (const pack of mine) pack.busyUntil = now + WRITE_MS;
  for (const pack of mine) await writePack(gathering, pack, database);
}

/** Removes a portion of the ids of packs that no instance can try again. */
export const removeOldPacks = (ctx: Pick<ServiceContext, "now">): Statement =>
  deletePacksBefore(ctx.now() - DAY_MS);
