import { AlreadyDone, creationsOff, databaseFull, LostRace, unavailable } from "../errors";
import { type AuditedChange, insertAuditRows, selectTakenOperation } from "./audit";
import { isAlreadyDone, isLostRace } from "./failure";
import { type Meter, newMeter } from "./meter";
import { type ReadStatement, type Results, type Statement, toLiteral } from "./prepared";
import { type Binding, type Calls, createCalls, createSender, isOfRepeat, sizeOf } from "./send";

export type { AuditedChange, Guard } from "./audit";
export type { ReadStatement, Results, Statement } from "./prepared";

export interface Database extends Calls<Statement, ReadStatement> {
  /** Commits the audit row and its guards, then `statements`, then `reads`, and returns the results of `reads`. Throws LostRace if a guard or a constraint fails, and 503 if that has happened too often. */
  write: <S extends readonly ReadStatement[]>(
    change: AuditedChange,
    statements: readonly Statement[],
    ...reads: S
  ) => Promise<Results<S>>;
  /** The size of the database when it last answered this instance; 0 before. */
  bytes: () => number;
  /** Throws 503 if the database is nearly full or creations are off. What creates rows outside of `write` asks it before. */
  assertRoom: () => void;
  /** How many statements a scheduled job may still send in this run. It stops before, and the next run goes on. */
  statementsLeft: () => number;
  /** The same database, for work that a request does for all workspaces: nobody is charged for it. */
  forEverybody: () => Database;
}

/** The most statements of batches that lost a race. An invocation has 1,000, and reads before each try. */
const MAX_LOST_STATEMENTS = 600;

/** Above this part of its size what creates is refused, so that there is room for changes. */
const NEARLY_FULL = 0.95;
/** Above this one only what frees space is allowed. */
const FULL = 0.995;

export const roomIn = (config: { maxDatabaseBytes: number; allowsCreations: boolean }) => ({
  maxBytes: config.maxDatabaseBytes,
  allowsCreations: config.allowsCreations,
});

/** With `maxBytes`, the size that the plan allows, it refuses to create with 503 once it is nearly full; without creations always. */
export function createDatabase(
  binding: Binding,
  meter: Meter = newMeter(),
  retryPausesMs?: readonly number[],
  { isCommon = false, maxBytes = Number.POSITIVE_INFINITY, allowsCreations = true } = {},
): Database {
  const assertBelow = (part: number) => {
    if (sizeOf(binding) >= part * maxBytes) throw databaseFull();
  };
  const assertCreates = () => {
    if (!allowsCreations) throw creationsOff();
  };
  let lost = 0;
  const calls = createCalls<Statement, ReadStatement>(
    createSender(binding, meter, retryPausesMs, isCommon),
    toLiteral,
  );
  return {
    ...calls,
    async write(change, statements, ...reads) {
      if (change.space === "takes" || change.space === "claims") assertCreates();
      if (change.space !== "frees") assertBelow(change.space === "takes" ? NEARLY_FULL : FULL);
      const writes = [...insertAuditRows(change), ...statements];
      try {
        return await calls.writeGuarded(writes, ...reads);
      } catch (error) {
        if (isAlreadyDone(error)) {
          // Only a repeat can meet what this request has done itself.
          if (!isOfRepeat(error)) throw new AlreadyDone();
          const [taken, ...results] = await calls.read(selectTakenOperation(change), ...reads);
          const isOwn = taken.every(({ subject, at }) => subject === change.subject && at === change.at);
          if (isOwn) return results as Results<typeof reads>;
          throw new AlreadyDone();
        }
        if (!isLostRace(error)) throw error;
        lost += writes.length + reads.length;
        throw lost > MAX_LOST_STATEMENTS ? unavailable() : new LostRace();
      }
    },
    bytes: () => sizeOf(binding),
    assertRoom: () => {
      assertCreates();
      assertBelow(NEARLY_FULL);
    },
    statementsLeft: () => Number.POSITIVE_INFINITY,
    forEverybody: () => createDatabase(binding, meter, retryPausesMs, { isCommon: true }),
  };
}
