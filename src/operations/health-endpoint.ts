import { sql } from "drizzle-orm";
import type { Env } from "../context";
import { createDatabase, type Database } from "../db/client";
import { orm } from "../db/prepared";
import { withTimeout } from "../lib/with-timeout";
import { cacheStatus } from "../redirect/slugs/cache-status";

const TIMEOUT_MS = 5_000;
const MEMORY_MS = 5_000;
const SHARED_WAIT_MS = 2_000;

const migrationNames = orm.all<{ name: string }>(sql`select name from d1_migrations order by id`);

/** Names of the applied migrations, oldest first. */
export const readMigrations = async (db: Database): Promise<string[]> => {
  const [rows] = await db.read(migrationNames);
  return rows.map(({ name }) => name);
};

type Report = Awaited<ReturnType<typeof check>>;

interface Check {
  kv: KVNamespace;
  startedAt: number;
  report: Promise<Report>;
}

/** The last check of an instance, by its binding of D1. */
const checks = new WeakMap<D1Database, Check>();

/** The last check, unless it is more than five seconds old. */
function findRecent({ DB, KV }: Env): Check | undefined {
  const last = checks.get(DB);
  const age = last?.kv === KV ? Date.now() - last.startedAt : -1;
  return age >= 0 && age < MEMORY_MS ? last : undefined;
}

async function check(env: Env) {
  const db = createDatabase(env.DB);
  const [migrations, pushes, kv] = await Promise.all([
    withTimeout(readMigrations(db), TIMEOUT_MS).catch(() => null),
    withTimeout(cacheStatus({ db, now: Date.now }), TIMEOUT_MS).catch(() => null),
    withTimeout(env.KV.get("health"), TIMEOUT_MS).then(
      () => true,
      () => false,
    ),
  ]);
  const schema = migrations?.at(-1) ?? null;
  const isHealthy = schema !== null && kv;
  return {
    status: isHealthy ? "ok" : "unavailable",
    schema_version: schema,
    d1: schema !== null,
    kv,
    pushes,
  };
}

/** The state of D1 and KV, at most five seconds old. Concurrent requests share one check. */
async function currentReport(env: Env): Promise<Report> {
  let abandoned: Check | undefined;
  for (let last = findRecent(env); last !== undefined && last !== abandoned; last = findRecent(env)) {
    // If the request that started the check is cancelled, its promise may never settle.
    const shared = await withTimeout(last.report, SHARED_WAIT_MS).catch(() => undefined);
    if (shared !== undefined) return shared;
    abandoned = last;
  }
  const report = check(env);
  checks.set(env.DB, { kv: env.KV, startedAt: Date.now(), report });
  return report;
}

/** Reports D1, KV, the schema version and due pushes. 503 if D1 or KV fails. */
export async function handleHealth(env: Env): Promise<Response> {
  const report = await currentReport(env);
  const isHealthy = report.status === "ok";
  return Response.json(report, {
    status: isHealthy ? 200 : 503,
    headers: { "Cache-Control": "no-store", ...(isHealthy ? {} : { "Retry-After": "5" }) },
  });
}
