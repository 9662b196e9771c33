import { sleep } from "../lib/sleep";
import { withTimeout } from "../lib/with-timeout";
import { causeOf, NO_ANSWER, textOf } from "./failure";
import type { Literal } from "./literal";
import { type Meter, newMeter } from "./meter";
import type { Results } from "./prepared";

/** The part of D1's binding in use. */
export type Binding = Pick<D1Database, "prepare" | "batch">;

/** By binding, which lives as long as the instance. */
const sizes = new WeakMap<Binding, number>();

/** The size of the database when it last answered this instance; 0 before. */
export const sizeOf = (binding: Binding): number => sizes.get(binding) ?? 0;

export const RETRY_PAUSES_MS = [50, 150];
/** The pauses of what is sent once. */
export const NO_REPEAT: readonly number[] = [];

/**
 * The part of the time without an answer that the first try may take. The repeat then finds out whether the first try took
 * effect: its operation id is taken.
 */
const FIRST_TRY = 0.7;

interface Query {
  sql: string;
  params: readonly unknown[];
}

/** Sends queries in one batch, and repeats it after each pause if D1 may be reached again. `isCommon` is work for all workspaces. */
export function createSender(
  binding: Binding,
  meter: Meter,
  retryPausesMs: readonly number[] = RETRY_PAUSES_MS,
  isCommon = false,
) {
  async function sendOnce(queries: readonly Query[], maxMs: number): Promise<D1Result[]> {
    if (queries.length === 0) return [];
    const sentAt = Date.now();
    meter.calls++;
    meter.statements += queries.length;
    const sent = binding.batch(queries.map(({ sql, params }) => binding.prepare(sql).bind(...params)));
    const results = await withTimeout(sent, maxMs, NO_ANSWER).finally(() => {
      meter.milliseconds += Date.now() - sentAt;
    });
    for (const { meta } of results) {
      meter.rowsRead += meta.rows_read;
      meter.duration += meta.duration;
      if (isCommon) meter.common += meta.duration;
      else meter.rowsWritten += meta.rows_written;
      sizes.set(binding, meta.size_after);
    }
    return results;
  }

  return async function send(queries: readonly Query[], pausesMs = retryPausesMs): Promise<D1Result[]> {
    for (let tries = 0; ; tries++) {
      const pause = pausesMs[tries];
      const maxMs = meter.silenceMs * (tries === 0 && pause !== undefined ? FIRST_TRY : 1);
      const sentAt = Date.now();
      try {
        return await sendOnce(queries, maxMs);
      } catch (error) {
        const cause = causeOf(error);
        if (cause === undefined) throw error;
        const waitedMs = textOf(error) === NO_ANSWER ? maxMs : Date.now() - sentAt;
        meter.silenceMs = Math.max(0, meter.silenceMs - waitedMs);
        if (pause === undefined || tries >= cause.maxRepeats || meter.silenceMs === 0) throw cause.refusal();
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  };
}

/** The part of `Database` that needs neither drizzle nor the schema. */
export interface LiteralDatabase {
  read: <S extends readonly Literal<unknown[]>[]>(...statements: S) => Promise<Results<S>>;
  writeGuarded: <S extends readonly Literal<unknown[]>[]>(
    statements: readonly Literal[],
    ...reads: S
  ) => Promise<Results<S>>;
  writeOnce: (...statements: readonly Literal[]) => Promise<number[]>;
}

export function createLiteralDatabase(binding: Binding, meter: Meter = newMeter()): LiteralDatabase {
  const send = createSender(binding, meter);
  const sendAll = (statements: readonly Literal[], pausesMs?: readonly number[]) =>
    send(
      statements.map((one) => one.getQuery()),
      pausesMs,
    );
  const rowsOf = (results: readonly D1Result[]) => results.map(({ results: rows }) => rows);
  return {
    async read<S extends readonly Literal<unknown[]>[]>(...statements: S) {
      return rowsOf(await sendAll(statements)) as Results<S>;
    },
    async writeGuarded<S extends readonly Literal<unknown[]>[]>(statements: readonly Literal[], ...reads: S) {
      return rowsOf(await sendAll([...statements, ...reads])).slice(statements.length) as Results<S>;
    },
    writeOnce: async (...statements) =>
      (await sendAll(statements, NO_REPEAT)).map(({ meta }) => meta.changes),
  };
}
