import { and, eq, isNull, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import { deleteBelow } from "../../db/chunk";
import type { Guard, Statement } from "../../db/client";
import { orm, prepared } from "../../db/prepared";
import { apiKeys, workspaces } from "../../db/schema/access";
import { idempotencyKeys } from "../../db/schema/idempotency";

export type IdempotencyRow = typeof idempotencyKeys.$inferSelect;

/** A stored response for retries. `body` is the public resource as JSON. */
export interface Answer {
  status: number;
  body: string;
  etag: string | null;
}

/** A request's `Idempotency-Key` while the request runs. */
export interface Reservation {
  apiKeyId: number;
  key: string;
  /** Hash of method, path and raw body. */
  fingerprint: string;
  /** Distinguishes requests with the same key. */
  operationId: string;
  /** Status of a successful response. */
  status: number;
}

type ReservationKey = Omit<Reservation, "status">;

/**
 * Reserves the key if it is free, its reservation has expired or its day is over. API keys that may not write get no
 * row, because the check of the key is checked after this statement.
 */
export const upsertReservation = (
  { apiKeyId, key, fingerprint, operationId }: ReservationKey,
  at: number,
  runningSince: number,
  endedSince: number,
): Statement => upsertReservationBy(apiKeyId, key, fingerprint, operationId, at, runningSince, endedSince);

const upsertReservationBy = prepared(
  (
    apiKeyId: number,
    key: string,
    fingerprint: string,
    operationId: string,
    at: number,
    runningSince: number,
    endedSince: number,
  ) =>
    orm.run(sql`insert into ${idempotencyKeys} (api_key_id, key, fingerprint, operation_id, started_at)
        select ${apiKeys.id}, ${key}, ${fingerprint}, ${operationId}, ${at}
        from ${apiKeys} cross join ${workspaces} on ${workspaces.id} = ${apiKeys.workspace_id}
        where ${apiKeys.id} = ${apiKeyId} and ${apiKeys.access} = 'full' and ${apiKeys.revoked_at} is null
          and (${apiKeys.expires_at} is null or ${apiKeys.expires_at} > ${at}) and ${workspaces.suspended_at} is null
        on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint,
          operation_id = excluded.operation_id, started_at = excluded.started_at, status = null, body = null, etag = null
        where ${idempotencyKeys.started_at} < case when ${idempotencyKeys.status} is null
          then ${runningSince} else ${endedSince} end`),
);

const whereKey = (apiKeyId: number, key: string) =>
  and(eq(idempotencyKeys.api_key_id, apiKeyId), eq(idempotencyKeys.key, key));

export const selectHolder = ({ apiKeyId, key }: ReservationKey): Statement<IdempotencyRow[]> =>
  selectHolderBy(apiKeyId, key);

const selectHolderBy = prepared((apiKeyId: number, key: string) =>
  orm.select().from(idempotencyKeys).where(whereKey(apiKeyId, key)),
);

export const ensureReserved = ({ apiKeyId, key, operationId }: ReservationKey): Guard =>
  ensureReservedBy(apiKeyId, key, operationId);

const ensureReservedBy = prepared((apiKeyId: number, key: string, operationId: string) =>
  abortUnless(sql`exists (select 1 from ${idempotencyKeys} where ${idempotencyKeys.api_key_id} = ${apiKeyId}
    and ${idempotencyKeys.key} = ${key} and ${idempotencyKeys.operation_id} = ${operationId})`),
);

/** Stores the answer, if this request still has the key reserved and no answer is stored. */
export const updateAnswer = (reservation: ReservationKey, { status, body, etag }: Answer): Statement =>
  updateAnswerBy(reservation.apiKeyId, reservation.key, reservation.operationId, status, body, etag);

const updateAnswerBy = prepared(
  (apiKeyId: number, key: string, operationId: string, status: number, body: string, etag: string | null) =>
    orm
      .update(idempotencyKeys)
      .set({ status: sql`${status}`, body: sql`${body}`, etag: sql`${etag}` })
      .where(
        and(
          whereKey(apiKeyId, key),
          eq(idempotencyKeys.operation_id, operationId),
          isNull(idempotencyKeys.status),
        ),
      ),
);

export const deleteReservation = ({ apiKeyId, key, operationId }: ReservationKey): Statement =>
  deleteReservationBy(apiKeyId, key, operationId);

const deleteReservationBy = prepared((apiKeyId: number, key: string, operationId: string) =>
  orm
    .delete(idempotencyKeys)
    .where(
      and(
        whereKey(apiKeyId, key),
        eq(idempotencyKeys.operation_id, operationId),
        isNull(idempotencyKeys.status),
      ),
    ),
);

export const deleteStartedBefore = (at: number): Statement =>
  deleteBelow(idempotencyKeys, idempotencyKeys.started_at, at);
