/** D1 that counts the statements of its batches, and the rows that they read and write. */
export function metered(binding: D1Database) {
  const rows = { read: 0, written: 0, statements: 0 };
  const db = new Proxy(binding, {
    get(target, name) {
      if (name === "batch")
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements);
          rows.statements += results.length;
          for (const { meta } of results) {
            rows.read += meta.rows_read;
            rows.written += meta.rows_written;
          }
          return results;
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { db, rows };
}
