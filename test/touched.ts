import { env } from "cloudflare:test";

// The files of a worker share one database. After a file only its own rows are checked, since checking all would take
// longer than the tests. `npm run test:faults` and `npm run test:long` check everything.

const isWhole = env.PAIRS === "all" || env.LONG !== "";

const newest = new Map<string, number>();

/** Records the newest row of every table. */
export async function beginFile(): Promise<void> {
  if (isWhole) return;
  const { results: tables } = await env.DB.prepare(
    "select name from pragma_table_list where schema = 'main' and type = 'table' and wr = 0 and name not like '_cf%'",
  ).all<{ name: string }>();
  const answers = await env.DB.batch<{ id: number | null }>(
    tables.map(({ name }) => env.DB.prepare(`select max(rowid) as id from "${name}"`)),
  );
  for (const [index, { name }] of tables.entries()) newest.set(name, answers[index]?.results[0]?.id ?? 0);
}

/** The newest row of a table at the start of the file, or 0 to check all. */
export const newestBefore = (table: string): number => newest.get(table) ?? 0;
