import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";

export const MIGRATIONS = "migrations";
/** The schema that all migrations together make, for the next one. */
export const SNAPSHOT = join(MIGRATIONS, "meta", "snapshot.json");

/** The name of the last migration, which the Worker compares with those of its database. */
export const LAST_MIGRATION = join(MIGRATIONS, "meta", "last.json");

/** The names of this release's migrations, as wrangler records them in a database. */
export const listMigrations = (): string[] =>
  readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** A name such as `0001_colours_1a2b3c4d.sql`. It has the start of the file's SHA-256, so a changed file has a wrong name. */
export const toMigrationName = (number: number, label: string, text: string): string =>
  `${String(number).padStart(4, "0")}_${label}_${createHash("sha256").update(text).digest("hex").slice(0, 8)}.sql`;

/** The migrations of a later release in a database that has all those of this one. They only add, so this release can run. */
export function listLaterMigrations(applied: readonly string[]): string[] {
  const own = listMigrations();
  const last = own.at(-1) ?? "";
  return own.every((name) => applied.includes(name)) ? applied.filter((name) => name > last) : [];
}

/** Whether a database was made with other migrations: neither those of this release nor of a later one. */
export function hasOtherMigrations(applied: readonly string[]): boolean {
  const known = [...listMigrations(), ...listLaterMigrations(applied)];
  return applied.some((name) => !known.includes(name));
}
