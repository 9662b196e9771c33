import type { Env } from "../context";
import { countedAddress } from "./client-address";

// The platform counts. An instance remembers which addresses are over a limit.

const OVER_LIMIT_MS = 60_000;
const MAX_ADDRESSES = 1_000;

/** Time of the refusal by counter name, oldest first. */
type Refusals = Map<string, number>;

/** Keyed by the KV binding, which lives as long as the instance. */
const memories = new WeakMap<KVNamespace, WeakMap<RateLimit, Refusals>>();

function refusalsOf(kv: KVNamespace, limiter: RateLimit): Refusals {
  const byLimiter = memories.get(kv) ?? new WeakMap<RateLimit, Refusals>();
  memories.set(kv, byLimiter);
  const refusals: Refusals = byLimiter.get(limiter) ?? new Map();
  byLimiter.set(limiter, refusals);
  return refusals;
}

/** Evicts the oldest refusal above the limit. */
function evictOldest(refusals: Refusals): void {
  if (refusals.size <= MAX_ADDRESSES) return;
  for (const oldest of refusals.keys()) {
    refusals.delete(oldest);
    return;
  }
}

/** Includes the installation, because installations of one account may share counters. */
const counterName = (env: Env, id: string): string => `${env.INSTALLATION?.trim() || "waymark"}:${id}`;

/** True below the limit, and also if the counter fails or is not configured. */
async function isWithinLimit(limiter: RateLimit | undefined, key: string): Promise<boolean> {
  try {
    return limiter === undefined || (await limiter.limit({ key })).success;
  } catch {
    return true;
  }
}

/** Counts a request of an API key. False above the limit. */
export const countRequest = (env: Env, publicId: string): Promise<boolean> =>
  isWithinLimit(env.KEY_RATE, counterName(env, publicId));

type AddressLimit = "AUTH_FAILURE_RATE" | "UNKNOWN_SLUG_RATE";

/** The counter of the request's address; undefined if there is no limit or no address. */
function counterOf(env: Env, limit: AddressLimit, request: Request) {
  const limiter = env[limit];
  const address = countedAddress(request.headers.get("cf-connecting-ip"));
  if (limiter === undefined || address === undefined) return undefined;
  return { limiter, refusals: refusalsOf(env.KV, limiter), name: counterName(env, address) };
}

function isRemembered(refusals: Refusals, name: string): boolean {
  const refusedAt = refusals.get(name);
  if (refusedAt === undefined) return false;
  const age = Date.now() - refusedAt;
  if (age >= 0 && age < OVER_LIMIT_MS) return true;
  refusals.delete(name);
  return false;
}

/** True for 60 s after the address was refused on this instance. */
export function isOverLimit(env: Env, limit: AddressLimit, request: Request): boolean {
  const entry = counterOf(env, limit, request);
  return entry !== undefined && isRemembered(entry.refusals, entry.name);
}

/** Counts a failure of the request's address. False above the limit, which is then remembered. */
export async function countFailure(env: Env, limit: AddressLimit, request: Request): Promise<boolean> {
  const entry = counterOf(env, limit, request);
  if (entry === undefined) return true;
  const { limiter, refusals, name } = entry;
  if (isRemembered(refusals, name)) return false;
  if (await isWithinLimit(limiter, name)) return true;
  // A concurrent request may have been refused first. The 60 s count from the first refusal.
  if (!refusals.has(name)) refusals.set(name, Date.now());
  evictOldest(refusals);
  return false;
}
