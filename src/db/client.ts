import { fillPlaceholders } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { LostRace, unavailable } from "../errors";
import { newId } from "../lib/ids";
import { sleep } from "../lib/sleep";
import { auditRow, type Change } from "./audit";
import { isAlreadyDone, isLostRace, isOverloaded, isStorageTimeout, isTransient } from "./failure";
import { BoundQuery, type Orm, prepare, type Statement } from "./prepared";

export type { Change } from "./audit";
export type { Guard, Orm, Statement } from "./prepared";

/** What is not asked has no rows. */
export type Question = Statement<unknown[]> | undefined;

export type Results<S extends readonly Question[]> = {
  -readonly [Index in keyof S]: S[Index] extends Statement<infer T> | undefined ? T : never;
};

/** D1 as the services see it: every call is one round trip and one transaction. */
export interface Database {
  read: <S extends readonly Question[]>(...questions: S) => Promise<Results<S>>;
  /** Commits the audit row, then `statements`, then `answers`, whose results are returned; LostRace if a guard or a constraint fails. */
  write: <S extends readonly Question[]>(
    change: Change,
    statements: readonly Statement[],
    ...answers: S
  ) => Promise<Results<S>>;
  /** A write that is no change of a tenant's data and so leaves no audit row: bookkeeping. */
  note: (...statements: readonly Statement[]) => Promise<void>;
  /** The same, for statements that remove: how many rows each has. After a lost answer it may say fewer. */
  remove: (...statements: readonly Statement[]) => Promise<number[]>;
}

/** What a request has cost in D1 so far. */
export interface Meter {
  calls: number;
  rowsRead: number;
  milliseconds: number;
}

/** What a database needs of D1's binding. */
export type Binding = Pick<D1Database, "prepare" | "batch">;

/** Puts queries into SQL; what is sent goes to the binding itself, in batches. */
const orm: Orm = drizzle({ prepare: () => undefined } as unknown as D1Database);

const RETRY_PAUSES_MS = [50, 150];

export function createDatabase(
  binding: Binding,
  meter: Meter = { calls: 0, rowsRead: 0, milliseconds: 0 },
  retryPausesMs: readonly number[] = RETRY_PAUSES_MS,
): Database {
  async function send(statements: readonly Statement[], changed: number[]): Promise<unknown[]> {
    if (statements.length === 0) return [];
    const queries = statements.map((statement) => {
      const query = statement(orm);
      return { prepared: prepare(query), values: query instanceof BoundQuery ? query.values : {} };
    });
    const sentAt = Date.now();
    meter.calls++;
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
    for (const { meta } of results) meter.rowsRead += meta.rows_read;
    changed.push(...results.map(({ meta }) => meta.changes));
    return queries.map(({ prepared }, index) => prepared.mapResult(results[index], true));
  }

  /** `changed` is given how many rows each statement has changed. */
  async function sendSafely(statements: readonly Statement[], changed: number[] = []): Promise<unknown[]> {
    for (let tries = 0; ; tries++) {
      try {
        return await send(statements, changed);
      } catch (error) {
        const pause = retryPausesMs[tries];
        const again = isTransient(error) || (isStorageTimeout(error) && tries === 0);
        if (!again || pause === undefined) {
          throw again || isOverloaded(error) || isStorageTimeout(error) ? unavailable() : error;
        }
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  }

  /** The rows of each question behind the statements. */
  async function ask(statements: readonly Statement[], questions: readonly Question[]): Promise<unknown[]> {
    const asked = questions.filter((question) => question !== undefined);
    const results = (await sendSafely([...statements, ...asked])).slice(statements.length);
    return questions.map((question) => (question === undefined ? [] : results.shift()));
  }

  return {
    async read<S extends readonly Question[]>(...questions: S) {
      return (await ask([], questions)) as Results<S>;
    },
    async write<S extends readonly Question[]>(
      change: Change,
      statements: readonly Statement[],
      ...answers: S
    ) {
      const audit = auditRow(newId(change.at), change);
      try {
        return (await ask([audit, ...statements], answers)) as Results<S>;
      } catch (error) {
        if (isAlreadyDone(error)) return (await ask([], answers)) as Results<S>;
        if (isLostRace(error)) throw new LostRace();
        throw error;
      }
    },
    async note(...statements) {
      await sendSafely(statements);
    },
    async remove(...statements) {
      const removed: number[] = [];
      await sendSafely(statements, removed);
      return removed;
    },
  };
}
