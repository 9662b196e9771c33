import { literal } from "../../../db/literal";
import type { SlugKey } from "../../../lib/slug-text";
import { MAX_RANK, OPEN_DOUBT_MS, RANKS } from "./marks";

/** Single takedowns from before `at` that KV has not taken, and since when the first of them waits. */
export const countLateTakedowns = (at: number, limit: number) =>
  literal<{ late: number; oldest: number | null }>(
    `select count(*) as late, min(due.doubt_until) - ${OPEN_DOUBT_MS} as oldest from (
      select slugs.doubt_until from slugs left join links on links.id = slugs.link_id
        where slugs.push_at = ${RANKS.takedown} and slugs.doubt_until <= ?1 + ${OPEN_DOUBT_MS}
          and (slugs.taken_down_at is not null or links.taken_down_at is not null) limit ?2) as due`,
    ...[at, limit],
  );

/** Due slugs: single changes first, then second writes, then what is changed in bulk. */
export const selectDue = (now: number, limit: number) => {
  const part = (order: number, where: string) =>
    `select * from (select key, ${order} as part, push_at from slugs where ${where} order by push_at limit ?2)`;
  return literal<{ key: SlugKey }>(
    `select key from (${part(0, `push_at < ${RANKS.bulkTakedown}`)}
      union all ${part(1, `push_at >= ${MAX_RANK} and push_at <= ?1`)}
      union all ${part(2, `push_at >= ${RANKS.bulkTakedown} and push_at < ${MAX_RANK}`)}) order by part, push_at limit ?2`,
    ...[now, limit],
  );
};

/**
 * Records writes to KV, each a slug and its revision, of rows that still have it. They were read at `readAt`. The first write
 * of a change queues a second one, which overwrites late writes of others; only one that was read after it became due is the
 * second. The doubt then ends at `doubtUntil`, when KV shows it everywhere.
 */
export const updateWritten = (
  written: readonly (readonly [key: string, rev: number])[],
  { readAt, secondAt, doubtUntil }: { readAt: number; secondAt: number; doubtUntil: number },
) =>
  literal(
    `update slugs set
      push_at = case when push_at < ${MAX_RANK} then ?3 when push_at > ?2 then push_at end,
      doubt_until = iif(push_at < ${MAX_RANK} or push_at > ?2, doubt_until, ?4)
    from json_each(?1) as listed
    where slugs.key = listed.value ->> 0 and slugs.rev = listed.value ->> 1 and slugs.push_at is not null`,
    ...[JSON.stringify(written), readAt, secondAt, doubtUntil],
  );

/** The number of due slugs, counted up to `limit`, and since when the one that waits longest is due. */
export const countDue = (dueAt: number, limit: number) =>
  literal<{ due: number; oldest: number | null }>(
    `select count(*) as due, min(due_at) as oldest from (
      select iif(push_at < ${MAX_RANK}, coalesce(doubt_until - ${OPEN_DOUBT_MS}, 0), push_at) as due_at from slugs where push_at <= ?1 limit ?2)
      where due_at <= ?1`,
    ...[dueAt, limit],
  );
