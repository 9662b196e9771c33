import { tooManyAttempts } from "../errors";
import { perBinding } from "../lib/memory";
import { sleep } from "../lib/sleep";

// An instance has 128 MB for everybody. What holds megabytes of it takes a share, of which there are few.

const MOST = {
  /** Files that are sent. */
  file: { ofWorkspace: 2, ofInstance: 3 },
  /** Imports, and changes of many links. */
  import: { ofWorkspace: 1, ofInstance: 2 },
};

export type ShareKind = keyof typeof MOST;

const PAUSE_MS = 50;
const MAX_WAIT_MS = 10_000;
/** A request that is cancelled stops without freeing its share, and its timers with it. */
const LOST_MS = 60_000;
const BEAT_MS = 10_000;

interface Taken {
  workspaceId: number;
  usedAt: number;
}

const takenOf = perBinding((_: KVNamespace) => ({ file: new Set<Taken>(), import: new Set<Taken>() }));

/** Waits for a share, and returns what frees it; 429 after ten seconds. */
export async function takeShare(kv: KVNamespace, kind: ShareKind, workspaceId: number): Promise<() => void> {
  const taken = takenOf(kv)[kind];
  const { ofWorkspace, ofInstance } = MOST[kind];
  const giveUpAt = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const now = Date.now();
    for (const one of taken) if (now - one.usedAt >= LOST_MS) taken.delete(one);
    const own = [...taken].filter((one) => one.workspaceId === workspaceId);
    if (own.length < ofWorkspace && taken.size < ofInstance) break;
    if (now >= giveUpAt) throw tooManyAttempts();
    await sleep(PAUSE_MS);
  }
  const share = { workspaceId, usedAt: Date.now() };
  taken.add(share);
  const beat = setInterval(() => {
    share.usedAt = Date.now();
  }, BEAT_MS);
  return () => {
    clearInterval(beat);
    taken.delete(share);
  };
}

/** Does work with a share of its own. */
export async function withShare<T>(
  kv: KVNamespace,
  kind: ShareKind,
  workspaceId: number,
  work: () => Promise<T>,
): Promise<T> {
  const free = await takeShare(kv, kind, workspaceId);
  try {
    return await work();
  } finally {
    free();
  }
}
