import type { Database, Question, Results, Statement } from "./client";

/** What must hold before a request may see or change anything. */
export interface Check<S extends readonly Statement<unknown[]>[]> {
  questions: S;
  /** Throws where the request is refused. */
  judge: (results: Results<S>) => Promise<void>;
}

export interface CheckedDatabase {
  db: Database;
  /** Asks D1 for the check alone where no call has asked for it yet. Throws what the judgement throws. */
  assertChecked: () => Promise<void>;
}

/**
 * A database whose first call is also that of a check: reads take its questions along, and their results are returned only
 * after the judgement. A write waits for the check, since its batch takes effect before the judgement. A request that is
 * refused once is refused by every later call.
 */
export function withCheck<S extends readonly Statement<unknown[]>[]>(
  db: Database,
  { questions: checked, judge }: Check<S>,
): CheckedDatabase {
  let judged: Promise<void> | undefined;
  const judgeOnce = (results: Results<S>): Promise<void> => {
    judged ??= judge(results);
    return judged;
  };

  async function assertChecked(): Promise<void> {
    await (judged ?? judgeOnce(await db.read(...checked)));
  }

  return {
    assertChecked,
    db: {
      async read<Q extends readonly Question[]>(...questions: Q) {
        if (judged !== undefined) {
          await judged;
          return db.read(...questions);
        }
        const results: unknown[] = await db.read<readonly Question[]>(...checked, ...questions);
        await judgeOnce(results.slice(0, checked.length) as Results<S>);
        return results.slice(checked.length) as Results<Q>;
      },
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
