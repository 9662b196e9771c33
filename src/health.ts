import { sql } from "drizzle-orm";
import type { Env } from "./context";
import { createDatabase, type Statement } from "./db/client";

/** The last migration that the database has: its schema's version. */
const lastMigration: Statement<{ name: string }[]> = (orm) =>
  orm.all<{ name: string }>(sql`select name from d1_migrations order by id desc limit 1`);

/** Whether D1 and KV answer, and which schema D1 has; 503 where either does not. */
export async function handleHealth(env: Env): Promise<Response> {
  const [schema, kv] = await Promise.all([
    createDatabase(env.DB)
      .read(lastMigration)
      .then(([rows]) => rows[0]?.name ?? null)
      .catch(() => null),
    env.KV.get("health").then(
      () => true,
      () => false,
    ),
  ]);
  const healthy = schema !== null && kv;
  return Response.json(
    { status: healthy ? "ok" : "unavailable", schema_version: schema, d1: schema !== null, kv },
    {
      status: healthy ? 200 : 503,
      headers: { "Cache-Control": "no-store", ...(healthy ? {} : { "Retry-After": "5" }) },
    },
  );
}
