import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { getTableName } from "drizzle-orm";
import { schema } from "./schema/all";
import { WITHOUT_ROWID } from "./schema/analytics";

/** drizzle-kit's description of a schema. The next migration is what differs from it. */
type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

/** The index of trigrams that searches read. Drizzle has no virtual tables. */
const LINK_SEARCH =
  "CREATE VIRTUAL TABLE `link_search` USING fts5(slug, title, destination, plain, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');";

/** Adds what drizzle cannot say of a table. */
const withoutRowid = (statement: string): string =>
  WITHOUT_ROWID.some((table) => statement.startsWith(`CREATE TABLE \`${getTableName(table)}\``))
    ? statement.trim().replace(/\);$/, ") WITHOUT ROWID;")
    : statement;

async function toSnapshot(tables: Record<string, unknown>): Promise<Snapshot> {
  // Bundlers order the exports of a module differently.
  const sorted = Object.fromEntries(Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1)));
  // drizzle-kit's ids are random, and another one each time would be a change of the file.
  return { ...(await generateSQLiteDrizzleJson(sorted)), id: "schema", prevId: "" };
}

export async function makeMigration(
  previous: Snapshot | undefined,
  tables: Record<string, unknown> = schema,
): Promise<{ text: string; snapshot: Snapshot }> {
  const snapshot = await toSnapshot(tables);
  const statements = await generateSQLiteMigration(previous ?? (await toSnapshot({})), snapshot);
  if (previous === undefined) statements.push(LINK_SEARCH);
  const text = statements
    .map((statement) => `${withoutRowid(statement).trim()}\n`)
    .join("--> statement-breakpoint\n");
  return { text, snapshot };
}
