import { createDatabase, type Database } from "../src/db/client";
import type { Binding } from "../src/db/send";
import { CONNECTION_LOST } from "./faulty";
import { overriding } from "./overriding";

// Calls of D1 or KV fail, once or permanently.

/** `lost`: a call fails, and its retry does not. `killed`: the call takes effect and all later ones fail. */
export type Way = "lost before" | "lost after" | "killed";

const LOSSES: readonly Way[] = ["lost before", "lost after"];

export interface Interruption {
  /** The number of the call, counted from 1. A retry has no number. */
  at: number;
  way: Way;
  /** After how many calls another one is lost. */
  every?: number;
}

/** A lost call is retried, so one run can lose many. Few enough that each retry succeeds and most calls are not lost. */
const EVERY = 5;

/** Runs before the call is sent. */
export interface Meanwhile {
  at: number;
  meanwhile: () => Promise<unknown>;
}

export const KILLED = "the process was killed";

/** The time limit of a case on a busy machine. */
export const WHOLE_MS = 900_000;

const NO_PAUSES = [0, 0, 0];

function isHit(interruption: Interruption | Meanwhile, call: number): boolean {
  const { at } = interruption;
  const every = "every" in interruption ? interruption.every : undefined;
  return call === at || (every !== undefined && call > at && (call - at) % every === 0);
}

/** Bindings that interrupt the process at one call, or only count the calls. */
export function interrupted(db: D1Database, kv: KVNamespace, interruption?: Interruption | Meanwhile) {
  const seen = { calls: 0, isKilled: false, lost: [] as number[] };

  async function go<T>(run: () => Promise<T>, isRepeatedElsewhere = false): Promise<T> {
    if (seen.isKilled) throw new Error(KILLED);
    seen.calls++;
    if (interruption === undefined || !isHit(interruption, seen.calls)) return run();
    if ("meanwhile" in interruption) {
      await interruption.meanwhile();
      return run();
    }
    const { way } = interruption;
    seen.isKilled = way === "killed";
    if (!seen.isKilled) seen.lost.push(seen.calls);
    if (!seen.isKilled && isRepeatedElsewhere) return run();
    if (way !== "lost before") await run();
    throw new Error(seen.isKilled ? KILLED : CONNECTION_LOST);
  }

  // Calls run concurrently, so a retry is recognised by its statements, and not by its place.
  const texts = new WeakMap<D1PreparedStatement, string>();
  const lostTexts = new Set<string>();
  async function batch<T>(statements: D1PreparedStatement[]) {
    const run = () => db.batch<T>(statements);
    const text = statements.map((statement) => texts.get(statement)).join();
    if (lostTexts.delete(text) && !seen.isKilled) return run();
    try {
      return await go(run);
    } catch (error) {
      if (error instanceof Error && error.message === CONNECTION_LOST) lostTexts.add(text);
      throw error;
    }
  }

  function prepare(query: string): D1PreparedStatement {
    const statement = db.prepare(query);
    return overriding(statement, {
      bind: (...values: unknown[]) => {
        const bound = statement.bind(...values);
        texts.set(bound, query + JSON.stringify(values));
        return bound;
      },
    });
  }

  const binding: Binding = { prepare, batch };
  const database: Database = createDatabase(binding, undefined, NO_PAUSES);
  return {
    seen,
    db: database,
    kv: overriding(kv, {
      put: (...args: Parameters<KVNamespace["put"]>) => go(() => kv.put(...args)),
      delete: (...args: Parameters<KVNamespace["delete"]>) => go(() => kv.delete(...args)),
      // Only the operator's command retries here.
      list: (...args: Parameters<KVNamespace["list"]>) => go(() => kv.list(...args), true),
    }),
  };
}

/** Loses each call before and after its effect, several in a run, and ends a process at each. */
export function interruptions(calls: number): Interruption[] {
  const starts = Array.from({ length: Math.min(EVERY, calls) }, (_, index) => index + 1);
  const ends = Array.from({ length: calls }, (_, index) => index + 1);
  return [
    ...starts.flatMap((at) => LOSSES.map((way): Interruption => ({ at, way, every: EVERY }))),
    ...ends.map((at): Interruption => ({ at, way: "killed" })),
  ];
}

/** The calls that no run has lost in a way that runs have lost calls in. */
export function neverLost(calls: number, runs: readonly { way: Way; lost: readonly number[] }[]): unknown[] {
  return LOSSES.flatMap((way) => {
    const lost = new Set(runs.filter((run) => run.way === way).flatMap((run) => run.lost));
    const all = lost.size === 0 ? [] : Array.from({ length: calls }, (_, index) => index + 1);
    return all.filter((call) => !lost.has(call)).map((call) => `${call} ${way}`);
  });
}

/** Prints the counts of a run for test/RELIABILITY.md. */
export const figures = (text: string): void => console.error(text);
