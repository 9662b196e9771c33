import { sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { clickQueue, jobPositions } from "../db/schema";
import { firstIdAt } from "../lib/ids";

const MERGE_JOB = "click_queue";

export interface MergePosition {
  /** When packs were last merged. 0 if some are left that were not merged for their number. */
  merged_at: number;
  /** The number of packs that were merged then. */
  merged: number;
  /** The most packs of the next portion. */
  packs: number;
}

export interface MergePause {
  /** After a merge of so many packs at most, `quietMs` are enough. */
  maxQuietPacks: number;
  quietMs: number;
  busyMs: number;
}

/** Changes a row if the last merge is longer ago than the pause. A clock may be behind that of another instance. */
export const claimMerge =
  (position: MergePosition, { maxQuietPacks, quietMs, busyMs }: MergePause): Statement =>
  (orm) =>
    orm.run(sql`insert into ${jobPositions} (job, position) values (${MERGE_JOB}, ${JSON.stringify(position)})
      on conflict (job) do update set position = json_set(position, '$.merged_at', ${position.merged_at})
      where abs((position ->> 'merged_at') - ${position.merged_at})
        > iif((position ->> 'merged') <= ${maxQuietPacks}, ${quietMs}, ${busyMs})`);

export const upsertMergePosition =
  (position: MergePosition): Statement =>
  (orm) =>
    orm
      .insert(jobPositions)
      .values({ job: MERGE_JOB, position: JSON.stringify(position) })
      .onConflictDoUpdate({ target: jobPositions.job, set: { position: JSON.stringify(position) } });

interface QueuePortion {
  /** Row id of its last pack; null if the queue is empty. */
  last: number | null;
  packs: number;
  /** Whether packs come after it. */
  is_more: 0 | 1;
  /** The id of its first pack, which begins with its time. */
  first_pack: string | null;
}

/** The packs to merge next: the first ones of the queue, at least one, as many as the stored position allows. */
export const selectQueuePortion =
  (maxPacks: number, maxBytes: number): Statement<QueuePortion[]> =>
  (orm) =>
    orm.all(sql`select max(id) as last, count(*) as packs,
        max(id) < (select max(id) from ${clickQueue}) as is_more,
        (select pack from ${clickQueue} order by id limit 1) as first_pack
      from (select id, sum(bytes) over (order by id) - bytes as bytes_before
        from (select id, bytes from ${clickQueue} order by id limit coalesce((select position ->> 'packs'
          from ${jobPositions} where job = ${MERGE_JOB}), ${maxPacks})))
      where bytes_before < ${maxBytes}`);

/** The packs that were made before `at`, which are looked for among all of the queue. */
export const selectPacksBefore =
  (at: number): Statement<{ packs: number; visits: number | null; first_pack: string | null }[]> =>
  (orm) =>
    orm.all(sql`select count(*) as packs, sum(visits) as visits, min(pack) as first_pack from ${clickQueue}
      where pack < ${firstIdAt(at)}`);

/** A pack that is still in the queue. Its row id alone may be that of another by now. */
export const selectQueuedPack =
  (id: number, pack: string): Statement<{ visits: number }[]> =>
  (orm) =>
    orm.all(sql`select visits from ${clickQueue} where ${clickQueue.id} = ${id} and pack = ${pack}`);

export const deleteQueuedPack =
  (id: number, pack: string): Statement =>
  (orm) =>
    orm.run(sql`delete from ${clickQueue} where ${clickQueue.id} = ${id} and pack = ${pack}`);
