import type { Env } from "../context";
import { perBinding, RecentMap } from "../lib/recent-map";
import { countedAddress } from "./client-address";

// The platform counts. An instance remembers who is over a limit.

const OVER_LIMIT_MS = 60_000;
const MAX_REFUSALS = 1_000;

type Limit =
  | "AUTH_FAILURE_RATE"
  | "CALLER_WORK"
  | "KEY_RATE"
  | "PASSKEY_RATE"
  | "PERSON_RATE"
  | "REPORT_WORK"
  | "UNKNOWN_SLUG_RATE"
  | "WORKSPACE_WORK";

const refusalsIn = perBinding((_: KVNamespace) =>
  perBinding((_: RateLimit) => new RecentMap<number>(MAX_REFUSALS)),
);

/** Includes the installation, because installations of one account may share counters. */
const counterName = (env: Env, id: string): string => `${env.INSTALLATION?.trim() || "waymark"}:${id}`;

/** True below the limit, and also if the counter fails. */
async function isWithinLimit(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch {
    return true;
  }
}

function isRemembered(refusals: Map<string, number>, name: string): boolean {
  const refusedAt = refusals.get(name);
  if (refusedAt === undefined) return false;
  const age = Date.now() - refusedAt;
  if (age >= 0 && age < OVER_LIMIT_MS) return true;
  refusals.delete(name);
  return false;
}

/** True for 60 s after `id` was refused on this instance. False without an id. */
export function isRefused(env: Env, limit: Limit, id: string | undefined): boolean {
  const limiter = env[limit];
  if (limiter === undefined || id === undefined) return false;
  return isRemembered(refusalsIn(env.KV)(limiter), counterName(env, id));
}

/** Counts one for `id`. False above the limit, which is then remembered. True without an id. */
export async function countOne(env: Env, limit: Limit, id: string | undefined): Promise<boolean> {
  const limiter = env[limit];
  if (limiter === undefined || id === undefined) return true;
  const name = counterName(env, id);
  const refusals = refusalsIn(env.KV)(limiter);
  if (isRemembered(refusals, name)) return false;
  if (await isWithinLimit(limiter, name)) return true;
  // A concurrent request may have been refused first. The 60 s count from the first refusal.
  if (!refusals.has(name)) refusals.set(name, Date.now());
  return false;
}

const LOOK_UP_INTERVAL_MS = 1_000;

const lookUpsIn = perBinding((_: KVNamespace) => new RecentMap<number>(MAX_REFUSALS));

/**
 * Whether an address may cost a look-up of a slug that neither memory nor KV has. One over the limit of unknown slugs may cost
 * one a second, so that a link which exists is late at worst.
 */
export function mayLookUp(env: Env, address: string | undefined): boolean {
  if (address === undefined || !isRefused(env, "UNKNOWN_SLUG_RATE", address)) return true;
  const lookUps = lookUpsIn(env.KV);
  const age = Date.now() - (lookUps.get(address) ?? 0);
  if (age >= 0 && age < LOOK_UP_INTERVAL_MS) return false;
  lookUps.set(address, Date.now());
  return true;
}

/** The address that a limit counts; undefined if the request has none. */
export const addressOf = (request: Request): string | undefined =>
  countedAddress(request.headers.get("cf-connecting-ip"));
