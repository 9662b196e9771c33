import { sleep } from "../../src/lib/sleep";

/** How often a batch is tried while another process holds the lock of the local database. */
const TRIES = 100;
const PAUSE_MS = 100;

interface Plain {
  statement: string;
  params: readonly unknown[];
}

/**
 * D1 behind wrangler's proxy, with statements that are plain objects until a batch takes them. Otherwise each `prepare`,
 * `bind` and method of a statement is a blocking request. The thread that sends it stores its result and then notifies; a
 * late notification wakes the next request before its answer has come, and miniflare's assertion fails on a busy machine.
 */
export function withoutBlocking(db: D1Database): D1Database {
  const batch = async (statements: readonly Plain[], tries = TRIES): Promise<D1Result[]> => {
    try {
      return await db.batch(statements as unknown as D1PreparedStatement[]);
    } catch (error) {
      // A locked database has run nothing, so the batch can be sent again.
      if (!String(error).includes("SQLITE_BUSY") || tries <= 1) throw error;
      await sleep(PAUSE_MS);
      return await batch(statements, tries - 1);
    }
  };
  const prepare = (statement: string, params: readonly unknown[] = []) => {
    const run = async () => {
      const [result] = await batch([{ statement, params }]);
      if (result === undefined) throw new Error("The batch has no result.");
      return result;
    };
    return {
      statement,
      params,
      bind: (...values: unknown[]) => prepare(statement, values),
      run,
      all: run,
      async first(column?: string) {
        const [row] = (await run()).results as Record<string, unknown>[];
        return row === undefined ? null : column === undefined ? row : row[column];
      },
    };
  };
  const toPlain = ({ statement, params }: Plain): Plain => ({ statement, params });
  return {
    prepare,
    batch: (statements: readonly Plain[]) => batch(statements.map(toPlain)),
  } as unknown as D1Database;
}
