import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { fileURLToPath } from "node:url";

/** D1 for plain Node: SQLite in memory, outside of the heap, whose answers come as text as D1's do. */
export function openDatabase(): { sqlite: DatabaseSync; binding: D1Database; spentMs: () => number } {
  let spent = 0;
  const sqlite = new DatabaseSync(":memory:");
  const folder = fileURLToPath(new URL("../../../migrations", import.meta.url));
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort())
    sqlite.exec(readFileSync(join(folder, name), "utf8"));

  interface Bound {
    sql: string;
    params: SQLInputValue[];
  }
  function run({ sql, params }: Bound) {
    const statement = sqlite.prepare(sql);
    const results = JSON.parse(JSON.stringify(statement.all(...params)));
    const { changes } = sqlite.prepare("select changes() as changes").get() as { changes: number };
    return {
      success: true,
      results,
      meta: { changes, duration: 0, rows_read: 0, rows_written: 0, size_after: 0 },
    };
  }
  const prepare = (sql: string) => ({ bind: (...params: SQLInputValue[]): Bound => ({ sql, params }) });
  async function batch(statements: readonly Bound[]) {
    // The time in which D1 answers: other requests go on meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const since = performance.now();
    sqlite.exec("begin");
    try {
      const results = statements.map(run);
      sqlite.exec("commit");
      return results;
    } catch (error) {
      sqlite.exec("rollback");
      throw error;
    } finally {
      spent += performance.now() - since;
    }
  }
  return { sqlite, binding: { prepare, batch } as unknown as D1Database, spentMs: () => spent };
}
