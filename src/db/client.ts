import { databaseFull, LostRace, unavailable } from "../errors";
import { type AuditedChange, insertAuditRows } from "./audit";
import { isAlreadyDone, isLostRace } from "./failure";
import { type Meter, newMeter } from "./meter";
import { prepare, type ReadStatement, type Results, type Statement } from "./prepared";
import { type Binding, createSender, NO_REPEAT, sizeOf } from "./send";

export type { AuditedChange, Guard } from "./audit";
export type { ReadStatement, Results, Statement } from "./prepared";

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
   * Writes without an audit row, then reads. Only for bookkeeping. If D1 loses the answer, the batch is sent again: so each
   * statement must change nothing once it has taken effect, by a guard on the state that it changes or by an id. How many rows
   * changed would be too low then, so only `reads` say what is so.
   */
  writeGuarded: <S extends readonly ReadStatement[]>(
    statements: readonly Statement[],
    ...reads: S
  ) => Promise<Results<S>>;
  /**
   * Writes without an audit row, and never again: 503 if D1 loses the answer, also if the batch took effect. Only for bookkeeping
   * that the next run of a job goes on with. Returns the number of changed rows per statement.
   */
  writeOnce: (...statements: readonly Statement[]) => Promise<number[]>;
  /** The size of the database when it last answered this instance; 0 before. */
  bytes: () => number;
  /** Throws 503 if the database is nearly full. What creates rows outside of `write` asks it before. */
  assertRoom: () => void;
  /** How many statements a scheduled job may still send in this run. It stops before, and the next run goes on. */
  statementsLeft: () => number;
  /** The same database, for work that a request does for all workspaces: nobody is charged for it. */
  forEverybody: () => Database;
}

/** The most statements of batches that lost a race. An invocation has 1,000, and reads before each try. */
const MAX_LOST_STATEMENTS = 600;

function toQuery(statement: Statement) {
  const prepared = prepare(statement);
  return { ...prepared.getQuery(), toRows: (result: unknown) => prepared.mapResult(result, true) };
}

export function createDatabase(
  binding: Binding,
  meter: Meter = newMeter(),
  retryPausesMs?: readonly number[],
  isCommon = false,
): Database {
  let lost = 0;
  const send = createSender(binding, meter, retryPausesMs, isCommon);

  /** Sends the writes and the reads in one batch, and returns the rows of each read. */
  async function sendSafely(
    writes: readonly Statement[],
    reads: readonly ReadStatement[],
  ): Promise<unknown[]> {
    const statements = [...writes, ...reads.filter((read) => read !== undefined)];
    const queries = statements.map(toQuery);
    const results = await send(queries);
    const rows = queries.map(({ toRows }, index) => toRows(results[index])).slice(writes.length);
    return reads.map((read) => (read === undefined ? [] : rows.shift()));
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
    async writeGuarded<S extends readonly ReadStatement[]>(statements: readonly Statement[], ...reads: S) {
      return (await sendSafely(statements, reads)) as Results<S>;
    },
    async writeOnce(...statements) {
      const results = await send(statements.map(toQuery), NO_REPEAT);
      return results.map(({ meta }) => meta.changes);
    },
    bytes: () => sizeOf(binding),
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
