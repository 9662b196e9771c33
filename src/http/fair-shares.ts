import type { Env } from "../context";
import type { Meter } from "../db/meter";
import { tooManyAttempts } from "../errors";
import { perBinding, RecentMap } from "../lib/recent-map";
import { withTimeout } from "../lib/with-timeout";
import { countOne, isRefused } from "./rate-limits";
import type { Payer, Trace } from "./request-log";

// D1 does one thing at a time for everybody, and an instance has 128 MB.
//
// At once, an instance works on a few lists, long links, files and imports, and a workspace has about half of them.
// In a minute, a key or person may use 8 s of D1's time and a workspace 10 s, which the platform counts after each answer.
// A request that finds no room waits up to ten seconds for others to end, and gives back what it can meanwhile.
// 429 answers a request that has waited in vain, and everybody who is known to be over a limit of a minute.
// Nobody is charged for visits, for the schedule, for the operator, and for what is done for all workspaces.

const MEGABYTE = 1_000_000;

/** At once. */
const MOST = {
  /** Lists and pages under way. */
  read: { ofWorkspace: 8, ofInstance: 16, isKeptUntil: "answered" },
  /** Bytes of long links and rows. */
  long: { ofWorkspace: 6 * MEGABYTE, ofInstance: 12 * MEGABYTE, isKeptUntil: "sent" },
  /** Files that are sent. */
  file: { ofWorkspace: 2, ofInstance: 3, isKeptUntil: "sent" },
  /** Imports, and changes of many links. */
  import: { ofWorkspace: 1, ofInstance: 2, isKeptUntil: "answered" },
} as const;

/** The reads of a workspace at once, after one that took D1 so long. */
const MAX_DEAR_READS = 3;
const DEAR_MS = 150;
const MAX_DEAR_WORKSPACES = 10_000;

const MAX_WAIT_MS = 10_000;

/** What the platform counts. */
const UNIT_MS = 10;
/** Of one limit, for one answer. The rest is a debt, which later answers count. */
const MAX_UNITS_OF_ANSWER = 20;
/** Above this debt an instance refuses the payer. */
const MAX_DEBT_MS = 4_000;
/** A debt shrinks as fast as a payer may use time: 8 s a minute. */
const PAID_OFF_PER_MS = 8 / 60;
const MAX_DEBTS = 10_000;

/** A write of KV costs 5 $ a million, and the schedule repeats it. */
const KV_WRITE_MS = 10;
const MAIL_MS = 100;
/** Of an unusually long answer that is stored. */
const KILOBYTE_MS = 1;

/** What is charged, in milliseconds of D1's time. */
const priceOf = ({ duration, common, kvWrites, mails, extraBytes }: Meter): number =>
  duration - common + KV_WRITE_MS * kvWrites + MAIL_MS * mails + KILOBYTE_MS * Math.floor(extraBytes / 1024);

const payableOf = ({ d1, background }: Trace): number => priceOf(d1) + priceOf(background);

/** The time that is not counted yet, by payer. */
const debtsOf = perBinding((_: KVNamespace) => new RecentMap<{ ms: number; at: number }>(MAX_DEBTS));

function debtOf({ KV }: Env, id: string): number {
  const debt = debtsOf(KV).get(id);
  if (debt === undefined) return 0;
  const paidOff = Math.max(0, Date.now() - debt.at) * PAID_OFF_PER_MS;
  // Less than a unit waits until it is one.
  return Math.max(Math.min(debt.ms, UNIT_MS), debt.ms - paidOff);
}

/** The limits of a payer that are set up, each with the name by which it is counted. */
function limitsOf(env: Env, { caller, workspaceId, limit = "CALLER_WORK" }: Payer) {
  const own = { limit, id: caller };
  const ofWorkspace = { limit: "WORKSPACE_WORK", id: `workspace:${workspaceId}` } as const;
  const limits = workspaceId === undefined ? [own] : [own, ofWorkspace];
  return limits.filter((one) => env[one.limit] !== undefined);
}

/** Whether this instance knows that the payer has used up the time of a minute. */
export const hasUsedUpTime = (env: Env, payer: Payer): boolean =>
  limitsOf(env, payer).some(({ limit, id }) => isRefused(env, limit, id) || debtOf(env, id) >= MAX_DEBT_MS);

/** Charges what a request has used since the last call to its payer. Undefined if it has none, or nothing is due yet. */
export function charge(env: Env, trace: Trace): Promise<unknown> | undefined {
  const used = payableOf(trace) - trace.charged;
  trace.charged += used;
  if (trace.payer === undefined || used <= 0) return undefined;
  const due = limitsOf(env, trace.payer).map(({ limit, id }) => ({
    limit,
    id,
    units: unitsDue(env, id, used),
  }));
  if (due.every(({ units }) => units === 0)) return undefined;
  return Promise.all(
    due.map(async ({ limit, id, units }) => {
      for (let unit = 0; unit < units; unit++) if (!(await countOne(env, limit, id))) return;
    }),
  );
}

function unitsDue(env: Env, id: string, used: number): number {
  const debt = debtOf(env, id) + used;
  const units = Math.min(Math.floor(debt / UNIT_MS), MAX_UNITS_OF_ANSWER);
  debtsOf(env.KV).set(id, { ms: debt - units * UNIT_MS, at: Date.now() });
  return units;
}

export type ShareKind = keyof typeof MOST;

interface Share {
  kind: ShareKind;
  workspaceId: number | undefined;
  size: number;
  usedAt: number;
}

/** A request that is cancelled may stop without freeing its share. Its timers stop with it. */
const LOST_MS = 60_000;
const BEAT_MS = 10_000;

const instanceOf = perBinding((_: KVNamespace) => ({
  taken: new Set<Share>(),
  dearWorkspaces: new RecentMap<true>(MAX_DEAR_WORKSPACES),
  /** Wakes the requests that wait, in their order. Each looks again itself: one that was cancelled must not be given a share. */
  waiting: { read: [], long: [], file: [], import: [] } as Record<ShareKind, (() => void)[]>,
}));

type Instance = ReturnType<typeof instanceOf>;

interface RequestWithShares {
  env: Env;
  executionCtx: Pick<ExecutionContext, "waitUntil">;
  var: { trace: Trace };
}

/** Whether there is room. What is larger than all shares has room when it is alone. */
function hasRoom({ taken, dearWorkspaces }: Instance, { kind, workspaceId, size }: Share): boolean {
  for (const share of taken) if (Date.now() - share.usedAt >= LOST_MS) taken.delete(share);
  const { ofWorkspace, ofInstance } = MOST[kind];
  const isDear = kind === "read" && dearWorkspaces.has(String(workspaceId));
  const alike = [...taken].filter((share) => share.kind === kind);
  const own = alike.filter((share) => share.workspaceId === workspaceId);
  const fits = (shares: readonly Share[], most: number) =>
    shares.reduce((sum, share) => sum + share.size, Math.min(size, most)) <= most;
  return fits(own, isDear ? MAX_DEAR_READS : ofWorkspace) && fits(alike, ofInstance);
}

/** Waits until a share is free, or for some time. */
function waitForRelease({ waiting }: Instance, kind: ShareKind, maxMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting[kind].push(resolve);
  return withTimeout(promise, maxMs).catch(() => undefined);
}

/**
 * Takes a share, which the request keeps until it is answered, or until its answer is sent. While it waits it gives back
 * those that it keeps until it is answered. Throws 429.
 */
export async function takeShare(
  { env, executionCtx, var: { trace } }: RequestWithShares,
  kind: ShareKind,
  payer: Payer,
  size = 1,
): Promise<void> {
  const instance = instanceOf(env.KV);
  const share = { kind, workspaceId: payer.workspaceId, size, usedAt: Date.now() };
  const giveUpAt = Date.now() + MAX_WAIT_MS;
  for (;;) {
    if (hasUsedUpTime(env, payer)) throw tooManyAttempts();
    if (hasRoom(instance, share)) break;
    if (Date.now() >= giveUpAt) throw tooManyAttempts();
    for (const free of trace.shares.answered.splice(0)) free();
    await waitForRelease(instance, kind, giveUpAt - Date.now());
  }
  share.usedAt = Date.now();
  instance.taken.add(share);
  const beat = setInterval(() => {
    share.usedAt = Date.now();
  }, BEAT_MS);
  // Without it a request whose sender goes away would stop at once, and keep its share.
  const { promise: freed, resolve } = Promise.withResolvers<void>();
  executionCtx.waitUntil(freed);
  trace.shares[MOST[kind].isKeptUntil].push(() => {
    clearInterval(beat);
    instance.taken.delete(share);
    if (kind === "read") rememberCost(instance, share, payableOf(trace));
    resolve();
    for (const wake of instance.waiting[kind].splice(0)) wake();
  });
}

function rememberCost({ dearWorkspaces }: Instance, { workspaceId }: Share, ms: number): void {
  if (ms >= DEAR_MS) dearWorkspaces.set(String(workspaceId), true);
  else dearWorkspaces.delete(String(workspaceId));
}
