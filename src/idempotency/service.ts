import type { Answer, Context, Reservation } from "../context";
import type { Database, ReadStatement, Results, Statement } from "../db/client";
import { type FieldError, idempotencyKeyRunning, invalid, Replay, unauthenticated } from "../errors";
import { etagOf } from "../lib/etag";
import { sleep } from "../lib/sleep";
import { DAY_MS, SECOND_MS } from "../lib/time";
import {
  deleteReservation,
  deleteStartedBefore,
  type IdempotencyRow,
  selectHolder,
  updateAnswer,
  upsertReservation,
  whereReserved,
} from "./repository";

const RESERVATION_MS = 30 * SECOND_MS;
/** Delays between the polls of a request that waits for another with the same key: five seconds in all. */
const POLL_DELAYS_MS = [50, 100, 200, 400, 750, 1_000, 1_250, 1_250];

const OTHER_REQUEST: FieldError = {
  field: "idempotency_key",
  message: "The idempotency key has already been used with another request.",
  code: "reused",
};

/**
 * Whether this request holds the key; false if another is still running with it. Throws the stored answer as a Replay,
 * and 422 if another request used the key.
 */
async function isOurs(
  reservation: Reservation,
  held: IdempotencyRow | undefined,
  assertUnchanged: () => Promise<void>,
): Promise<boolean> {
  // No row means that the API key was revoked after its check.
  if (held === undefined) throw unauthenticated();
  if (held.operation_id === reservation.operationId) {
    await assertUnchanged();
    return true;
  }
  if (held.fingerprint !== reservation.fingerprint) {
    await assertUnchanged();
    throw invalid([OTHER_REQUEST]);
  }
  if (held.status === null || held.body === null) return false;
  throw new Replay(held.status, held.body, held.etag);
}

/**
 * Polls until the other request has ended or its reservation has expired; 409 once all delays are used. Each poll is
 * one query, because D1 limits the queries of an invocation.
 */
async function waitForHolder(ctx: Context, reservation: Reservation, delaysMs: number[]): Promise<void> {
  for (let delay = delaysMs.shift(); delay !== undefined; delay = delaysMs.shift()) {
    await sleep(delay);
    const [[held]] = await ctx.db.read(selectHolder(reservation));
    const isRunning = held !== undefined && (held.status === null || held.body === null);
    if (!isRunning || held.started_at < ctx.now() - RESERVATION_MS) return;
  }
  throw idempotencyKeyRunning();
}

/**
 * Reads what a verb's rules need and reserves the request's `Idempotency-Key` in the same call. Throws a Replay if the
 * key has an answer. `assertThere` is judged before the key; `assertUnchanged` after it, so that a stale `If-Match`
 * does not prevent a replay.
 */
export async function readRules<S extends readonly ReadStatement[]>(
  ctx: Context,
  reads: readonly [...S],
  assertThere: (results: Results<S>) => void = () => undefined,
  assertUnchanged: (results: Results<S>) => Promise<void> = async () => undefined,
): Promise<Results<S>> {
  const { reservation } = ctx;
  if (reservation === undefined) {
    const results = await ctx.db.read(...reads);
    assertThere(results);
    await assertUnchanged(results);
    return results;
  }
  for (const delaysMs = [...POLL_DELAYS_MS]; ; await waitForHolder(ctx, reservation, delaysMs)) {
    const now = ctx.now();
    const reserving = upsertReservation(reservation, now, now - RESERVATION_MS, now - DAY_MS);
    const [, held, ...rest]: [unknown, IdempotencyRow[], ...unknown[]] = await ctx.db.read<
      [ReadStatement, Statement<IdempotencyRow[]>, ...ReadStatement[]]
    >(reserving as ReadStatement, selectHolder(reservation), ...reads);
    const results = rest as Results<S>;
    assertThere(results);
    if (await isOurs(reservation, held[0], () => assertUnchanged(results))) return results;
  }
}

const toAnswer = async ({ status }: Reservation, resource: object): Promise<Answer> => ({
  status,
  body: JSON.stringify(resource),
  etag: await etagOf(resource),
});

/**
 * Runs a verb for a request that has an `Idempotency-Key` reserved. Its answer is stored in the batch of its write, or
 * afterwards if it writes nothing.
 */
export async function withStoredAnswer<T>(
  ctx: Context,
  reservation: Reservation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  let isStored = false;
  const db: Database = {
    ...ctx.db,
    async write(change, statements, ...reads) {
      const { answer, guards = [] } = change;
      if (answer === undefined) throw new TypeError(`${change.action} names no answer to store`);
      const storing = updateAnswer(reservation, await toAnswer(reservation, answer));
      const guarded = { ...change, guards: [...guards, whereReserved(reservation)] };
      const results = await ctx.db.write(guarded, [...statements, storing], ...reads);
      isStored = true;
      return results;
    },
  };
  const result = await run({ ...ctx, db, reservation });
  if (!isStored)
    await ctx.db.writeUnaudited(updateAnswer(reservation, await toAnswer(reservation, result as object)));
  return result;
}

/** Deletes a portion of the keys that are older than a day. */
export const deleteOldKeys = (ctx: Pick<Context, "now">): Statement =>
  deleteStartedBefore(ctx.now() - DAY_MS);

/** Deletes the reservation of a request that failed. If its write was committed, the stored answer stays. */
export const releaseReservation = (ctx: Pick<Context, "db">, reservation: Reservation): Promise<void> =>
  ctx.db.writeUnaudited(deleteReservation(reservation));
