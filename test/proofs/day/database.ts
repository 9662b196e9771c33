// D1 as SQLite of the same workerd, in this process: a call takes microseconds, and tells the rows that D1 would charge.

/** What caused a call. */
export type Cause = "visit" | "change" | "cron";

export interface Rows {
  calls: number;
  read: number;
  written: number;
  /** Rows written by table. */
  tables: Record<string, number>;
}

export const noRows = (): Rows => ({ calls: 0, read: 0, written: 0, tables: {} });

interface Bound {
  sql: string;
  params: unknown[];
}

/** A trip to the one city where the database is, in milliseconds. */
const TRIP_MS = 60;
/** What D1 says of a statement's duration. */
const DURATION_MS = 0.2;

const WRITTEN_TABLE = /\b(?:insert(?:\s+or\s+\w+)?\s+into|update|delete\s+from|replace\s+into)\s+"?(\w+)/i;

export function createStore(storage: DurableObjectStorage, sleep: (ms: number) => Promise<void>) {
  const { sql } = storage;
  const causes: Record<Cause, Rows> = { visit: noRows(), change: noRows(), cron: noRows() };
  let isOut = false;

  function runOne({ sql: text, params }: Bound, rows: Rows) {
    const cursor = sql.exec(text, ...(params as SqlStorageValue[]));
    const columns = cursor.columnNames;
    const raw = [...cursor.raw()];
    const { rowsRead, rowsWritten } = cursor;
    rows.read += rowsRead;
    rows.written += rowsWritten;
    let changes = 0;
    if (rowsWritten > 0) {
      const table = WRITTEN_TABLE.exec(text)?.[1]?.toLowerCase() ?? "?";
      rows.tables[table] = (rows.tables[table] ?? 0) + rowsWritten;
      changes = Number([...sql.exec("select changes()").raw()][0]?.[0]);
    }
    const meta = {
      changes,
      duration: DURATION_MS,
      last_row_id: 0,
      rows_read: rowsRead,
      rows_written: rowsWritten,
      size_after: sql.databaseSize,
    };
    return { columns, raw, meta };
  }

  async function send(statements: readonly Bound[], rows: Rows) {
    rows.calls++;
    await sleep(TRIP_MS);
    if (isOut) throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
    try {
      return storage.transactionSync(() => statements.map((statement) => runOne(statement, rows)));
    } catch (error) {
      throw new Error(`D1_ERROR: ${(error as Error).message}`);
    }
  }

  type Answer = Awaited<ReturnType<typeof send>>[number];

  const toResult = ({ columns, raw, meta }: Answer) => ({
    success: true,
    meta,
    results: raw.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
  });

  /** A binding whose rows are charged to a cause. A new one is a new instance. */
  function bind(cause: Cause): D1Database {
    const rows = causes[cause];
    const prepare = (text: string, params: unknown[] = []) => {
      const own = { sql: text, params };
      const one = async () => (await send([own], rows))[0] as Answer;
      const all = async () => toResult(await one());
      return {
        ...own,
        bind: (...values: unknown[]) => prepare(text, values),
        all,
        run: all,
        raw: async () => (await one()).raw,
        async first(column?: string) {
          const [row] = (await all()).results;
          return row === undefined ? null : column === undefined ? row : row[column];
        },
      };
    };
    const batch = async (statements: readonly Bound[]) => (await send(statements, rows)).map(toResult);
    return { prepare, batch } as unknown as D1Database;
  }

  return {
    bind,
    causes,
    /** Runs a statement past the service and its clock. */
    run: (text: string, ...params: SqlStorageValue[]) => sql.exec(text, ...params).toArray(),
    /** Takes no time: for what is made before the days begin. */
    instant: (): D1Database => {
      const rows = noRows();
      const batch = async (statements: readonly Bound[]) =>
        storage.transactionSync(() => statements.map((statement) => toResult(runOne(statement, rows))));
      const prepare = (text: string, params: unknown[] = []) => ({
        sql: text,
        params,
        bind: (...values: unknown[]) => prepare(text, values),
      });
      return { prepare, batch } as unknown as D1Database;
    },
    setOut(out: boolean): void {
      isOut = out;
    },
  };
}

export type Store = ReturnType<typeof createStore>;
