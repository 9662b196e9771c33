import type { Env } from "../context";
import { countedAddress } from "../lib/client-address";

// The platform counts; an instance remembers who is over a limit.

const OVER_LIMIT_MS = 60_000;
const MAX_ADDRESSES = 1_000;

/** When each counter's name was refused, oldest first. */
type Refusals = Map<string, number>;

/** An instance's memory is kept beside its KV binding and gone with it. */
const memories = new WeakMap<KVNamespace, WeakMap<RateLimit, Refusals>>();

function refusalsOf(kv: KVNamespace, limiter: RateLimit): Refusals {
  const byLimiter = memories.get(kv) ?? new WeakMap<RateLimit, Refusals>();
  memories.set(kv, byLimiter);
  const refusals: Refusals = byLimiter.get(limiter) ?? new Map();
  byLimiter.set(limiter, refusals);
  return refusals;
}

/** Deletes the oldest refusal where there are more than a thousand. */
function boundSize(refusals: Refusals): void {
  if (refusals.size <= MAX_ADDRESSES) return;
  for (const oldest of refusals.keys()) {
    refusals.delete(oldest);
    return;
  }
}

/** A counter's name: other installations of the same account may share the counters. */
const counterName = (env: Env, id: string): string => `${env.INSTALLATION?.trim() || "waymark"}:${id}`;

/** Whether the counter lets a request through; one that fails or is not there does. */
async function isWithinLimit(limiter: RateLimit | undefined, key: string): Promise<boolean> {
  try {
    return limiter === undefined || (await limiter.limit({ key })).success;
  } catch {
    return true;
  }
}

/** Counts a request of an API key, by its public id; false above its limit. */
export const countRequest = (env: Env, publicId: string): Promise<boolean> =>
  isWithinLimit(env.KEY_RATE, counterName(env, publicId));

/** The limits of an address. */
export type AddressLimit = "AUTH_FAILURE_RATE" | "UNKNOWN_SLUG_RATE";

/** What a limit knows of the address that a request came from; undefined where nothing is limited. */
function entryOf(env: Env, limit: AddressLimit, request: Request) {
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

/** Whether this instance remembers the request's address as over a limit: for 60 s from the refusal. */
export function isOverLimit(env: Env, limit: AddressLimit, request: Request): boolean {
  const entry = entryOf(env, limit, request);
  return entry !== undefined && isRemembered(entry.refusals, entry.name);
}

/** Counts a failure for the request's address; false where it is over the limit, which is then remembered. */
export async function countFailure(env: Env, limit: AddressLimit, request: Request): Promise<boolean> {
  const entry = entryOf(env, limit, request);
  if (entry === undefined) return true;
  const { limiter, refusals, name } = entry;
  if (isRemembered(refusals, name)) return false;
  if (await isWithinLimit(limiter, name)) return true;
  // Another request may have been refused meanwhile: the memory counts from the first refusal.
  if (!refusals.has(name)) refusals.set(name, Date.now());
  boundSize(refusals);
  return false;
}
