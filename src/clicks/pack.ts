import { ulid } from "ulidx";
import type { ServiceContext } from "../context";
import { createDatabase } from "../db/client";
import { isWritten } from "../db/failure";
import { DAY_MS } from "../lib/time";
import { countVisits, type DayCount, type HourCount } from "./count";
import type { Gathering } from "./record";
import { addDays, addHours, deletePacksBefore, insertPack } from "./repository";

interface Pack {
  id: string;
  hours: HourCount[];
  days: DayCount[];
}

/** Packs that could not be written are kept for the next time, this many at most. */
const MOST_UNWRITTEN = 20;

/** Writes what was gathered as one pack, in one batch of D1, after those that failed before. */
export async function writePacks(gathering: Gathering, db: D1Database): Promise<void> {
  const visits = gathering.visits.splice(0);
  const packs = gathering.unwritten.splice(0) as Pack[];
  if (visits.length > 0) packs.push({ id: ulid(), ...countVisits(visits) });
  const database = createDatabase(db);
  for (const pack of packs.slice(-MOST_UNWRITTEN)) {
    try {
      await database.note(insertPack(pack.id, Date.now()), addHours(pack.hours), addDays(pack.days));
    } catch (error) {
      if (!isWritten(error)) gathering.unwritten.push(pack);
    }
  }
}

/** Forgets packs that no instance can try again. */
export const forgetPacks = (ctx: Pick<ServiceContext, "db" | "now">): Promise<void> =>
  ctx.db.note(deletePacksBefore(ctx.now() - DAY_MS));
