import { perBinding, RecentMap } from "../../lib/memory";
import type { CacheEntry } from "./cache";

// One instance's memory of slugs.

const MEMORY_MS = 5_000;
const MAX_REMEMBERED = 1_000;
/** Ten rules can have 80 KB. */
const MAX_REMEMBERED_WITH_RULES = 100;
/** Of one workspace. */
const MAX_OUTDATED = 2_000;
const MAX_OUTDATED_IN_ALL = 20_000;
const MAX_LOOKUPS = 1_000;
/** A changed slug whose push failed is read from D1 this long. Matches the lease. */
const OUTDATED_MS = 300_000;

interface Change {
  change: number;
  at: number;
}

interface Remembered {
  entry: CacheEntry;
  readAt: number;
}

export const slugMemoryOf = perBinding((_: KVNamespace) => ({
  remembered: new RecentMap<Remembered>(MAX_REMEMBERED),
  rememberedWithRules: new RecentMap<Remembered>(MAX_REMEMBERED_WITH_RULES),
  /** Pending D1 lookups by slug. */
  pendingLookups: new RecentMap<Promise<CacheEntry | undefined>>(MAX_LOOKUPS),
  /** Slugs that this instance changed and KV may still hold in their previous state, by workspace, oldest change first. */
  outdated: new Map<number, Map<string, Change>>(),
  /** Workspaces of which any slug may be outdated in KV until then, because they changed too many. */
  inDoubt: new Map<number, number>(),
  /** Incremented by every change of this instance. A read from before a change must not be remembered after it. */
  changes: 0,
}));

export type SlugMemory = ReturnType<typeof slugMemoryOf>;

/** The remembered entry, if it is within its lease and was read less than five seconds ago. */
export function findRemembered(memory: SlugMemory, key: string, now: number): CacheEntry | undefined {
  const found = memory.remembered.get(key) ?? memory.rememberedWithRules.get(key);
  if (found === undefined) return undefined;
  const age = now - found.readAt;
  if (age >= 0 && age < MEMORY_MS && now < found.entry.expiresAt) return found.entry;
  forget(memory, key);
  return undefined;
}

function forget(memory: SlugMemory, key: string): void {
  memory.remembered.delete(key);
  memory.rememberedWithRules.delete(key);
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
  forget(memory, key);
  const remembered = entry.rules === null ? memory.remembered : memory.rememberedWithRules;
  remembered.set(key, { entry, readAt });
}

/** Forgets a changed slug and ignores KV for it until `markPushed` gets the returned change number. */
export function markChanged(
  memory: SlugMemory,
  { key, workspace_id: workspaceId }: { key: string; workspace_id: number },
  now: number,
): number {
  memory.changes++;
  forget(memory, key);
  memory.pendingLookups.delete(key);
  const outdated = memory.outdated.get(workspaceId) ?? new Map<string, Change>();
  memory.outdated.set(workspaceId, outdated);
  outdated.delete(key);
  outdated.set(key, { change: memory.changes, at: now });
  evictOutdated(memory, workspaceId, MAX_OUTDATED, now);
  if (sizeOf(memory) > MAX_OUTDATED_IN_ALL) evictAny(memory, now);
  return memory.changes;
}

const sizeOf = ({ outdated }: SlugMemory): number =>
  [...outdated.values()].reduce((sum, { size }) => sum + size, 0);

/** Drops the expired changes of all workspaces, and half of those of the workspace with most if that is not enough. */
function evictAny(memory: SlugMemory, now: number): void {
  for (const workspaceId of memory.outdated.keys()) evictOutdated(memory, workspaceId, MAX_OUTDATED, now);
  if (sizeOf(memory) <= MAX_OUTDATED_IN_ALL) return;
  const [most] = [...memory.outdated].toSorted(([, one], [, other]) => other.size - one.size);
  if (most !== undefined) evictOutdated(memory, most[0], Math.floor(most[1].size / 2), now);
}

/** Drops the expired changes of a workspace. Past the limit it drops the oldest ones, and then the workspace is in doubt. */
function evictOutdated(memory: SlugMemory, workspaceId: number, limit: number, now: number): void {
  const outdated = memory.outdated.get(workspaceId);
  for (const [key, { at }] of outdated ?? []) {
    const hasLapsed = now - at >= OUTDATED_MS;
    if (outdated === undefined || (!hasLapsed && outdated.size <= limit)) break;
    outdated.delete(key);
    if (hasLapsed) continue;
    memory.inDoubt.set(workspaceId, Math.max(memory.inDoubt.get(workspaceId) ?? 0, at + OUTDATED_MS));
  }
  if (outdated?.size === 0) memory.outdated.delete(workspaceId);
}

/** KV now holds the slug's state after the given change. */
export function markPushed(
  { outdated }: SlugMemory,
  { key, workspace_id: workspaceId }: { key: string; workspace_id: number },
  change: number,
): void {
  const ofWorkspace = outdated.get(workspaceId);
  const found = ofWorkspace?.get(key);
  if (ofWorkspace === undefined || found === undefined || found.change > change) return;
  ofWorkspace.delete(key);
  if (ofWorkspace.size === 0) outdated.delete(workspaceId);
}

/** True if KV may hold a slug's state from before a change of this instance. */
export function isKvOutdated({ outdated }: SlugMemory, key: string, now: number): boolean {
  for (const ofWorkspace of outdated.values()) {
    const found = ofWorkspace.get(key);
    if (found !== undefined && now - found.at < OUTDATED_MS) return true;
  }
  return false;
}

/** True if this instance changed so many slugs of the workspace that any of its entries in KV may be outdated. */
export function isInDoubt({ inDoubt }: SlugMemory, workspaceId: number, now: number): boolean {
  const until = inDoubt.get(workspaceId);
  if (until === undefined) return false;
  if (now < until) return true;
  inDoubt.delete(workspaceId);
  return false;
}
