import type { Env } from "../context";
import { addressOf, mayLookUp } from "../http/rate-limits";
import { backgroundTrace, logBackground, type Trace } from "../http/request-log";
import { sleep } from "../lib/sleep";
import type { SlugKey } from "../lib/slug-text";
import { HOUR_MS } from "../lib/time";
import { withTimeout } from "../lib/with-timeout";
import { type CacheEntry, cacheOf, isTooOld, readEntry, writeEntry } from "./slugs/cache";
import { findDoubt, takesList } from "./slugs/doubts";
import { findRemembered, remember, type SlugMemory, slugMemoryOf } from "./slugs/slug-memory";

// Where a visit finds a slug, or settings: in memory, KV or D1.

const KV_TIMEOUT_MS = 3_000;
const D1_TIMEOUT_MS = 5_000;

export interface SlugRequest {
  request: Request;
  env: Env;
  execution: Pick<ExecutionContext, "waitUntil">;
  trace: Trace;
  /** The query of a typed address, which is not that of its URL. */
  query?: string;
}

/** What is taken down as far as the list of doubts says, while D1 does not answer. */
const TAKEN_DOWN: CacheEntry = { rev: 0, read_at: 0, target: null, workspace: 0, link: "" };

/**
 * Reads an entry from memory, then from KV unless it is in doubt, then from D1. Throws if D1 fails and nothing else knows it.
 */
export async function findEntry(asked: SlugRequest, key: SlugKey, now: number) {
  const { request, env } = asked;
  const memory = slugMemoryOf(env.KV);
  const remembered = findRemembered(memory, key, now);
  if (remembered !== undefined) return { entry: remembered, cache: "hit" };

  const { changes } = memory;
  const isListed = memory.doubts.has(key);
  // null if KV was skipped or failed, so it may still hold the slug.
  const found = isListed
    ? null
    : await withTimeout(readEntry(cacheOf(env), key, now), KV_TIMEOUT_MS).catch(() => null);
  const cached = found ?? undefined;
  const doubt = findDoubt(memory, key, cached);
  if (cached !== undefined && doubt === undefined) {
    remember(memory, key, cached, now, changes);
    lookBehind(asked, key, cached, now);
    return { entry: cached, cache: "hit" };
  }
  if (found === undefined && !mayLookUp(env, addressOf(request))) return { entry: undefined, cache: "miss" };
  try {
    const entry = await withTimeout(lookUp(asked, key, doubt === undefined), D1_TIMEOUT_MS);
    return { entry, cache: "miss" };
  } catch (error) {
    if (doubt?.state === "taken_down") return { entry: TAKEN_DOWN, cache: "hit" };
    if (doubt?.state === "gone") return { entry: undefined, cache: "hit" };
    if (cached === undefined) throw error;
    return { entry: cached, cache: "hit" };
  } finally {
    lookBehind(asked, key, undefined, now);
  }
}

/** Of an instance, since thousands of slugs in hundreds of instances would take all of D1's time. */
const CHECK_INTERVAL_MS = 10_000;

/** Whether a value is to be compared with D1: it is older than an hour, and was not compared within the last. */
function takesCheck(memory: SlugMemory, key: SlugKey, { read_at: readAt }: CacheEntry, now: number): boolean {
  const { checkedAt, lastCheckAt } = memory;
  if (now - readAt < HOUR_MS || now - lastCheckAt < CHECK_INTERVAL_MS) return false;
  if (now - (checkedAt.get(key) ?? 0) < HOUR_MS) return false;
  checkedAt.set(key, now);
  memory.lastCheckAt = now;
  return true;
}

/** Asks D1 behind the answer: for the list of doubts once a minute, and whether the value that was served is right. */
function lookBehind(asked: SlugRequest, key: SlugKey, served: CacheEntry | undefined, now: number): void {
  const { request, env, execution, trace } = asked;
  const memory = slugMemoryOf(env.KV);
  const isListDue = takesList(memory, now);
  const checked = served !== undefined && takesCheck(memory, key, served, now) ? served : undefined;
  if (!isListDue && checked === undefined) return;
  const own = backgroundTrace(trace);
  const ask = async () => {
    const { checkEntry, readDoubts } = await import("./slugs/behind");
    if (isListDue) await readDoubts(env, own.d1);
    if (checked !== undefined) await checkEntry(env, own.d1, key, checked);
  };
  // What ends well has no line, since every instance asks once a minute.
  execution.waitUntil(ask().catch((error) => logBackground(own, request.method, Promise.reject(error))));
}

const SHARED_LOOKUP_WAIT_MS = 2_000;

/**
 * Reads a slug from D1, or waits for a pending lookup of it. An entry goes to memory at once, and to KV in the background if
 * `fills`. Throws if D1 fails.
 */
async function lookUp(asked: SlugRequest, key: SlugKey, fills: boolean): Promise<CacheEntry | undefined> {
  const { request, execution, trace } = asked;
  const { pendingLookups } = slugMemoryOf(asked.env.KV);
  const pending = pendingLookups.get(key);
  if (pending !== undefined) {
    // If the first request is cancelled its promise may never settle, so waiters then read D1 themselves.
    const settled = await Promise.race([pending.then((entry) => ({ entry })), sleep(SHARED_LOOKUP_WAIT_MS)]);
    if (settled) return settled.entry;
  }
  const lookup = readTarget(asked, key, fills);
  pendingLookups.set(key, lookup);
  execution.waitUntil(logBackground(trace, request.method, lookup));
  try {
    return await lookup;
  } finally {
    if (pendingLookups.get(key) === lookup) pendingLookups.delete(key);
  }
}

const FILL_INTERVAL_MS = 60_000;

async function readTarget({ env, execution, trace }: SlugRequest, key: SlugKey, fills: boolean) {
  const readAt = Date.now();
  const memory = slugMemoryOf(env.KV);
  const { changes, filledAt } = memory;
  const [{ createLiteralDatabase }, { findTarget }] = await Promise.all([
    import("../db/send"),
    import("./slugs/lookup"),
  ]);
  const entry = (await findTarget(createLiteralDatabase(env.DB, trace.d1), key, readAt))?.entry;
  if (entry === undefined) return undefined;
  remember(memory, key, entry, readAt, changes);
  const isRecent = readAt - (filledAt.get(key) ?? 0) < FILL_INTERVAL_MS;
  if (fills && !isRecent && !isTooOld(entry, Date.now())) {
    filledAt.set(key, readAt);
    execution.waitUntil(writeEntry(cacheOf(env), key, entry).catch(() => undefined));
  }
  return entry;
}
