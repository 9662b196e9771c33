import { literal } from "../db/literal";

/** The first batch that waits, whose id begins with its time; null if none does. And how many wait, up to a limit. */
export const selectQueueState = (limit: number) =>
  literal<{ batch: string | null; waiting: number }>(
    `select (select min(batch) from visit_queue) as batch,
      (select count(*) from (select 1 from visit_queue limit ?1)) as waiting`,
    limit,
  );
