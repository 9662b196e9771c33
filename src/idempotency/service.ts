import type { Answer, Context, Reservation } from "../context";
import type { Database, ReadStatement, Results, Statement } from "../db/client";
import { type FieldError, idempotencyKeyRunning, invalid, Replay, unauthenticated } from "../errors";
import { etagOf } from "../lib/etag";
import { sleep } from "../lib/sleep";
import { DAY_MS, SECOND_MS } from "../lib/time";
import {
  complete,
  deleteStartedBefore,
  holder,
  type IdempotencyRow,
  isReserved,
  release,
  reserve,
} from "./repository";

const LAPSES_AFTER_MS = 30 * SECOND_MS;
/** How long a request waits for another one with its key, look by look: five seconds in all. */
const WAITS_MS = [50, 100, 200, 400, 750, 1_000, 1_250, 1_250];

const OTHER_REQUEST: FieldError = {
  field: "idempotency_key",
  message: "The idempotency key has already been used with another request.",
};

/** Whether the key is this request's own; false where another request still runs with it. Throws what else the key says. */
async function isOurs(
  reservation: Reservation,
  held: IdempotencyRow | undefined,
  assertUnchanged: () => Promise<void>,
): Promise<boolean> {
  // No row was made, so the API key has been revoked since it was checked.
  if (held === undefined) throw unauthenticated();
  if (held.operation_id === reservation.operationId) {
    await assertUnchanged();
    return true;
  }
  if (
    held.fingerprint !== reservation.fingerprint &&
    held.fingerprint !== (await reservation.formerFingerprint?.())
  ) {
    await assertUnchanged();
    throw invalid([OTHER_REQUEST]);
  }
  if (held.status === null || held.body === null) return false;
  throw new Replay(held.status, held.body, held.etag);
}

/**
 * Waits until the request that holds the key has ended or lapsed, with one query a look: D1 allows few. 409 where it still
 * runs when the pauses, which this uses up, are over.
 */
async function waitForHolder(ctx: Context, reservation: Reservation, pausesMs: number[]): Promise<void> {
  for (let pause = pausesMs.shift(); pause !== undefined; pause = pausesMs.shift()) {
    await sleep(pause);
    const [[held]] = await ctx.db.read(holder(reservation));
    const isRunning = held !== undefined && (held.status === null || held.body === null);
    if (!isRunning || held.started_at < ctx.now() - LAPSES_AFTER_MS) return;
  }
  throw idempotencyKeyRunning();
}

/**
 * Reads what a verb's rules need and, in the same call, reserves the request's `Idempotency-Key`. `assertThere`
 * refuses a path that names nothing, which is told before anything of the key, `assertUnchanged` a stale `If-Match`,
 * which does not stand in the way of a replay. Throws a Replay where the key has its answer; where another request still
 * runs with it, that one is waited for.
 */
export async function readRules<S extends readonly ReadStatement[]>(
  ctx: Context,
  questions: readonly [...S],
  assertThere: (results: Results<S>) => void = () => undefined,
  assertUnchanged: (results: Results<S>) => Promise<void> = async () => undefined,
): Promise<Results<S>> {
  const { reservation } = ctx;
  if (reservation === undefined) {
    const results = await ctx.db.read(...questions);
    assertThere(results);
    await assertUnchanged(results);
    return results;
  }
  for (const pausesMs = [...WAITS_MS]; ; await waitForHolder(ctx, reservation, pausesMs)) {
    const now = ctx.now();
    const taking = reserve(reservation, now, now - LAPSES_AFTER_MS, now - DAY_MS);
    const [, held, ...rest]: [unknown, IdempotencyRow[], ...unknown[]] = await ctx.db.read<
      [ReadStatement, Statement<IdempotencyRow[]>, ...ReadStatement[]]
    >(taking as ReadStatement, holder(reservation), ...questions);
    const results = rest as Results<S>;
    assertThere(results);
    if (await isOurs(reservation, held[0], () => assertUnchanged(results))) return results;
  }
}

/** The answer to a repeat of the request that made or changed `resource`. */
const answerWith = async ({ status }: Reservation, resource: object): Promise<Answer> => ({
  status,
  body: JSON.stringify(resource),
  etag: await etagOf(resource),
});

/**
 * Runs a verb for the request that has reserved an `Idempotency-Key`: the write keeps its answer in the same batch; where
 * there was nothing to write, the answer is kept behind it.
 */
export async function keepingAnswer<T>(
  ctx: Context,
  reservation: Reservation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  let isKept = false;
  const db: Database = {
    ...ctx.db,
    async write(change, statements, ...questions) {
      const { answer, guards = [] } = change;
      if (answer === undefined) throw new TypeError(`${change.action} names no answer to keep`);
      const keeping = complete(reservation, await answerWith(reservation, answer));
      const guarded = { ...change, guards: [...guards, isReserved(reservation)] };
      const results = await ctx.db.write(guarded, [...statements, keeping], ...questions);
      isKept = true;
      return results;
    },
  };
  const result = await run({ ...ctx, db, reservation });
  if (!isKept)
    await ctx.db.writeUnaudited(complete(reservation, await answerWith(reservation, result as object)));
  return result;
}

/** Removes a portion of the keys whose day is over. */
export const removeOldKeys = (ctx: Pick<Context, "now">): Statement =>
  deleteStartedBefore(ctx.now() - DAY_MS);

/** Frees the key of a request that ended without a 2xx answer; one that did commit keeps it. */
export const releaseReservation = (ctx: Pick<Context, "db">, reservation: Reservation): Promise<void> =>
  ctx.db.writeUnaudited(release(reservation));
