import { literal } from "../db/literal";
import { firstIdAt } from "../lib/ids";
import { HOUR_MS } from "../lib/time";
import { toBatchText } from "./batch";
import type { Counts } from "./visit-buffer";

/** If nothing has been added up for so long, batches stay in the memory of their instances. */
const MAX_STANDSTILL_MS = 2 * HOUR_MS;

/** Writes a batch, unless it waits or was added up. Fails if adding up stands still. */
export const insertBatch = (batch: string, countedAt: number, counts: Counts, now = countedAt) =>
  literal(
    `insert into visit_queue (batch, counts)
      select iif((select min(batch) from visit_queue) < ?4 and coalesce((select max(run) from visit_runs), 0) < ?5,
        null, ?1), ?2
      where not exists (select 1 from visit_runs where run >= ?3 and instr(batches, ?1))
      on conflict (batch) do nothing`,
    ...[batch, toBatchText(counts), countedAt, firstIdAt(now - MAX_STANDSTILL_MS), now - MAX_STANDSTILL_MS],
  );

const MAX_BATCHES_READ = 1_000;
const MAX_BYTES_READ = 1024 * 1024;

interface QueueRow {
  batch: string;
  counts: string;
  last_batch: string;
  /** The time of the last run; null before the first. */
  last_run: number | null;
}

/** The first batches that wait after another, of some bytes: at least one. */
export const selectBatches = (after: string) =>
  literal<QueueRow>(
    `select visit_queue.batch as batch, counts, (select max(batch) from visit_queue) as last_batch,
        (select max(run) from visit_runs) as last_run
      from (select batch, sum(bytes) over (order by batch) - bytes as bytes_before from
          (select batch, octet_length(counts) as bytes from visit_queue where batch > ?1 order by batch limit ?2)) as sized
        cross join visit_queue on visit_queue.batch = sized.batch
      where bytes_before < ?3 order by 1`,
    ...[after, MAX_BATCHES_READ, MAX_BYTES_READ],
  );

/** Records that batches are added up. Fails if another run has done so since the last one that was read. */
export const insertRun = (run: number, last: number | null, batches: readonly string[]) =>
  literal(
    "insert into visit_runs (run, batches) values (?1, iif((select max(run) from visit_runs) is ?2, ?3, null))",
    ...[run, last, batches.join("")],
  );

export const deleteBatches = (batches: readonly string[]) =>
  literal(
    "delete from visit_queue where batch in (select value from json_each(?1))",
    JSON.stringify(batches),
  );
