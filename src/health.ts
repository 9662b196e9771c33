import { sql } from "drizzle-orm";
import type { Env } from "./context";
import { createDatabase, type Database, type Statement } from "./db/client";
import { within } from "./lib/within";
import { cacheStatus } from "./slugs/status";

const ANSWERS_MS = 5_000;

const migrationNames: Statement<{ name: string }[]> = (orm) =>
  orm.all<{ name: string }>(sql`select name from d1_migrations order by id`);

/** The names of the migrations that the database has, the last one at the end. */
export const readMigrations = async (db: Database): Promise<string[]> => {
  const [rows] = await db.read(migrationNames);
  return rows.map(({ name }) => name);
};

/** The same; null where the database does not answer. */
export const appliedMigrations = (db: Database): Promise<string[] | null> =>
  readMigrations(db).catch(() => null);

/** Whether D1 and KV answer, and which schema D1 has, and how far KV is behind; 503 where either does not. */
export async function handleHealth(env: Env): Promise<Response> {
  const db = createDatabase(env.DB);
  const [migrations, pushes, kv] = await Promise.all([
    within(appliedMigrations(db), ANSWERS_MS).catch(() => null),
    within(cacheStatus({ db, now: Date.now }), ANSWERS_MS).catch(() => null),
    within(env.KV.get("health"), ANSWERS_MS).then(
      () => true,
      () => false,
    ),
  ]);
  const schema = migrations?.at(-1) ?? null;
  const healthy = schema !== null && kv;
  return Response.json(
    { status: healthy ? "ok" : "unavailable", schema_version: schema, d1: schema !== null, kv, pushes },
    {
      status: healthy ? 200 : 503,
      headers: { "Cache-Control": "no-store", ...(healthy ? {} : { "Retry-After": "5" }) },
    },
  );
}
