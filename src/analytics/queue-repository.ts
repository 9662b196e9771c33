import { literal } from "../db/literal";
import { firstIdAt } from "../lib/ids";
import { type Counts, countVisitsOf } from "./visit-buffer";

/** Above this the batches stay in the memory of their instances. */
const MAX_WAITING = 50_000;

/** Fails if the queue is full. A batch is written once. */
export const insertBatch = (batch: string, countedAt: number, { hours, days }: Counts) => {
  const text = JSON.stringify({ hours, days });
  return literal(
    `insert into visit_queue (batch, counted_at, visits, bytes, counts)
      values (iif(coalesce((select max(id) from visit_queue where counts is not null)
        - (select min(id) from visit_queue where counts is not null), 0) < ${MAX_WAITING}, ?1, null), ?2, ?3, ?4, ?5)
      on conflict (batch) do nothing`,
    ...[batch, countedAt, countVisitsOf({ hours }), text.length, text],
  );
};

interface QueueState {
  /** The first batch that waits, whose id begins with its time; null if none does. */
  first_batch: string | null;
  /** How many batches were counted since a time, up to a limit. */
  recent: number;
}

export const selectQueueState = (since: number, limit: number) =>
  literal<QueueState>(
    `select (select batch from visit_queue where counts is not null order by id limit 1) as first_batch,
      (select count(*) from (select 1 from visit_queue where batch >= ?1 limit ?2)) as recent`,
    firstIdAt(since),
    limit,
  );

interface QueueChunk {
  /** Row id of its last batch; null if none waits. */
  last: number | null;
  batches: number;
  visits: number;
}

/** The batches to add up next: the first that wait, at least one. Each refusal of the first quarters their number. */
export const selectQueueChunk = (maxBatches: number, maxBytes: number) =>
  literal<QueueChunk>(
    `select max(id) as last, count(*) as batches, coalesce(sum(visits), 0) as visits
      from (select id, visits, sum(bytes) over (order by id) - bytes as bytes_before
        from (select id, visits, bytes from visit_queue where counts is not null order by id
          limit max(1, cast(?1 as integer) >> (2 * coalesce(
            (select refusals from visit_queue where counts is not null order by id limit 1), 0)))))
      where bytes_before < ?2`,
    maxBatches,
    maxBytes,
  );

export const addRefusal = (upTo: number) =>
  literal("update visit_queue set refusals = refusals + 1 where id <= ?1 and counts is not null", upTo);

/** Empties a batch without counting it. */
export const dropBatch = (id: number) =>
  literal("update visit_queue set counts = null where id = ?1 and counts is not null", id);
