import { overriding } from "./overriding";

/** D1 that counts the statements of its batches, and the rows that they read and write. */
export function metered(binding: D1Database) {
  const rows = { read: 0, written: 0, statements: 0 };
  const db = overriding(binding, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await binding.batch(statements);
      rows.statements += results.length;
      for (const { meta } of results) {
        rows.read += meta.rows_read;
        rows.written += meta.rows_written;
      }
      return results;
    },
  });
  return { db, rows };
}
