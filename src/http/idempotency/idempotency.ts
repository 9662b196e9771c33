import type { Context } from "../../context";
import type { Database, ReadStatement, Results } from "../../db/client";
import { chargeStored } from "../../db/meter";
import { idempotencyKeyRunning, ServiceError, unauthenticated } from "../../errors";
import { invalid } from "../../field-errors";
import { etagOf } from "../../lib/etag";
import type { Failure } from "../../lib/failure";
import { sleep } from "../../lib/sleep";
import { DAY_MS, SECOND_MS } from "../../lib/time";
import {
  type Answer,
  deleteReservation,
  ensureReserved,
  type IdempotencyRow,
  type Reservation,
  selectHolder,
  updateAnswer,
  upsertReservation,
} from "./idempotency-repository";

export type { Answer, Reservation } from "./idempotency-repository";

type Storage = Pick<Context, "db" | "now">;

const RESERVATION_MS = 30 * SECOND_MS;
/** Delays between the polls of a request that waits for another with the same key: five seconds in all. */
const POLL_DELAYS_MS = [50, 100, 200, 400, 750, 1_000, 1_250, 1_250];

const OTHER_REQUEST: Failure = {
  field: "idempotency_key",
  message: "The idempotency key has already been used with another request.",
  code: "reused",
};

/** The key is held by another request, so this one gets its stored answer or a refusal. */
export class KeyHeld extends Error {
  constructor(readonly outcome: Answer | ServiceError) {
    super("The Idempotency-Key is held by another request.");
  }
}

/** Whether this request holds the key; false if another is still running with it. Throws KeyHeld. */
function isOurs(reservation: Reservation, held: IdempotencyRow | undefined): boolean {
  // No row means that the API key was revoked after its check.
  if (held === undefined) throw new KeyHeld(unauthenticated());
  if (held.operation_id === reservation.operationId) return true;
  if (held.fingerprint !== reservation.fingerprint) throw new KeyHeld(invalid([OTHER_REQUEST]));
  const { status, body, etag } = held;
  if (status === null || body === null) return false;
  throw new KeyHeld({ status, body, etag });
}

/**
 * Polls until the other request has ended or its reservation has expired; 409 once all delays are used. Each poll is
 * one query, because D1 limits the queries of an invocation.
 */
async function waitForHolder(ctx: Storage, reservation: Reservation, delaysMs: number[]): Promise<void> {
  for (let delay = delaysMs.shift(); delay !== undefined; delay = delaysMs.shift()) {
    await sleep(delay);
    const [[held]] = await ctx.db.read(selectHolder(reservation));
    const isRunning = held !== undefined && (held.status === null || held.body === null);
    if (!isRunning || held.started_at < ctx.now() - RESERVATION_MS) return;
  }
  throw new KeyHeld(idempotencyKeyRunning());
}

async function readAndReserve(
  ctx: Storage,
  reservation: Reservation,
  reads: readonly ReadStatement[],
): Promise<unknown[]> {
  for (const delaysMs = [...POLL_DELAYS_MS]; ; await waitForHolder(ctx, reservation, delaysMs)) {
    const now = ctx.now();
    const [, held, ...results] = await ctx.db.read(
      upsertReservation(reservation, now, now - RESERVATION_MS, now - DAY_MS),
      selectHolder(reservation),
      ...reads,
    );
    if (isOurs(reservation, held[0])) return results;
  }
}

/** Throws 422 if the key is held for another request. */
export async function assertNotReused(ctx: Storage, reservation: Reservation): Promise<void> {
  const [[held]] = await ctx.db.read(selectHolder(reservation));
  if (held === undefined || held.fingerprint === reservation.fingerprint) return;
  const holdsFor = held.status === null ? RESERVATION_MS : DAY_MS;
  if (held.started_at >= ctx.now() - holdsFor) throw invalid([OTHER_REQUEST]);
}

async function toAnswer({ meter }: Context, { status }: Reservation, resource: object): Promise<Answer> {
  const body = JSON.stringify(resource);
  chargeStored(meter, body.length);
  return { status, body, etag: await etagOf(resource) };
}

/**
 * Runs a verb for a request with an `Idempotency-Key`. Its database reserves the key with each read, and stores the answer in
 * the batch of the write, or afterwards if nothing is written. If the verb fails, the key is free again.
 */
export async function withIdempotencyKey<T>(
  ctx: Context,
  reservation: Reservation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  let isStored = false;
  const db: Database = {
    ...ctx.db,
    read: async <S extends readonly ReadStatement[]>(...reads: S) =>
      (await readAndReserve(ctx, reservation, reads)) as Results<S>,
    async write(change, statements, ...reads) {
      const { answer, guards = [] } = change;
      if (answer === undefined) throw new TypeError(`${change.action} names no answer to store`);
      const storing = updateAnswer(reservation, await toAnswer(ctx, reservation, answer));
      const guarded = { ...change, guards: [...guards, ensureReserved(reservation)] };
      const results = await ctx.db.write(guarded, [...statements, storing], ...reads);
      isStored = true;
      return results;
    },
  };
  try {
    const result = await run({ ...ctx, db });
    if (!isStored)
      await ctx.db.writeGuarded([
        updateAnswer(reservation, await toAnswer(ctx, reservation, result as object)),
      ]);
    return result;
  } catch (error) {
    // If the write was committed, the stored answer stays. A refused request may only use the other database.
    const { writeGuarded } = ctx.backgroundDb ?? ctx.db;
    if (!(error instanceof KeyHeld)) {
      const freed = writeGuarded([deleteReservation(reservation)]).catch(() => undefined);
      // If D1 does not answer, the client need not wait for it once more.
      if (error instanceof ServiceError && error.status === 503) ctx.waitUntil(freed);
      else await freed;
    }
    throw error;
  }
}
