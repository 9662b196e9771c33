import { tooManyAttempts } from "../errors";
import { perBinding, RecentMap } from "../lib/recent-map";
import { sleep } from "../lib/sleep";
import { hasUsedUpTime } from "./rate-limits";
import { type Payer, payableOf } from "./request-log";
import type { TracedRequest } from "./trace";

// An instance has 128 MB and one database for everybody. What holds much of either takes a share, of which there are few.

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

export type ShareKind = keyof typeof MOST;

/** The reads of a workspace, after one that took D1 so long. */
const MAX_DEAR_READS = 3;
const DEAR_MS = 150;
const MAX_DEAR_WORKSPACES = 10_000;

const PAUSE_MS = 20;
const MAX_WAIT_MS = 10_000;
/** A request that is cancelled stops without freeing its share, and its timers with it. */
const LOST_MS = 60_000;
const BEAT_MS = 10_000;

interface Taken {
  kind: ShareKind;
  workspaceId: number | undefined;
  size: number;
  usedAt: number;
}

const takenOf = perBinding((_: KVNamespace) => new Set<Taken>());

const dearWorkspacesOf = perBinding((_: KVNamespace) => new RecentMap<true>(MAX_DEAR_WORKSPACES));

const sizeOf = (taken: readonly Taken[]): number => taken.reduce((sum, { size }) => sum + size, 0);

/** Whether there is room. What is larger than all shares has room when it is alone. */
function hasRoom(kv: KVNamespace, kind: ShareKind, workspaceId: number | undefined, size: number): boolean {
  const all = takenOf(kv);
  for (const one of all) if (Date.now() - one.usedAt >= LOST_MS) all.delete(one);
  const taken = [...all].filter((one) => one.kind === kind);
  const own = taken.filter((one) => one.workspaceId === workspaceId);
  const isDear = kind === "read" && dearWorkspacesOf(kv).has(String(workspaceId));
  const { ofWorkspace, ofInstance } = MOST[kind];
  const mostOwn = isDear ? MAX_DEAR_READS : ofWorkspace;
  const fits = (others: readonly Taken[], most: number) => sizeOf(others) + Math.min(size, most) <= most;
  return fits(own, mostOwn) && fits(taken, ofInstance);
}

/**
 * Waits for a share, which the request keeps until it is answered, or until its answer is sent. A request that waits gives
 * back those that it keeps until it is answered. 429 after ten seconds, or if
 * the payer has used up its time.
 */
export async function takeShare(
  { env, executionCtx, var: { trace } }: Omit<TracedRequest, "req">,
  kind: ShareKind,
  payer: Payer,
  size = 1,
): Promise<void> {
  const { workspaceId } = payer;
  const giveUpAt = Date.now() + MAX_WAIT_MS;
  for (;;) {
    if (hasUsedUpTime(env, payer)) throw tooManyAttempts();
    if (hasRoom(env.KV, kind, workspaceId, size)) break;
    if (Date.now() >= giveUpAt) throw tooManyAttempts();
    // Others may read while this one waits.
    for (const free of trace.shares.answered.splice(0)) free();
    await sleep(PAUSE_MS);
  }
  const share = { kind, workspaceId, size, usedAt: Date.now() };
  takenOf(env.KV).add(share);
  const beat = setInterval(() => {
    share.usedAt = Date.now();
  }, BEAT_MS);
  // A request that its sender cancels would otherwise stop, and keep its share for a minute.
  const { promise: freed, resolve } = Promise.withResolvers<void>();
  executionCtx.waitUntil(freed);
  trace.shares[MOST[kind].isKeptUntil].push(() => {
    clearInterval(beat);
    takenOf(env.KV).delete(share);
    const dear = dearWorkspacesOf(env.KV);
    if (kind === "read") dear.delete(String(workspaceId));
    if (kind === "read" && payableOf(trace) >= DEAR_MS) dear.set(String(workspaceId), true);
    resolve();
  });
}
