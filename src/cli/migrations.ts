import { readdirSync } from "node:fs";

export const MIGRATIONS = "migrations";

/** The names of this release's migrations, as wrangler records them in a database. */
export const listMigrations = (): string[] =>
  readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();
