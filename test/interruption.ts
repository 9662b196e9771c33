import { env } from "cloudflare:test";
import { type Binding, createDatabase, type Database } from "../src/db/client";
import { CONNECTION_LOST, overriding } from "./faulty";

// One of many calls of D1 or KV fails, once or permanently.

/** `lost`: one call fails. `killed`: the call takes effect and all later ones fail. */
export type Way = "lost before" | "lost after" | "killed";

const WAYS: readonly Way[] = ["lost before", "lost after", "killed"];

export interface Interruption {
  /** The number of the call, counted from 1. */
  at: number;
  way: Way;
}

/** Runs before the call is sent. */
export interface Meanwhile {
  at: number;
  meanwhile: () => Promise<unknown>;
}

export const KILLED = "the process was killed";

/** Whether `npm run test:faults` asks for every case. */
export const isWhole = env.PAIRS === "all";

/** The time limit of a case on a busy machine. */
export const WHOLE_MS = 900_000;

const NO_PAUSES = [0, 0, 0];

/** Bindings that interrupt the process at one call, or only count the calls. */
export function interrupted(db: D1Database, kv: KVNamespace, interruption?: Interruption | Meanwhile) {
  const seen = { calls: 0, isKilled: false };

  async function go<T>(run: () => Promise<T>, isRepeatedElsewhere = false): Promise<T> {
    if (seen.isKilled) throw new Error(KILLED);
    if (++seen.calls !== interruption?.at) return run();
    if ("meanwhile" in interruption) {
      await interruption.meanwhile();
      return run();
    }
    const { way } = interruption;
    seen.isKilled = way === "killed";
    if (!seen.isKilled && isRepeatedElsewhere) return run();
    if (way !== "lost before") await run();
    throw new Error(seen.isKilled ? KILLED : CONNECTION_LOST);
  }

  const binding: Binding = {
    prepare: (statement) => db.prepare(statement),
    batch: <T>(statements: D1PreparedStatement[]) => go(() => db.batch<T>(statements)),
  };
  const database: Database = createDatabase(binding, undefined, NO_PAUSES);
  return {
    seen,
    db: database,
    kv: overriding(kv, {
      put: (...args: Parameters<KVNamespace["put"]>) => go(() => kv.put(...args)),
      // Only the operator's command retries here.
      list: (...args: Parameters<KVNamespace["list"]>) => go(() => kv.list(...args), true),
    }),
  };
}

/** Interrupts each call in every way. `npm test` takes about `most` cases, spread evenly. */
export function interruptions(calls: number, most: number): Interruption[] {
  const all = Array.from({ length: calls }, (_, index) => WAYS.map((way) => ({ at: index + 1, way }))).flat();
  return all.filter((_, index) => index % stepOf(all.length, most) === 0);
}

/** The step between the cases of `npm test`. Not a multiple of three, so that every way occurs. */
export const stepOf = (cases: number, most: number): number =>
  isWhole ? 1 : 3 * Math.ceil(cases / most / 3) + 1;

/** Prints the counts of a full run for test/RELIABILITY.md. */
export function figures(text: string): void {
  if (isWhole) console.error(text);
}
