import { ServiceError } from "../errors";
import type { Database, ReadStatement, Results, Statement } from "./client";

/** A check that must pass before the request may read or write anything. */
interface Check<S extends readonly Statement<unknown[]>[]> {
  statements: S;
  /** Throws if the request is refused. Runs once. */
  judge: (results: Results<S>) => Promise<void>;
}

export interface CheckedDatabase {
  db: Database;
  /** Sends the check alone if no call has sent it yet. Throws what `judge` throws. */
  assertChecked: () => Promise<void>;
  hasPassed: () => boolean;
}

type Read = readonly ReadStatement[];

/** Returns the results of one read, or throws the error of that read. */
type Outcome = () => Promise<unknown[]>;

/**
 * A database that sends the check with its first call. Reads that begin together share this call, and return after `judge`.
 * A write waits for the check, because its batch would commit before `judge` runs. After a refusal every call throws.
 */
export function withCheck<S extends readonly Statement<unknown[]>[]>(
  db: Database,
  { statements: checks, judge }: Check<S>,
): CheckedDatabase {
  /** Reads that will share the first call. Undefined once the call is sent. */
  let pendingReads: Read[] | undefined;
  /** Resolves once the check has passed. Undefined before the first call and after a failed one. */
  let first: Promise<Outcome[]> | undefined;
  let verdict: "open" | "passed" | "refused" = "open";

  async function pass(results: unknown[]): Promise<void> {
    verdict = "refused";
    await judge(results as Results<S>);
    verdict = "passed";
  }

  /** Sends the check with the reads. If D1 fails, the next call sends the check again. */
  async function send(...reads: readonly Read[]): Promise<unknown[]> {
    try {
      return await db.read<Read>(...checks, ...reads.flat());
    } catch (error) {
      first = undefined;
      throw error;
    }
  }

  async function sendFirst(reads: readonly Read[]): Promise<Outcome[]> {
    await Promise.resolve();
    pendingReads = undefined;
    const results = await send(...reads).catch((error: unknown) => {
      // One of several reads may have failed on its own. Only its caller should get that error, so each is sent again.
      if (reads.length < 2 || error instanceof ServiceError) throw error;
      return undefined;
    });
    if (results === undefined) {
      await pass(await send());
      return reads.map((statements) => () => db.read(...statements));
    }
    await pass(results.splice(0, checks.length));
    return reads.map(({ length }) => {
      const own = results.splice(0, length);
      return async () => own;
    });
  }

  /** Reads that begin in the same tick are sent together. */
  function firstCall(): Promise<Outcome[]> {
    if (first === undefined) {
      pendingReads = [];
      first = sendFirst(pendingReads);
    }
    return first;
  }

  async function assertChecked(): Promise<void> {
    await firstCall();
  }

  async function read(statements: Read): Promise<unknown[]> {
    if (verdict === "passed") return db.read(...statements);
    const call = firstCall();
    if (pendingReads === undefined) {
      if (verdict === "refused") await call;
      return (await Promise.all([db.read(...statements), call]))[0];
    }
    const index = pendingReads.push(statements) - 1;
    const outcome = (await call)[index];
    return outcome === undefined ? [] : outcome();
  }

  return {
    assertChecked,
    hasPassed: () => verdict === "passed",
    db: {
      read: async <S extends Read>(...statements: S) => (await read(statements)) as Results<S>,
      async write(change, statements, ...reads) {
        await assertChecked();
        return db.write(change, statements, ...reads);
      },
      async writeUnaudited(...statements) {
        await assertChecked();
        return db.writeUnaudited(...statements);
      },
      async writeCounted(...statements) {
        await assertChecked();
        return db.writeCounted(...statements);
      },
    },
  };
}
