import { readdirSync } from "node:fs";

export const MIGRATIONS = "migrations";

/** The names of this release's migrations, as wrangler records them in a database. */
export const listMigrations = (): string[] =>
  readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** Whether a database has been made with migrations that this release does not have. */
export function hasOtherMigrations(applied: readonly string[]): boolean {
  const own = listMigrations();
  return applied.some((name) => !own.includes(name));
}
