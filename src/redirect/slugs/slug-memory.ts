import { perBinding, RecentMap } from "../../lib/recent-map";
import type { CacheEntry } from "./cache";

const MEMORY_MS = 5_000;
const MAX_REMEMBERED = 1_000;
/** Ten rules can have 80 KB, a logo 27, and the files of a domain 32. */
const MAX_REMEMBERED_WITH_RULES = 100;
const MAX_LOOKUPS = 1_000;
const MAX_TIMES = 10_000;

interface Remembered {
  entry: CacheEntry;
  readAt: number;
}

export const slugMemoryOf = perBinding((_: KVNamespace) => ({
  remembered: new RecentMap<Remembered>(MAX_REMEMBERED),
  rememberedWithRules: new RecentMap<Remembered>(MAX_REMEMBERED_WITH_RULES),
  pendingLookups: new RecentMap<Promise<CacheEntry | undefined>>(MAX_LOOKUPS),
  /** When slugs were written to KV because it had nothing. */
  filledAt: new RecentMap<number>(MAX_TIMES),
  /** When slugs were compared with D1. */
  checkedAt: new RecentMap<number>(MAX_TIMES),
  lastCheckAt: 0,
  /** The list of doubts: what KV may not show yet. */
  doubts: new Map<string, Doubt>(),
  hasHosts: false,
  hasWorkspaces: false,
  /** The change since which everything is in doubt, since the list would have too many entries; 0 if D1 says so, else null. */
  allInDoubtSince: null as number | null,
  /** When D1 was last asked for the list; 0 before. */
  listAskedAt: 0,
  /** Incremented by every change of this instance. A read from before a change must not be remembered after it. */
  changes: 0,
}));

export type SlugMemory = ReturnType<typeof slugMemoryOf>;

export interface Doubt {
  /** What visitors see without D1: that it was taken down, or nothing. Null if only D1 knows. */
  state: "taken_down" | "gone" | null;
  /** The change of this instance that put it on the list; 0 if D1 has it. */
  change: number;
  /** The row id of the slug's workspace, if this instance has changed it. */
  workspace?: number;
}

/** The remembered entry, if it was read less than five seconds ago. */
export function findRemembered(memory: SlugMemory, key: string, now: number): CacheEntry | undefined {
  const found = memory.remembered.get(key) ?? memory.rememberedWithRules.get(key);
  if (found === undefined) return undefined;
  const age = now - found.readAt;
  if (age >= 0 && age < MEMORY_MS) return found.entry;
  forget(memory, key);
  return undefined;
}

export function forget(memory: SlugMemory, key: string): void {
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
  const isLarge = (entry.rules ?? entry.brand?.logo ?? entry.app_files) !== undefined;
  const remembered = isLarge ? memory.rememberedWithRules : memory.remembered;
  remembered.set(key, { entry, readAt });
}
