import { ServiceError } from "../errors";
import type { Database, Question, Results, Statement } from "./client";

/** What must hold before a request may see or change anything. */
export interface Check<S extends readonly Statement<unknown[]>[]> {
  questions: S;
  /** Throws if the request is refused. Called once. */
  judge: (results: Results<S>) => Promise<void>;
}

export interface CheckedDatabase {
  db: Database;
  /** Asks D1 for the check alone if no call has done so yet. Throws what the judgement throws. */
  assertChecked: () => Promise<void>;
  hasPassed: () => boolean;
}

type Read = readonly Question[];

/** Gives the results of one read, or throws why that one failed. */
type Outcome = () => Promise<unknown[]>;

/**
 * A database whose first call is also that of a check. Reads that begin together share this call, and return only after the
 * judgement. A write waits for the check, since its batch would take effect before the judgement. A request that is refused
 * once is refused by every later call.
 */
export function withCheck<S extends readonly Statement<unknown[]>[]>(
  db: Database,
  { questions: checked, judge }: Check<S>,
): CheckedDatabase {
  /** The reads that share the first call, until it is sent. */
  let gathered: Read[] | undefined;
  /** Resolves when the check has passed. Undefined while nothing has been asked, or D1 has not answered. */
  let first: Promise<Outcome[]> | undefined;
  let verdict: "open" | "passed" | "refused" = "open";

  async function pass(results: unknown[]): Promise<void> {
    verdict = "refused";
    await judge(results as Results<S>);
    verdict = "passed";
  }

  /** Sends reads, and forgets the first call if D1 does not answer, so that a repeat asks for the check again. */
  async function send(...reads: readonly Read[]): Promise<unknown[]> {
    try {
      return await db.read<Read>(...checked, ...reads.flat());
    } catch (error) {
      first = undefined;
      throw error;
    }
  }

  async function ask(reads: readonly Read[]): Promise<Outcome[]> {
    await Promise.resolve();
    gathered = undefined;
    const results = await send(...reads).catch((error: unknown) => {
      // Perhaps one of several reads fails, by a reason of its own. Its caller alone may know what to do about that.
      if (reads.length < 2 || error instanceof ServiceError) throw error;
      return undefined;
    });
    if (results === undefined) {
      await pass(await send());
      return reads.map((questions) => () => db.read(...questions));
    }
    await pass(results.splice(0, checked.length));
    return reads.map(({ length }) => {
      const own = results.splice(0, length);
      return async () => own;
    });
  }

  /** The first call, with the reads that begin before it is sent. */
  function firstCall(): Promise<Outcome[]> {
    if (first === undefined) {
      gathered = [];
      first = ask(gathered);
    }
    return first;
  }

  async function assertChecked(): Promise<void> {
    await firstCall();
  }

  async function read(questions: Read): Promise<unknown[]> {
    if (verdict === "passed") return db.read(...questions);
    const call = firstCall();
    if (gathered === undefined) {
      if (verdict === "refused") await call;
      return (await Promise.all([db.read(...questions), call]))[0];
    }
    const index = gathered.push(questions) - 1;
    const outcome = (await call)[index];
    return outcome === undefined ? [] : outcome();
  }

  return {
    assertChecked,
    hasPassed: () => verdict === "passed",
    db: {
      read: async <Q extends Read>(...questions: Q) => (await read(questions)) as Results<Q>,
      async write(change, statements, ...answers) {
        await assertChecked();
        return db.write(change, statements, ...answers);
      },
      async note(...statements) {
        await assertChecked();
        return db.note(...statements);
      },
      async remove(...statements) {
        await assertChecked();
        return db.remove(...statements);
      },
    },
  };
}
