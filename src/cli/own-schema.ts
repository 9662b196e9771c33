import { readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "../lib/once";
import type { StoredObject } from "../operations/consistency/deep-statements";
import { listLaterMigrations, listMigrations, MIGRATIONS } from "./migrations";
import { openProxy } from "./platform";

/** What drizzle writes between two statements of a migration. */
const BREAKPOINT = "--> statement-breakpoint";
const OBJECTS =
  "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' and name not like '_cf_%'";

/** What this release's migrations make in an empty local database, which is gone afterwards. */
async function makeSchema(): Promise<StoredObject[]> {
  const { env, dispose } = await openProxy({
    configPath: "wrangler.toml",
    persist: false,
    remoteBindings: false,
  });
  try {
    const texts = listMigrations().map((name) => readFileSync(join(MIGRATIONS, name), "utf8"));
    await env.DB.batch(texts.flatMap((text) => text.split(BREAKPOINT)).map((text) => env.DB.prepare(text)));
    return (await env.DB.prepare(OBJECTS).all<StoredObject>()).results;
  } finally {
    await dispose();
  }
}

const madeSchema = once(makeSchema);

/** What this release's migrations make; without the SQL where a database has later ones, which may have changed it. */
export async function readOwnSchema(applied: readonly string[]): Promise<StoredObject[]> {
  const isLater = listLaterMigrations(applied).length > 0;
  return (await madeSchema()).map(({ type, name, sql }) => ({ type, name, sql: isLater ? "" : sql }));
}
