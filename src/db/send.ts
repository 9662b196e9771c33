import { sleep } from "../lib/sleep";
import { withTimeout } from "../lib/with-timeout";
import { causeOf, NO_ANSWER, textOf } from "./failure";
import type { Literal } from "./literal";
import { type Meter, newMeter } from "./meter";
import type { ReadStatement, Results, Statement } from "./prepared";

/** The part of D1's binding in use. */
export type Binding = Pick<D1Database, "prepare" | "batch">;

/** By binding, which lives as long as the instance. */
const sizes = new WeakMap<Binding, number>();

/** The size of the database when it last answered this instance; 0 before. */
export const sizeOf = (binding: Binding): number => sizes.get(binding) ?? 0;

export const RETRY_PAUSES_MS = [50, 150];
const NO_REPEAT: readonly number[] = [];

/**
 * The part of the time without an answer that the first try may take. The repeat then finds out whether the first try took
 * effect: its operation id is taken.
 */
const FIRST_TRY = 0.7;

/** Errors of a batch that was sent again, so that an earlier try may have taken effect. */
const ofRepeats = new WeakSet<Error>();

export const isOfRepeat = (error: unknown): boolean => error instanceof Error && ofRepeats.has(error);

/** Sends statements in one batch, and repeats it after each pause if D1 may be reached again. `isCommon` is work for all workspaces. */
export function createSender(
  binding: Binding,
  meter: Meter,
  retryPausesMs: readonly number[] = RETRY_PAUSES_MS,
  isCommon = false,
) {
  async function sendOnce(statements: readonly Literal[], maxMs: number): Promise<D1Result[]> {
    if (statements.length === 0) return [];
    const sentAt = Date.now();
    meter.calls++;
    meter.statements += statements.length;
    const sent = binding.batch(statements.map(({ sql, params }) => binding.prepare(sql).bind(...params)));
    const results = await withTimeout(sent, maxMs, NO_ANSWER).finally(() => {
      meter.milliseconds += Date.now() - sentAt;
    });
    for (const { meta } of results) {
      meter.rowsRead += meta.rows_read;
      meter.duration += meta.duration;
      if (isCommon) meter.common += meta.duration;
      sizes.set(binding, meta.size_after);
    }
    return results;
  }

  return async function send(statements: readonly Literal[], pausesMs = retryPausesMs): Promise<D1Result[]> {
    for (let tries = 0; ; tries++) {
      const pause = pausesMs[tries];
      const maxMs = meter.silenceMs * (tries === 0 && pause !== undefined ? FIRST_TRY : 1);
      const sentAt = Date.now();
      try {
        return await sendOnce(statements, maxMs);
      } catch (error) {
        const cause = causeOf(error);
        if (cause === undefined) {
          if (tries > 0 && error instanceof Error) ofRepeats.add(error);
          throw error;
        }
        const waitedMs = textOf(error) === NO_ANSWER ? maxMs : Date.now() - sentAt;
        meter.silenceMs = Math.max(0, meter.silenceMs - waitedMs);
        if (pause === undefined || tries >= cause.maxRepeats || meter.silenceMs === 0) throw cause.refusal();
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  };
}

/** Calls of D1. Each is one round trip and one transaction. `Any` is a statement, `Read` one that reads or `undefined`. */
export interface Calls<Any extends Statement, Read extends ReadStatement> {
  read: <S extends readonly Read[]>(...statements: S) => Promise<Results<S>>;
  /**
   * Writes without an audit row, then reads. Only for bookkeeping. If D1 loses the answer, the batch is sent again: so each
   * statement must change nothing once it has taken effect, by a guard on the state that it changes or by an id. How many rows
   * changed would be too low then, so only `reads` say what is so.
   */
  writeGuarded: <S extends readonly Read[]>(statements: readonly Any[], ...reads: S) => Promise<Results<S>>;
  /**
   * Writes without an audit row, and never again: 503 if D1 loses the answer, also if the batch took effect. Only for bookkeeping
   * that the next run of a job goes on with. Returns the number of changed rows per statement.
   */
  writeOnce: (...statements: readonly Any[]) => Promise<number[]>;
}

export function createCalls<Any extends Statement, Read extends ReadStatement & (Any | undefined)>(
  send: ReturnType<typeof createSender>,
  toLiteral: (statement: Any) => Literal,
): Calls<Any, Read> {
  async function writeGuarded<S extends readonly Read[]>(writes: readonly Any[], ...reads: S) {
    const sent = [...writes, ...reads.filter((read) => read !== undefined)].map(toLiteral);
    const results = await send(sent);
    const rows = sent
      .slice(writes.length)
      .map(({ mapRows }, index) => mapRows(results[writes.length + index]?.results ?? []));
    return reads.map((read) => (read === undefined ? [] : rows.shift())) as Results<S>;
  }
  return {
    read: (...statements) => writeGuarded([], ...statements),
    writeGuarded,
    async writeOnce(...statements) {
      const results = await send(statements.map(toLiteral), NO_REPEAT);
      return results.map(({ meta }) => meta.changes);
    },
  };
}

/** The part of `Database` that needs neither drizzle nor the schema. */
export type LiteralDatabase = Calls<Literal, Literal<unknown[]>>;

export const createLiteralDatabase = (binding: Binding, meter: Meter = newMeter()): LiteralDatabase =>
  createCalls(createSender(binding, meter), (literal) => literal);
