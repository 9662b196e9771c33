import type { Env } from "../context";
import { perBinding, RecentMap } from "../lib/recent-map";
import { countedAddress } from "./client-address";
import { type Payer, payableOf, type Trace } from "./request-log";

// The platform counts. An instance remembers who is over a limit.

const OVER_LIMIT_MS = 60_000;
const MAX_REFUSALS = 1_000;

type Limit =
  | "AUTH_FAILURE_RATE"
  | "CALLER_WORK"
  | "KEY_RATE"
  | "PERSON_RATE"
  | "REPORT_WORK"
  | "UNKNOWN_SLUG_RATE"
  | "WORKSPACE_WORK";

/** Time of the refusal by counter name, oldest first. */
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

/** When an address over the limit last cost a look-up. */
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

// D1 does one thing at a time for everybody, so its time is limited too: of a caller, and of a workspace.

/** A rate limit counts units. */
const UNIT_MS = 10;
/** Of one limit, for one response. The rest is a debt. */
const MAX_UNITS_AT_ONCE = 20;
const MAX_DEBTS = 10_000;

/** Above this debt an instance refuses the payer. */
const MAX_DEBT_MS = 4_000;
/** What is paid off of a debt in a millisecond: as much as a payer may use. */
const PAID_OFF = 8 / 60;

/** The milliseconds that are not counted yet, by payer. */
const debtsOf = perBinding((_: KVNamespace) => new RecentMap<{ ms: number; at: number }>(MAX_DEBTS));

function debtOf({ KV }: Env, id: string): number {
  const debt = debtsOf(KV).get(id);
  if (debt === undefined) return 0;
  // Less than a unit waits until it is one.
  return Math.max(Math.min(debt.ms, UNIT_MS), debt.ms - Math.max(0, Date.now() - debt.at) * PAID_OFF);
}

/** The limits of a payer that are set up, each with the name by which it is counted. */
const limitsOf = (env: Env, { caller, workspaceId, limit = "CALLER_WORK" }: Payer) =>
  [
    { limit, id: caller },
    ...(workspaceId === undefined
      ? []
      : [{ limit: "WORKSPACE_WORK" as const, id: `workspace:${workspaceId}` }]),
  ].filter((one) => env[one.limit] !== undefined);

/** Whether this instance knows that the payer has used up the time of a minute. */
export const hasUsedUpTime = (env: Env, payer: Payer): boolean =>
  limitsOf(env, payer).some(({ limit, id }) => isRefused(env, limit, id) || debtOf(env, id) >= MAX_DEBT_MS);

/** Charges D1's time and the writes of KV since the last call to the payer of the request, if it has one. Undefined if nothing is due yet. */
export function charge(env: Env, trace: Trace): Promise<unknown> | undefined {
  const { payer, charged } = trace;
  const milliseconds = payableOf(trace) - charged;
  trace.charged += milliseconds;
  if (payer === undefined || milliseconds <= 0) return undefined;
  const due = limitsOf(env, payer)
    .map(({ limit, id }) => ({ limit, id, units: unitsDue(env, id, milliseconds) }))
    .filter(({ units }) => units > 0);
  if (due.length === 0) return undefined;
  return Promise.all(due.map(({ limit, id, units }) => countUnits(env, limit, id, units)));
}

function unitsDue(env: Env, id: string, milliseconds: number): number {
  const due = debtOf(env, id) + milliseconds;
  const units = Math.min(Math.floor(due / UNIT_MS), MAX_UNITS_AT_ONCE);
  debtsOf(env.KV).set(id, { ms: due - units * UNIT_MS, at: Date.now() });
  return units;
}

async function countUnits(env: Env, limit: Limit, id: string, units: number): Promise<void> {
  for (let unit = 0; unit < units; unit++) {
    if (!(await countOne(env, limit, id))) return;
  }
}
