import { tooManyAttempts } from "../errors";
import { perBinding, RecentMap } from "../lib/memory";
import { sleep } from "../lib/sleep";
import { hasUsedUpTime } from "./limits";
import { type Payer, payableOf } from "./request-log";
import type { TracedRequest } from "./trace";

// D1 does one thing at a time for everybody. A payer's time is known when a request ends, so only a few may be under way.

/** Lists and pages of one workspace on an instance. */
const MAX_AT_ONCE = 8;
/** If the last one was dear. */
const MAX_DEAR_AT_ONCE = 3;
const DEAR_MS = 150;
const PAUSE_MS = 20;
const MAX_WAIT_MS = 30_000;
/** What takes longer is no longer counted. */
const MAX_SLOT_MS = 30_000;
const MAX_REMEMBERED = 10_000;

interface Slots {
  /** When each request under way began. */
  taken: Set<{ since: number }>;
  most: number;
}

/** By workspace. */
const slotsOf = perBinding((_: KVNamespace) => new RecentMap<Slots>(MAX_REMEMBERED));

/** Waits until few requests of the same workspace are under way. 429 if the payer has used up its time, also meanwhile. */
export async function takeSlot(c: Omit<TracedRequest, "req">, payer: Payer): Promise<void> {
  const { env, executionCtx } = c;
  const { trace } = c.var;
  const name = String(payer.workspaceId);
  const slots = slotsOf(env.KV).get(name) ?? { taken: new Set(), most: MAX_AT_ONCE };
  slotsOf(env.KV).set(name, slots);
  for (let waited = 0; ; waited += PAUSE_MS) {
    if (hasUsedUpTime(env, payer) || waited > MAX_WAIT_MS) throw tooManyAttempts();
    if (!isBusy(slots)) break;
    await sleep(PAUSE_MS);
  }
  const slot = { since: Date.now() };
  slots.taken.add(slot);
  // A request that its sender cancels would otherwise stop, and never free its slot.
  executionCtx.waitUntil(
    new Promise<void>((resolve) => {
      trace.freeSlot = () => {
        slots.taken.delete(slot);
        slots.most = payableOf(trace) < DEAR_MS ? MAX_AT_ONCE : MAX_DEAR_AT_ONCE;
        resolve();
      };
    }),
  );
}

function isBusy({ taken, most }: Slots): boolean {
  if (taken.size < most) return false;
  const now = Date.now();
  for (const slot of taken) if (now - slot.since >= MAX_SLOT_MS) taken.delete(slot);
  return taken.size >= most;
}
