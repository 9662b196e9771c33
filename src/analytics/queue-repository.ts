import { sql } from "drizzle-orm";
import { orm } from "../db/prepared";
import { visitQueue } from "../db/schema/analytics";
import { firstIdAt } from "../lib/ids";
import { type Counts, countVisitsOf } from "./visit-buffer";

/** Above this the batches stay in the memory of their instances. */
const MAX_WAITING = 50_000;

const isWaiting = sql`${visitQueue.counts} is not null`;

/** Inserts nothing if the queue is full, and fails if the batch was written before. */
export const insertBatch = (batch: string, countedAt: number, { hours, days }: Counts) => {
  const text = JSON.stringify({ hours, days });
  return orm.run(sql`insert into ${visitQueue} (batch, counted_at, visits, bytes, counts)
      select ${batch}, ${countedAt}, ${countVisitsOf({ hours })}, ${text.length}, ${text}
      where coalesce((select max(id) from ${visitQueue} where ${isWaiting})
        - (select min(id) from ${visitQueue} where ${isWaiting}), 0) < ${MAX_WAITING}`);
};

interface QueueState {
  /** The first batch that waits, whose id begins with its time; null if none does. */
  first_batch: string | null;
  /** How many batches were counted since a time, up to a limit. */
  recent: number;
}

export const selectQueueState = (since: number, limit: number) =>
  orm.all<QueueState>(sql`select (select batch from ${visitQueue} where ${isWaiting} order by id limit 1) as first_batch,
      (select count(*) from (select 1 from ${visitQueue} where batch >= ${firstIdAt(since)} limit ${limit})) as recent`);

interface QueueChunk {
  /** Row id of its last batch; null if none waits. */
  last: number | null;
  batches: number;
  visits: number;
}

/** The batches to add up next: the first that wait, at least one. Each refusal of the first quarters their number. */
export const selectQueueChunk = (maxBatches: number, maxBytes: number) =>
  orm.all<QueueChunk>(sql`select max(id) as last, count(*) as batches, coalesce(sum(visits), 0) as visits
      from (select id, visits, sum(bytes) over (order by id) - bytes as bytes_before
        from (select id, visits, bytes from ${visitQueue} where ${isWaiting} order by id
          limit max(1, cast(${maxBatches} as integer) >> (2 * coalesce(
            (select refusals from ${visitQueue} where ${isWaiting} order by id limit 1), 0)))))
      where bytes_before < ${maxBytes}`);

export const addRefusal = (upTo: number) =>
  orm.run(
    sql`update ${visitQueue} set refusals = refusals + 1 where ${visitQueue.id} <= ${upTo} and ${isWaiting}`,
  );

/** Empties a batch without counting it. */
export const dropBatch = (id: number) =>
  orm.run(sql`update ${visitQueue} set counts = null where ${visitQueue.id} = ${id} and ${isWaiting}`);
