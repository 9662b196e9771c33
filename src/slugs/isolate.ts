import type { CacheEntry } from "./cache";

// What one instance of the Worker knows of slugs, kept beside its KV binding and gone with it.

const MEMORY_MS = 5_000;
const MAX_REMEMBERED = 1_000;
const MAX_OUTDATED = 10_000;
const MAX_LOOKUPS = 1_000;
/** A slug that this instance changed but could not bring to KV is read from D1 for this long: as long as leases. */
const OUTDATED_MS = 300_000;

export interface Isolate {
  /** Oldest first, as a Map keeps its keys. */
  remembered: Map<string, { entry: CacheEntry; readAt: number }>;
  /** Look-ups of D1 under way, by slug. */
  pendingLookups: Map<string, Promise<CacheEntry | undefined>>;
  /** The slugs that this instance changed and KV may still have as they were, the one changed longest ago first. */
  outdated: Map<string, { change: number; at: number }>;
  /** Until then KV is not believed of any slug: more were outdated than are remembered. */
  distrustsKvUntil?: number;
  /** Grows with every change that this instance makes: what was read before must not be remembered after. */
  changes: number;
}

const isolates = new WeakMap<KVNamespace, Isolate>();

export function isolateOf(kv: KVNamespace): Isolate {
  const known = isolates.get(kv);
  if (known !== undefined) return known;
  const fresh: Isolate = {
    remembered: new Map(),
    pendingLookups: new Map(),
    outdated: new Map(),
    changes: 0,
  };
  isolates.set(kv, fresh);
  return fresh;
}

/** What is remembered of a slug: at most five seconds old, counted from its read, and within its lease. */
export function recall(isolate: Isolate, key: string, now: number): CacheEntry | undefined {
  const found = isolate.remembered.get(key);
  if (found === undefined) return undefined;
  const age = now - found.readAt;
  if (age >= 0 && age < MEMORY_MS && now < found.entry.expiresAt) return found.entry;
  isolate.remembered.delete(key);
  return undefined;
}

/** Remembers what was read at `readAt`, unless this instance has changed something since it counted `changes`. */
export function remember(
  isolate: Isolate,
  key: string,
  entry: CacheEntry,
  readAt: number,
  changes: number,
): void {
  if (isolate.changes !== changes) return;
  const { remembered } = isolate;
  if (remembered.size >= MAX_REMEMBERED && !remembered.has(key)) {
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest);
      break;
    }
  }
  remembered.delete(key);
  remembered.set(key, { entry, readAt });
}

/**
 * The instance that writes a slug forgets it, and does not believe KV of it until its own push is there: `caughtUp`
 * with the number that this returns.
 */
export function forget(isolate: Isolate, key: string, now: number): number {
  isolate.changes++;
  isolate.remembered.delete(key);
  isolate.pendingLookups.delete(key);
  const { outdated } = isolate;
  outdated.delete(key);
  outdated.set(key, { change: isolate.changes, at: now });
  boundOutdated(isolate, now);
  return isolate.changes;
}

/** Gives up what has lapsed and, where there is still too much, the slug changed longest ago, with the trust in KV. */
function boundOutdated(isolate: Isolate, now: number): void {
  for (const [key, { at }] of isolate.outdated) {
    const hasLapsed = now - at >= OUTDATED_MS;
    if (!hasLapsed && isolate.outdated.size <= MAX_OUTDATED) return;
    isolate.outdated.delete(key);
    if (!hasLapsed) isolate.distrustsKvUntil = Math.max(isolate.distrustsKvUntil ?? 0, at + OUTDATED_MS);
  }
}

/** Shares a look-up of D1 with those who ask for the slug meanwhile. One whose request was cancelled may never end. */
export function shareLookup(
  { pendingLookups }: Isolate,
  key: string,
  lookup: Promise<CacheEntry | undefined>,
): void {
  if (pendingLookups.size >= MAX_LOOKUPS && !pendingLookups.has(key)) {
    for (const oldest of pendingLookups.keys()) {
      pendingLookups.delete(oldest);
      break;
    }
  }
  pendingLookups.set(key, lookup);
}

/** KV has the slug as this instance knew it after its change number `change`. */
export function caughtUp(isolate: Isolate, key: string, change: number): void {
  const outdated = isolate.outdated.get(key);
  if (outdated !== undefined && outdated.change <= change) isolate.outdated.delete(key);
}

/** Whether KV may have the slug as it was before a change that this very instance made. */
export function isOutdated(isolate: Isolate, key: string, now: number): boolean {
  if (isolate.distrustsKvUntil !== undefined && now < isolate.distrustsKvUntil) return true;
  if (isolate.outdated.size === 0) return false;
  const outdated = isolate.outdated.get(key);
  if (outdated === undefined) return false;
  if (now - outdated.at < OUTDATED_MS) return true;
  isolate.outdated.delete(key);
  return false;
}
