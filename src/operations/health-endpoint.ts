import { name as expectedSchema } from "../../migrations/meta/last.json";
import { version } from "../../package.json";
import { selectQueueState } from "../analytics/queue-statements";
import type { Env } from "../context";
import { createDatabase, type Database } from "../db/client";
import { newMeter } from "../db/meter";
import { timeOfId } from "../lib/ids";
import { isoTimeOrNull, MINUTE_MS, SECOND_MS } from "../lib/time";
import { withTimeout } from "../lib/with-timeout";
import { cacheStatus } from "../redirect/slugs/cache-status";
import { countDoubts } from "../redirect/slugs/statements/doubt-statements";
import { describeLastBackup } from "./backup/last-backup";
import { CRONS, selectRuns, selectSchema } from "./cron-statements";

const TIMEOUT_MS = 5 * SECOND_MS;
const MEMORY_MS = 10 * SECOND_MS;
/** Longer than a check takes, which ends only if its request is cancelled by the platform. */
const SHARED_WAIT_MS = TIMEOUT_MS + SECOND_MS;
/** The cron of every minute is late after this time. */
const LATE_MS = 10 * MINUTE_MS;
/** Limits the rows that a check reads. */
const MAX_COUNTED = 1_000;

type WaitUntil = (work: Promise<unknown>) => void;

interface Check<Report> {
  kv: KVNamespace;
  startedAt: number;
  report: Promise<Report>;
}

/** A check that an instance makes once in ten seconds. Concurrent requests share it, and the first one may be cancelled meanwhile. */
function remembered<Report>(check: (env: Env) => Promise<Report>) {
  const checks = new WeakMap<D1Database, Check<Report>>();
  const findRecent = ({ DB, KV }: Env) => {
    const last = checks.get(DB);
    const age = last?.kv === KV ? Date.now() - last.startedAt : -1;
    return age >= 0 && age < MEMORY_MS ? last : undefined;
  };
  return async (env: Env, waitUntil: WaitUntil): Promise<Report> => {
    let abandoned: Check<Report> | undefined;
    for (let last = findRecent(env); last !== undefined && last !== abandoned; last = findRecent(env)) {
      const shared = await withTimeout(last.report, SHARED_WAIT_MS).catch(() => undefined);
      if (shared !== undefined) return shared;
      abandoned = last;
    }
    const report = check(env);
    waitUntil(report);
    checks.set(env.DB, { kv: env.KV, startedAt: Date.now(), report });
    return report;
  };
}

/** One read, which is not repeated. */
const openDatabase = ({ DB }: Env): Database => createDatabase(DB, newMeter(TIMEOUT_MS), []);

/** What everybody is told. */
const checkService = remembered(async (env) => {
  const [[schema], kv] = await Promise.all([
    openDatabase(env)
      .read(selectSchema(expectedSchema))
      .then(
        ([rows]) => rows,
        () => [],
      ),
    withTimeout(env.KV.get("health"), TIMEOUT_MS).then(
      () => true,
      () => false,
    ),
  ]);
  const isBehind = schema?.has_expected === 0;
  return {
    status: schema === undefined || !kv ? "unavailable" : isBehind ? "schema_behind" : "ok",
    version,
    schema_version: schema?.name ?? null,
    schema_expected: expectedSchema,
    d1: schema !== undefined,
    kv,
  };
});

/** What operators are told too. Undefined if D1 does not answer. */
const checkOperations = remembered(async (env) => {
  const ctx = { db: openDatabase(env), now: Date.now };
  const read = Promise.all([
    cacheStatus(ctx),
    ctx.db.read(
      selectQueueState(MAX_COUNTED),
      countDoubts(MAX_COUNTED),
      selectRuns(),
      selectSchema(expectedSchema),
    ),
  ]);
  const reading = read.catch(() => undefined);
  const { BACKUPS: backups } = env;
  const backup = backups && {
    backup: await withTimeout(describeLastBackup({ backups, now: Date.now }), TIMEOUT_MS).catch(() => null),
  };
  const found = await reading;
  if (found === undefined)
    return { isLate: false, ...backup, clicks: null, crons: null, pushes: null, doubts: null };
  const [pushes, [[queue], [doubts], runs, [schema]]] = found;
  const lastRuns = new Map(runs.map(({ cron, succeeded_at: at }) => [cron, at]));
  // A cron that has never run is late too.
  const lastMinute = lastRuns.get("minute") ?? schema?.applied_at ?? 0;
  return {
    isLate: ctx.now() - lastMinute >= LATE_MS,
    ...backup,
    clicks: {
      batches: queue?.waiting ?? 0,
      oldest_at: isoTimeOrNull(timeOfId(queue?.batch ?? "") ?? null),
    },
    crons: Object.fromEntries(CRONS.map((cron) => [cron, isoTimeOrNull(lastRuns.get(cron) ?? null)])),
    pushes,
    doubts: doubts ?? null,
  };
});

/** Reports D1, KV and the schema; to operators also what waits and when crons last succeeded. 503 if something is out or late. */
export async function handleHealth(env: Env, isOperator: boolean, waitUntil: WaitUntil): Promise<Response> {
  const [service, { isLate, ...operations }] = await Promise.all([
    checkService(env, waitUntil),
    isOperator ? checkOperations(env, waitUntil) : { isLate: false },
  ]);
  const status = service.status === "ok" && isLate ? "crons_late" : service.status;
  const isHealthy = status === "ok";
  return Response.json(
    { ...service, status, ...operations },
    {
      status: isHealthy ? 200 : 503,
      headers: { "Cache-Control": "no-store", ...(isHealthy ? {} : { "Retry-After": "10" }) },
    },
  );
}
