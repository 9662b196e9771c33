import type { CacheEntry } from "./cache";

// One instance's memory of slugs. It is keyed by the KV binding, which lives as long as the instance.

const MEMORY_MS = 5_000;
const MAX_REMEMBERED = 1_000;
const MAX_OUTDATED = 10_000;
const MAX_LOOKUPS = 1_000;
/** A changed slug whose push failed is read from D1 this long. Matches the lease. */
const OUTDATED_MS = 300_000;

export interface SlugMemory {
  /** Oldest first: a Map keeps insertion order. */
  remembered: Map<string, { entry: CacheEntry; readAt: number }>;
  /** Pending D1 lookups by slug. */
  pendingLookups: Map<string, Promise<CacheEntry | undefined>>;
  /** Slugs that this instance changed and KV may still hold in their previous state, oldest change first. */
  outdated: Map<string, { change: number; at: number }>;
  /** Every slug counts as outdated in KV until then, because `outdated` was full. */
  allOutdatedUntil?: number;
  /** Incremented by every change of this instance. A read from before a change must not be remembered after it. */
  changes: number;
}

const isolates = new WeakMap<KVNamespace, SlugMemory>();

export function slugMemoryOf(kv: KVNamespace): SlugMemory {
  const known = isolates.get(kv);
  if (known !== undefined) return known;
  const fresh: SlugMemory = {
    remembered: new Map(),
    pendingLookups: new Map(),
    outdated: new Map(),
    changes: 0,
  };
  isolates.set(kv, fresh);
  return fresh;
}

/** The remembered entry, if it is within its lease and was read less than five seconds ago. */
export function findRemembered(memory: SlugMemory, key: string, now: number): CacheEntry | undefined {
  const found = memory.remembered.get(key);
  if (found === undefined) return undefined;
  const age = now - found.readAt;
  if (age >= 0 && age < MEMORY_MS && now < found.entry.expiresAt) return found.entry;
  memory.remembered.delete(key);
  return undefined;
}

/** Remembers an entry read at `readAt`, unless this instance has made a change since `changes` was read. */
export function remember(
  memory: SlugMemory,
  key: string,
  entry: CacheEntry,
  readAt: number,
  changes: number,
): void {
  if (memory.changes !== changes) return;
  const { remembered } = memory;
  if (remembered.size >= MAX_REMEMBERED && !remembered.has(key)) {
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest);
      break;
    }
  }
  remembered.delete(key);
  remembered.set(key, { entry, readAt });
}

/** Forgets a changed slug and ignores KV for it until `markPushed` gets the returned change number. */
export function markChanged(memory: SlugMemory, key: string, now: number): number {
  memory.changes++;
  memory.remembered.delete(key);
  memory.pendingLookups.delete(key);
  const { outdated } = memory;
  outdated.delete(key);
  outdated.set(key, { change: memory.changes, at: now });
  evictOutdated(memory, now);
  return memory.changes;
}

/** Drops expired entries. Past the limit it drops the oldest one, and then every slug counts as outdated. */
function evictOutdated(memory: SlugMemory, now: number): void {
  for (const [key, { at }] of memory.outdated) {
    const hasLapsed = now - at >= OUTDATED_MS;
    if (!hasLapsed && memory.outdated.size <= MAX_OUTDATED) return;
    memory.outdated.delete(key);
    if (!hasLapsed) memory.allOutdatedUntil = Math.max(memory.allOutdatedUntil ?? 0, at + OUTDATED_MS);
  }
}

/** Shares a pending lookup. If its request is cancelled, the promise may never settle. */
export function shareLookup(
  { pendingLookups }: SlugMemory,
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

/** KV now holds the slug's state after the given change. */
export function markPushed(memory: SlugMemory, key: string, change: number): void {
  const outdated = memory.outdated.get(key);
  if (outdated !== undefined && outdated.change <= change) memory.outdated.delete(key);
}

/** True if KV may still hold the state from before a change of this instance. */
export function isKvOutdated(memory: SlugMemory, key: string, now: number): boolean {
  if (memory.allOutdatedUntil !== undefined && now < memory.allOutdatedUntil) return true;
  if (memory.outdated.size === 0) return false;
  const outdated = memory.outdated.get(key);
  if (outdated === undefined) return false;
  if (now - outdated.at < OUTDATED_MS) return true;
  memory.outdated.delete(key);
  return false;
}
