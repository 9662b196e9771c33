import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { schema } from "./schema/all";

/** The index of trigrams that searches read. Drizzle has no virtual tables. */
const LINK_SEARCH =
  "CREATE VIRTUAL TABLE `link_search` USING fts5(slug, title, destination, plain, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');";

async function nameOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const start = [...digest.slice(0, 4)].map((byte) => byte.toString(16).padStart(2, "0"));
  return `0000_first_${start.join("")}.sql`;
}

/** The one migration, made of the schema. Its name holds the start of its SHA-256, so another schema has another name. */
export async function makeFirstMigration(): Promise<{ name: string; text: string }> {
  // Bundlers order the exports of a module differently.
  const tables = Object.fromEntries(Object.entries(schema).sort(([a], [b]) => (a < b ? -1 : 1)));
  const [nothing, everything] = await Promise.all([
    generateSQLiteDrizzleJson({}),
    generateSQLiteDrizzleJson(tables),
  ]);
  const statements = [...(await generateSQLiteMigration(nothing, everything)), LINK_SEARCH];
  const text = `${statements.map((statement) => statement.trim()).join("\n--> statement-breakpoint\n")}\n`;
  return { name: await nameOf(text), text };
}
