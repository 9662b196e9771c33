import type { ServiceContext } from "../context";
import { newId } from "../lib/ids";
import { countVisits, splitCounts } from "./count";
import type { Visit } from "./gathering";
import { MAX_PACK_BYTES } from "./pack";
import { addCounts, insertPack } from "./repository";

export type { Visit } from "./gathering";

/** Counts and writes visits at once, without waiting in the queue. */
export async function writeVisits(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  visits: readonly Visit[],
): Promise<void> {
  for (const counts of splitCounts(countVisits(visits), MAX_PACK_BYTES)) {
    await db.writeUnaudited(insertPack(newId(now()), now()), ...addCounts(counts));
  }
}
