import { sql } from "drizzle-orm";
import type { Env } from "../context";
import { createDatabase, type Database, type Statement } from "../db/client";
import { withTimeout } from "../lib/with-timeout";
import { type CacheStatus, cacheStatus } from "../redirect/slugs/status";

const TIMEOUT_MS = 5_000;
const MEMORY_MS = 5_000;
const SHARED_WAIT_MS = 2_000;

const migrationNames: Statement<{ name: string }[]> = (orm) =>
  orm.all<{ name: string }>(sql`select name from d1_migrations order by id`);

/** Names of the applied migrations, oldest first. */
export const readMigrations = async (db: Database): Promise<string[]> => {
  const [rows] = await db.read(migrationNames);
  return rows.map(({ name }) => name);
};

/** Like `readMigrations`, but null if D1 fails. */
export const appliedMigrations = (db: Database): Promise<string[] | null> =>
  readMigrations(db).catch(() => null);

interface Report {
  status: "ok" | "unavailable";
  schema_version: string | null;
  d1: boolean;
  kv: boolean;
  pushes: CacheStatus | null;
}

interface Memory {
  kv: KVNamespace;
  last: { report: Report; knownAt: number } | undefined;
  pending: Promise<Report> | undefined;
}

const memories = new WeakMap<D1Database, Memory>();

function memoryOf({ DB, KV }: Env): Memory {
  const known = memories.get(DB);
  if (known?.kv === KV) return known;
  const fresh: Memory = { kv: KV, last: undefined, pending: undefined };
  memories.set(DB, fresh);
  return fresh;
}

async function check(env: Env): Promise<Report> {
  const db = createDatabase(env.DB);
  const [migrations, pushes, kv] = await Promise.all([
    withTimeout(appliedMigrations(db), TIMEOUT_MS).catch(() => null),
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

async function checkAndRemember(env: Env, memory: Memory): Promise<Report> {
  const pending = check(env);
  memory.pending = pending;
  const report = await pending;
  memory.last = { report, knownAt: Date.now() };
  if (memory.pending === pending) memory.pending = undefined;
  return report;
}

function findRecent({ last }: Memory): Report | undefined {
  const age = last === undefined ? -1 : Date.now() - last.knownAt;
  return age >= 0 && age < MEMORY_MS ? last?.report : undefined;
}

/** The state of D1 and KV, at most five seconds old. Concurrent requests share one check. */
async function currentReport(env: Env): Promise<Report> {
  const memory = memoryOf(env);
  let abandoned: Promise<Report> | undefined;
  for (;;) {
    const known = findRecent(memory);
    if (known !== undefined) return known;
    const { pending } = memory;
    if (pending === undefined || pending === abandoned) return checkAndRemember(env, memory);
    // If the request that started the check is cancelled, its promise may never settle.
    const shared = await withTimeout(pending, SHARED_WAIT_MS).catch(() => undefined);
    if (shared !== undefined) return shared;
    abandoned = pending;
  }
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
