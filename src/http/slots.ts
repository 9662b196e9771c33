import type { Env } from "../context";
import { tooManyAttempts } from "../errors";
import { perBinding } from "../lib/memory";
import { sleep } from "../lib/sleep";
import type { Payer, Trace } from "./request-log";
import { hasUsedUpTime } from "./work";

// D1 does one thing at a time for everybody. A payer's time is known when a request ends, so only a few may be under way.

/** Requests of one workspace, or of one report, on an instance. */
const MAX_AT_ONCE = 8;
const PAUSE_MS = 20;
const MAX_WAIT_MS = 30_000;
/** A request that its sender has cancelled may never end its slot. */
const MAX_SLOT_MS = 30_000;

/** When the slots under way began, by whose they are. */
const slotsOf = perBinding((_: KVNamespace) => new Map<string, Set<{ since: number }>>());

/** Waits until few requests of the same workspace are under way. 429 if the payer has used up its time meanwhile. */
export async function takeSlot(env: Env, trace: Trace, payer: Payer): Promise<void> {
  const name = payer.workspaceId === undefined ? payer.caller : `workspace:${payer.workspaceId}`;
  const all = slotsOf(env.KV);
  for (let waited = 0; isBusy(all.get(name)); waited += PAUSE_MS) {
    if (waited >= MAX_WAIT_MS) throw tooManyAttempts();
    await sleep(PAUSE_MS);
  }
  if (hasUsedUpTime(env, payer)) throw tooManyAttempts();
  const slots = all.get(name) ?? new Set();
  const slot = { since: Date.now() };
  all.set(name, slots.add(slot));
  trace.freeSlot = () => {
    slots.delete(slot);
    if (slots.size === 0) all.delete(name);
  };
}

function isBusy(slots: ReadonlySet<{ since: number }> = new Set()): boolean {
  if (slots.size < MAX_AT_ONCE) return false;
  const now = Date.now();
  return [...slots].filter(({ since }) => now - since < MAX_SLOT_MS).length >= MAX_AT_ONCE;
}
