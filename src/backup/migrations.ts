import type { ServiceContext } from "../context";
import { readMigrations } from "../site/health";

/** The migrations of the database, the last one last. */
export async function getMigrations(ctx: ServiceContext): Promise<string[]> {
  const migrations = await readMigrations(ctx.db);
  if (migrations.length === 0) {
    throw new Error("no such table: the database does not say which migrations it has");
  }
  return migrations;
}
