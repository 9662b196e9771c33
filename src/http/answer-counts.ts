import type { Env } from "../context";
import type { AnswerCounts } from "../db/answer-count-statements";
import type { Meter } from "../db/meter";
import { perBinding } from "../lib/recent-map";
import { MINUTE_MS, SECOND_MS } from "../lib/time";

// What the alerts `errors.rate` and `d1.slow` are made of. A write for each answer would cost more than the answers do.

/** The mean time of an answer's calls of D1, from which on it is slow. */
const SLOW_CALL_MS = SECOND_MS;
const MAX_WRITE_MS = 5 * SECOND_MS;

const NONE = { minute: 0, answers: 0, failed: 0, slow: 0 };

/** What an instance has answered in a minute. */
const countsOf = perBinding((_: D1Database) => ({ ...NONE }));

/**
 * Counts an answer. The first one of another minute writes the counts of the minute before, if some in it failed or were slow.
 * What D1 does not take is lost, and so are the counts of an instance that ends. Without a webhook nothing is counted.
 */
export function countAnswer(
  env: Env,
  { calls, milliseconds }: Meter,
  status: number,
): Promise<void> | undefined {
  if (!env.ALERT_WEBHOOK) return undefined;
  const counts = countsOf(env.DB);
  const minute = Math.floor(Date.now() / MINUTE_MS);
  const before = { ...counts };
  if (minute !== before.minute) Object.assign(counts, NONE, { minute });
  counts.answers++;
  if (status >= 500) counts.failed++;
  if (calls > 0 && milliseconds >= calls * SLOW_CALL_MS) counts.slow++;
  const isOver = minute !== before.minute && before.failed + before.slow > 0;
  return isOver ? writeCounts(env, before.minute, before) : undefined;
}

async function writeCounts(env: Env, minute: number, counts: AnswerCounts): Promise<void> {
  const [{ createLiteralDatabase }, { addAnswers }, { newMeter }] = await Promise.all([
    import("../db/send"),
    import("../db/answer-count-statements"),
    import("../db/meter"),
  ]);
  const db = createLiteralDatabase(env.DB, newMeter(MAX_WRITE_MS));
  await db.writeOnce(addAnswers(minute, counts)).catch(() => undefined);
}
