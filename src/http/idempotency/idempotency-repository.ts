import { and, eq, isNull, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import { orm, prepared } from "../../db/prepared";
import { apiKeys, workspaces } from "../../db/schema/access";
import { idempotencyKeys } from "../../db/schema/idempotency";

export type IdempotencyRow = typeof idempotencyKeys.$inferSelect;

/** A stored response for retries. `body` is the public resource as JSON. */
export type Answer = {
  status: number;
  body: string;
  etag: string | null;
};

export type Reservation = {
  apiKeyId: number;
  key: string;
  fingerprint: string;
  operationId: string;
  status: number;
};

/**
 * Reserves the key if it is free, its reservation has expired or its day is over. API keys that may not write get no
 * row, because the check of the key is checked after this statement.
 */
export const upsertReservation = prepared(
  (reservation: Reservation, at: number, runningSince: number, endedSince: number) =>
    orm.all(sql`insert into ${idempotencyKeys} (api_key_id, key, fingerprint, operation_id, started_at)
        select ${apiKeys.id}, ${reservation.key}, ${reservation.fingerprint}, ${reservation.operationId}, ${at}
        from ${apiKeys} cross join ${workspaces} on ${workspaces.id} = ${apiKeys.workspace_id}
        where ${apiKeys.id} = ${reservation.apiKeyId} and ${apiKeys.access} = 'full' and ${apiKeys.revoked_at} is null
          and (${apiKeys.expires_at} is null or ${apiKeys.expires_at} > ${at}) and ${workspaces.suspended_at} is null
        on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint,
          operation_id = excluded.operation_id, started_at = excluded.started_at, status = null, body = null, etag = null
        where ${idempotencyKeys.started_at} < case when ${idempotencyKeys.status} is null
          then ${runningSince} else ${endedSince} end`),
);

const whereKey = ({ apiKeyId, key }: Reservation) =>
  and(eq(idempotencyKeys.api_key_id, apiKeyId), eq(idempotencyKeys.key, key));

export const selectHolder = prepared((reservation: Reservation) =>
  orm.select().from(idempotencyKeys).where(whereKey(reservation)),
);

const whereReserved = (reservation: Reservation) =>
  and(whereKey(reservation), eq(idempotencyKeys.operation_id, reservation.operationId));

export const ensureReserved = prepared((reservation: Reservation) =>
  abortUnless(sql`exists (select 1 from ${idempotencyKeys} where ${whereReserved(reservation)})`),
);

/** The request still has the key reserved, and no answer is stored. */
const whereRunning = (reservation: Reservation) =>
  and(whereReserved(reservation), isNull(idempotencyKeys.status));

export const updateAnswer = prepared((reservation: Reservation, { status, body, etag }: Answer) =>
  orm
    .update(idempotencyKeys)
    .set({ status: sql`${status}`, body: sql`${body}`, etag: sql`${etag}` })
    .where(whereRunning(reservation)),
);

export const deleteReservation = prepared((reservation: Reservation) =>
  orm.delete(idempotencyKeys).where(whereRunning(reservation)),
);
