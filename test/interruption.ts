import { env } from "cloudflare:test";
import { type Binding, createDatabase, type Database } from "../src/db/client";
import { CONNECTION_LOST, overriding } from "./faulty";

// One call of D1 or KV among many that fails, once or for good.

/** `lost`: the call fails, and the next one goes through. `killed`: it takes effect, and nothing goes through any more. */
export type Way = "lost before" | "lost after" | "killed";

const WAYS: readonly Way[] = ["lost before", "lost after", "killed"];

export interface Interruption {
  /** The number of the call, counted from 1. */
  at: number;
  way: Way;
}

/** Something that happens while a call waits to be sent. */
export interface Meanwhile {
  at: number;
  meanwhile: () => Promise<unknown>;
}

export const KILLED = "the process was killed";

/** Whether `npm run test:faults` asks for every case. */
export const isWhole = env.PAIRS === "all";

/** What every case may take on a busy machine. */
export const WHOLE_MS = 900_000;

const NO_PAUSES = [0, 0, 0];

/** Bindings of a process that is interrupted at one of their calls, or only counts them. */
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
      // The operator's command repeats what it lists; nothing here does.
      list: (...args: Parameters<KVNamespace["list"]>) => go(() => kv.list(...args), true),
    }),
  };
}

/** Each of so many calls interrupted in every way; in an ordinary run about `most` of these cases, of all ways and all along. */
export function interruptions(calls: number, most: number): Interruption[] {
  const all = Array.from({ length: calls }, (_, index) => WAYS.map((way) => ({ at: index + 1, way }))).flat();
  return all.filter((_, index) => index % stepOf(all.length, most) === 0);
}

/** The distance between the cases of an ordinary run; no multiple of three, so that it meets every way. */
export const stepOf = (cases: number, most: number): number =>
  isWhole ? 1 : 3 * Math.ceil(cases / most / 3) + 1;

/** Says what a whole run has counted, for test/RELIABILITY.md; an ordinary run says nothing. */
export function figures(text: string): void {
  if (isWhole) console.error(text);
}
