import { fillPlaceholders } from "drizzle-orm";
import { databaseFull, LostRace, unavailable } from "../errors";
import { sleep } from "../lib/sleep";
import { type AuditedChange, insertAuditRows } from "./audit";
import { isAlreadyDone, isFull, isLostRace, isOverloaded, isStorageTimeout, isTransient } from "./failure";
import { BoundQuery, prepare, type Statement } from "./prepared";

export type { AuditedChange, Guard } from "./audit";
export type { Statement } from "./prepared";

/** `undefined` yields an empty list. */
export type ReadStatement = Statement<unknown[]> | undefined;

export type Results<S extends readonly ReadStatement[]> = {
  -readonly [Index in keyof S]: S[Index] extends Statement<infer T> | undefined ? T : never;
};

/** D1 for services. Every call is one round trip and one transaction. */
export interface Database {
  read: <S extends readonly ReadStatement[]>(...statements: S) => Promise<Results<S>>;
  /** Commits the audit row and its guards, then `statements`, then `reads`, and returns the results of `reads`. Throws LostRace if a guard or a constraint fails, and 503 if that has happened too often. */
  write: <S extends readonly ReadStatement[]>(
    change: AuditedChange,
    statements: readonly Statement[],
    ...reads: S
  ) => Promise<Results<S>>;
  /**
   * Writes without an audit row. Only for bookkeeping, never for a tenant's data. Returns the number of changed rows per
   * statement, which is too low after a retry.
   */
  writeUnaudited: (...statements: readonly Statement[]) => Promise<number[]>;
  /** The size of the database when it last answered this instance; 0 before. */
  bytes: () => number;
  /** Throws 503 if the database is nearly full. What creates rows outside of `write` asks it before. */
  assertRoom: () => void;
  /** How many statements a scheduled job may still send in this run. It stops before, and the next run goes on. */
  statementsLeft: () => number;
  /** The same database, for work that a request does for all workspaces: nobody is charged for it. */
  forEverybody: () => Database;
}

/** What a request costs in D1 and KV. */
export const newMeter = () => ({
  calls: 0,
  /** Each statement of a batch counts, since Cloudflare does not document whether it does. */
  statements: 0,
  rowsRead: 0,
  /** D1's own, without waiting. */
  duration: 0,
  /** The part of it that was work for all workspaces. */
  common: 0,
  kvWrites: 0,
  mails: 0,
  /** Of stored answers and rules, beyond what is ordinary. */
  extraBytes: 0,
  /** With waiting. */
  milliseconds: 0,
});

export type Meter = ReturnType<typeof newMeter>;

/** Of an answer that is stored, or of rules that change. */
const ORDINARY_BYTES = 8 * 1024;

/** Charges what is stored beyond what is ordinary, since it fills the database. */
export function chargeStored(meter: Meter | undefined, bytes: number): void {
  if (meter !== undefined) meter.extraBytes += Math.max(0, bytes - ORDINARY_BYTES);
}

/** The part of D1's binding in use. */
export type Binding = Pick<D1Database, "prepare" | "batch">;

/** By binding, which lives as long as the instance. */
const sizes = new WeakMap<Binding, number>();

const RETRY_PAUSES_MS = [50, 150];

/** The most statements of batches that lost a race. An invocation has 1,000, and reads before each try. */
const MAX_LOST_STATEMENTS = 600;

export function createDatabase(
  binding: Binding,
  meter: Meter = newMeter(),
  retryPausesMs: readonly number[] = RETRY_PAUSES_MS,
  isCommon = false,
): Database {
  let lost = 0;

  async function send(statements: readonly Statement[], changed: number[]): Promise<unknown[]> {
    if (statements.length === 0) return [];
    const queries = statements.map((statement) => ({
      prepared: prepare(statement),
      values: statement instanceof BoundQuery ? statement.values : {},
    }));
    const sentAt = Date.now();
    meter.calls++;
    meter.statements += queries.length;
    const results = await binding
      .batch(
        queries.map(({ prepared, values }) => {
          const { sql, params } = prepared.getQuery();
          return binding.prepare(sql).bind(...fillPlaceholders(params, values));
        }),
      )
      .finally(() => {
        meter.milliseconds += Date.now() - sentAt;
      });
    for (const { meta } of results) {
      meter.rowsRead += meta.rows_read;
      meter.duration += meta.duration;
      if (isCommon) meter.common += meta.duration;
      sizes.set(binding, meta.size_after);
    }
    changed.push(...results.map(({ meta }) => meta.changes));
    return queries.map(({ prepared }, index) => prepared.mapResult(results[index], true));
  }

  /**
   * Sends the writes and the reads in one batch, and returns the rows of each read. Appends the number of changed rows per
   * statement to `changed`.
   */
  async function sendSafely(
    writes: readonly Statement[],
    reads: readonly ReadStatement[],
    changed: number[] = [],
  ): Promise<unknown[]> {
    const statements = [...writes, ...reads.filter((read) => read !== undefined)];
    for (let tries = 0; ; tries++) {
      try {
        const results = (await send(statements, changed)).slice(writes.length);
        return reads.map((read) => (read === undefined ? [] : results.shift()));
      } catch (error) {
        if (isFull(error)) throw databaseFull();
        const pause = retryPausesMs[tries];
        const canRetry = isTransient(error) || (isStorageTimeout(error) && tries === 0);
        if (!canRetry || pause === undefined) {
          throw canRetry || isOverloaded(error) || isStorageTimeout(error) ? unavailable() : error;
        }
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  }

  return {
    async read<S extends readonly ReadStatement[]>(...statements: S) {
      return (await sendSafely([], statements)) as Results<S>;
    },
    async write<S extends readonly ReadStatement[]>(
      change: AuditedChange,
      statements: readonly Statement[],
      ...reads: S
    ) {
      const writes = [...insertAuditRows(change), ...statements];
      try {
        return (await sendSafely(writes, reads)) as Results<S>;
      } catch (error) {
        if (isAlreadyDone(error)) return (await sendSafely([], reads)) as Results<S>;
        if (!isLostRace(error)) throw error;
        lost += writes.length + reads.length;
        throw lost > MAX_LOST_STATEMENTS ? unavailable() : new LostRace();
      }
    },
    async writeUnaudited(...statements) {
      const changed: number[] = [];
      await sendSafely(statements, [], changed);
      return changed;
    },
    bytes: () => sizes.get(binding) ?? 0,
    assertRoom: () => undefined,
    statementsLeft: () => Number.POSITIVE_INFINITY,
    forEverybody: () => createDatabase(binding, meter, retryPausesMs, true),
  };
}

/** Above this part of its size what creates is refused, so that there is room for changes. */
const NEARLY_FULL = 0.95;
const CREATES = /\.(?:create|import|add|invite|rotate)$/;
/** Above this one every change but these is refused, so that there is room for them. People sign in to delete. */
const FULL = 0.995;
const FREES =
  /\.(?:delete|remove|release|revoke|end|end_session|sign_in|sign_out|suspend|takedown|taken_down|drop_slug)$/;

/** A database that refuses to create with 503 once it is nearly full. `maxBytes` is the size that the plan allows. */
export function withRoom(db: Database, maxBytes: number): Database {
  const assertBelow = (part: number) => {
    if (db.bytes() >= part * maxBytes) throw databaseFull();
  };
  const assertRoom = () => assertBelow(NEARLY_FULL);
  return {
    ...db,
    assertRoom,
    async write(change, statements, ...reads) {
      if (CREATES.test(change.action)) assertRoom();
      if (!FREES.test(change.action)) assertBelow(FULL);
      return db.write(change, statements, ...reads);
    },
  };
}
