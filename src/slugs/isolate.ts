import type { CacheEntry } from "./cache";

// What one instance of the Worker knows of slugs, kept beside its KV binding and gone with it.

const MEMORY_MS = 5_000;
const MOST_REMEMBERED = 1_000;
/** A slug that this instance changed but could not bring to KV is read from D1 for this long: as long as leases. */
const OUTDATED_MS = 300_000;

export interface Isolate {
  /** Oldest first, as a Map keeps its keys. */
  remembered: Map<string, { entry: CacheEntry; readAt: number }>;
  /** Look-ups of D1 under way, by slug. */
  flights: Map<string, Promise<CacheEntry | undefined>>;
  /** The slugs that this instance changed and KV may still have as they were. */
  outdated: Map<string, { change: number; at: number }>;
  /** Grows with every change that this instance makes: what was read before must not be remembered after. */
  changes: number;
}

const isolates = new WeakMap<KVNamespace, Isolate>();

export function isolateOf(kv: KVNamespace): Isolate {
  const known = isolates.get(kv);
  if (known !== undefined) return known;
  const fresh: Isolate = { remembered: new Map(), flights: new Map(), outdated: new Map(), changes: 0 };
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
  if (remembered.size >= MOST_REMEMBERED && !remembered.has(key)) {
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
  isolate.flights.delete(key);
  isolate.outdated.set(key, { change: isolate.changes, at: now });
  return isolate.changes;
}

/** KV has the slug as this instance knew it after its change number `change`. */
export function caughtUp(isolate: Isolate, key: string, change: number): void {
  const outdated = isolate.outdated.get(key);
  if (outdated !== undefined && outdated.change <= change) isolate.outdated.delete(key);
}

/** Whether KV may have the slug as it was before a change that this very instance made. */
export function isOutdated(isolate: Isolate, key: string, now: number): boolean {
  if (isolate.outdated.size === 0) return false;
  const outdated = isolate.outdated.get(key);
  if (outdated === undefined) return false;
  if (now - outdated.at < OUTDATED_MS) return true;
  isolate.outdated.delete(key);
  return false;
}
