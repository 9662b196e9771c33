import type { Context } from "../context";
import type { Guard, Results, Statement } from "../db/client";
import { idempotencyKeyRunning, invalid, Replay } from "../errors";
import { DAY_MS, SECOND_MS } from "../lib/time";
import {
  complete,
  holder,
  type IdempotencyRow,
  isReserved,
  type ReservationKey,
  release,
  reserve,
} from "./repository";

const LAPSES_AFTER_MS = 30 * SECOND_MS;

export interface Answer {
  status: number;
  body: string;
  etag: string | null;
}

/** A request's `Idempotency-Key` while the request runs. */
export interface Reservation extends ReservationKey {
  /** The answer that this request gives for the resource that it made. */
  answerWith: (resource: object) => Promise<Answer>;
}

function judge(reservation: Reservation, held: IdempotencyRow | undefined): void {
  if (held === undefined || held.operation_id === reservation.operationId) return;
  if (held.fingerprint !== reservation.fingerprint) {
    const message = "The idempotency key has already been used with another request.";
    throw invalid([{ field: "idempotency_key", message }]);
  }
  if (held.status === null || held.body === null) throw idempotencyKeyRunning();
  throw new Replay(held.status, held.body, held.etag);
}

/**
 * Reads what a verb's rules need and, in the same call, reserves the request's `Idempotency-Key`. `assertThere`
 * refuses a path that names nothing, which is told before anything of the key. Throws a Replay where the key has its answer.
 */
export async function readRules<S extends readonly Statement[]>(
  ctx: Context,
  statements: readonly [...S],
  assertThere: (results: Results<S>) => void = () => undefined,
): Promise<Results<S>> {
  const { reservation } = ctx;
  if (reservation === undefined) {
    const results = await ctx.db.read(...statements);
    assertThere(results);
    return results;
  }
  const now = ctx.now();
  const taking = reserve(reservation, now, now - LAPSES_AFTER_MS, now - DAY_MS);
  const [, held, ...rest]: [unknown, IdempotencyRow[], ...unknown[]] = await ctx.db.read<
    [Statement, Statement<IdempotencyRow[]>, ...Statement[]]
  >(taking, holder(reservation), ...statements);
  const results = rest as Results<S>;
  assertThere(results);
  judge(reservation, held[0]);
  return results;
}

/** What a write's batch adds so that the answer for `resource` is kept with it: nothing where no key was sent. */
export async function settling(
  ctx: Context,
  resource: object,
): Promise<{ guards: Guard[]; statements: Statement[] }> {
  const { reservation } = ctx;
  if (reservation === undefined) return { guards: [], statements: [] };
  const answer = await reservation.answerWith(resource);
  return { guards: [isReserved(reservation)], statements: [complete(reservation, answer)] };
}

/** Frees the key of a request that ended without a 2xx answer; one that did commit keeps it. */
export const releaseReservation = (ctx: Pick<Context, "db">, reservation: Reservation): Promise<void> =>
  ctx.db.note(release(reservation));
