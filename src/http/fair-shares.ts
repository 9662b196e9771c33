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
  /** When its request last showed that it goes on, waiting or working. */
  usedAt: number;
  /** Wakes its request, if that waits and was not woken yet. */
  wake?: (() => void) | undefined;
}

/** A request that is cancelled may stop without freeing its share. Its timers stop with it. */
const LOST_MS = 60_000;
const BEAT_MS = 10_000;
/** One that waits looks again so often, and is taken for cancelled when it has not for some time. */
const LOOK_AGAIN_MS = 1_000;
const LOST_WAIT_MS = 3_000;

const instanceOf = perBinding((_: KVNamespace) => ({
  taken: new Set<Share>(),
  dearWorkspaces: new RecentMap<true>(MAX_DEAR_WORKSPACES),
  /** What is waited for, in its order. Each request takes its share itself: one that was cancelled must not be given one. */
  waiting: new Set<Share>(),
}));

type Instance = ReturnType<typeof instanceOf>;

interface RequestWithShares {
  env: Env;
  executionCtx: Pick<ExecutionContext, "waitUntil">;
  var: { trace: Trace };
}

const isOfKind =
  (kind: ShareKind) =>
  (share: Share): boolean =>
    share.kind === kind;

function forgetLost(shares: Set<Share>, ms: number): void {
  for (const share of shares) if (Date.now() - share.usedAt >= ms) shares.delete(share);
}

/** Whose share has no room for it. What is larger than all shares has room when it is alone. */
function findFull(
  { taken, dearWorkspaces }: Instance,
  { kind, workspaceId, size }: Share,
): "workspace" | "instance" | undefined {
  const { ofWorkspace, ofInstance } = MOST[kind];
  const isDear = kind === "read" && dearWorkspaces.has(String(workspaceId));
  const alike = [...taken].filter(isOfKind(kind));
  const own = alike.filter((share) => share.workspaceId === workspaceId);
  const fits = (shares: readonly Share[], most: number) =>
    shares.reduce((sum, share) => sum + share.size, Math.min(size, most)) <= most;
  if (!fits(own, isDear ? MAX_DEAR_READS : ofWorkspace)) return "workspace";
  return fits(alike, ofInstance) ? undefined : "instance";
}

/**
 * Those of a kind whose turn it is, in their order. Within a workspace nobody overtakes. Between workspaces, others wait for
 * one that the instance has no room for, or a large one would never find any.
 */
function nextInLine(instance: Instance, line: Iterable<Share>): Share[] {
  const next: Share[] = [];
  const workspaces = new Set<number | undefined>();
  for (const share of line) {
    if (workspaces.has(share.workspaceId)) continue;
    workspaces.add(share.workspaceId);
    const full = findFull(instance, share);
    if (full === "instance") break;
    if (full === undefined) next.push(share);
  }
  return next;
}

/** Whether there is room, and nobody who waits comes first. Nobody waits for those who may wait for what it keeps. */
function isNext(instance: Instance, share: Share, keepsShares: boolean): boolean {
  forgetLost(instance.taken, LOST_MS);
  forgetLost(instance.waiting, LOST_WAIT_MS);
  const before = keepsShares ? [] : [...instance.waiting].filter(isOfKind(share.kind));
  return nextInLine(instance, new Set(before).add(share)).includes(share);
}

/** Wakes one, which wakes the next one when it has taken its share. */
function wakeNext(instance: Instance, kind: ShareKind): void {
  const line = [...instance.waiting].filter(isOfKind(kind));
  const next = nextInLine(instance, line).find(({ wake }) => wake !== undefined);
  next?.wake?.();
}

async function waitForRelease(share: Share, maxMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  share.wake = () => {
    share.wake = undefined;
    resolve();
  };
  await withTimeout(promise, maxMs).catch(() => undefined);
  share.wake = undefined;
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
  const share: Share = { kind, workspaceId: payer.workspaceId, size, usedAt: Date.now() };
  const giveUpAt = Date.now() + MAX_WAIT_MS;
  try {
    for (;;) {
      share.usedAt = Date.now();
      if (hasUsedUpTime(env, payer)) throw tooManyAttempts();
      if (isNext(instance, share, trace.shares.sent.length > 0)) break;
      if (Date.now() >= giveUpAt) throw tooManyAttempts();
      instance.waiting.add(share);
      for (const free of trace.shares.answered.splice(0)) free();
      await waitForRelease(share, Math.min(giveUpAt - Date.now(), LOOK_AGAIN_MS));
    }
    instance.taken.add(share);
  } finally {
    instance.waiting.delete(share);
    wakeNext(instance, kind);
  }
  const beat = setInterval(() => {
    share.usedAt = Date.now();
  }, BEAT_MS);
  // Without it a request whose sender goes away would stop at once, and keep its share.
  const { promise: freed, resolve } = Promise.withResolvers<void>();
  executionCtx.waitUntil(freed);
  trace.shares[MOST[kind].isKeptUntil].push(() => {
    clearInterval(beat);
    instance.taken.delete(share);
    if (kind === "read") {
      if (payableOf(trace) >= DEAR_MS) instance.dearWorkspaces.set(String(share.workspaceId), true);
      else instance.dearWorkspaces.delete(String(share.workspaceId));
    }
    resolve();
    wakeNext(instance, kind);
  });
}
