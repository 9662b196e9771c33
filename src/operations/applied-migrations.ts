import type { Database } from "../db/client";
import { selectMigrations } from "./cron-statements";

/** Names of the applied migrations, oldest first. */
export async function readMigrations(db: Database): Promise<string[]> {
  const [rows] = await db.read(selectMigrations());
  return rows.map(({ name }) => name);
}
