import type { Env } from "../../context";
import type { Meter } from "../../db/meter";
import { createLiteralDatabase } from "../../db/send";
import type { SlugKey } from "../../lib/slug-text";
import { DAY_MS } from "../../lib/time";
import { logLine } from "../../log";
import { type CacheEntry, cacheOf, deleteEntry, isSame, isTooOld, writeEntry } from "./cache";
import { doubtName, MAX_DOUBTS, replaceList } from "./doubts";
import { findTarget } from "./lookup";
import { type Doubt, slugMemoryOf } from "./slug-memory";
import {
  type DoubtedRow,
  insertOutdated,
  MAX_DOUBTED_ROWS,
  MAX_DOUBTS_OF_WORKSPACE,
  openDoubt,
  selectDoubts,
  selectLastDoubted,
  selectTakedowns,
  selectWideDoubts,
} from "./statements/doubt-statements";
import { selectUnmarked } from "./statements/wide";

const RENEWAL_MS = 25 * DAY_MS;

type Listed = [name: string, state: Doubt["state"]];

/** The slugs in doubt by key. Of a workspace that has more than 20, itself and those of which D1 says what visitors see. */
function listSlugs(rows: readonly DoubtedRow[]): Listed[] {
  const ofWorkspace = Map.groupBy(rows, ({ workspace_id: id }) => id);
  return [...ofWorkspace].flatMap(([id, own]): Listed[] => {
    const slugs = own.map(({ key, state }): Listed => [key, state]);
    if (own.length <= MAX_DOUBTS_OF_WORKSPACE) return slugs;
    const name = doubtName("workspace", id);
    if (own[0]?.is_suspended === 1) return [[name, "taken_down"]];
    return [[name, null], ...slugs.filter(([, state]) => state !== null)];
  });
}

export async function readDoubts({ DB, KV }: Env, meter: Meter): Promise<void> {
  const memory = slugMemoryOf(KV);
  const { changes } = memory;
  const [slugs, last, takedowns, wide] = await createLiteralDatabase(DB, meter).read(
    selectDoubts(Date.now()),
    selectLastDoubted(),
    selectTakedowns(),
    selectWideDoubts(MAX_DOUBTS + 1),
  );
  const wholes = wide.map(({ kind, name, state }): Listed => [doubtName(kind, name), state]);
  const takenDown = takedowns.map(({ key }): Listed => [key, "taken_down"]);
  const isAll = last.length > 0 || slugs.length >= MAX_DOUBTED_ROWS;
  replaceList(memory, [...listSlugs(slugs), ...takenDown, ...wholes], isAll, changes);
}

/**
 * Compares the value of a slug in KV with D1. A difference goes into the outbox, unless the slug is in doubt or a
 * whole is not marked. A value that stays is written again before it expires.
 */
export async function checkEntry(env: Env, meter: Meter, key: SlugKey, entry: CacheEntry): Promise<void> {
  const db = createLiteralDatabase(env.DB, meter);
  const now = Date.now();
  const found = await findTarget(db, key, now);
  if (found !== undefined && found.doubtUntil > now) return;
  const cache = cacheOf(env);
  const isNothing = entry.target === null && entry.link === null;
  if (found === undefined ? isNothing : isSame(found.entry, entry)) {
    const isDue =
      now - entry.read_at > RENEWAL_MS && found !== undefined && !isTooOld(found.entry, Date.now());
    if (isDue) await writeEntry(cache, key, found.entry);
    return;
  }
  // The slug may be one that a change of many has not marked yet.
  const [unmarked] = await db.read(selectUnmarked());
  if (unmarked.length > 0) return;
  logLine("kv_outdated", { kv_rev: entry.rev, d1_rev: found?.entry.rev ?? null });
  if (found === undefined) await deleteEntry(cache, key);
  else await db.writeGuarded([openDoubt(key, entry.workspace, now)]);
  await db.writeGuarded([insertOutdated(key, now)]);
}
