import { domainOfKey, isSettingsKey } from "../../lib/slug-text";
import type { CacheEntry } from "./cache";
import { type Doubt, forget, type SlugMemory } from "./slug-memory";

// An instance's list of doubts. D1 knows what KV may not show yet, and an instance asks for it once a minute.

/** With more, everything is in doubt. */
export const MAX_DOUBTS = 1_000;
/** The slugs of a workspace that an instance lists by key because it has changed them itself. */
const MAX_OWN = 20;
const MAX_OWN_TAKEDOWNS = 300;
const LIST_MS = 60_000;

/** What can be in doubt as a whole. A slug is listed by its key. */
export type DoubtKind = "workspace" | "domain" | "host";

/** The name of an entry. No key has two colons. */
export const doubtName = (kind: DoubtKind, name: string | number): string => `${kind}::${name}`;

/** The first doubt that says what visitors see without D1, else the first. */
function preferState(doubts: readonly (Doubt | undefined)[]): Doubt | undefined {
  const found = doubts.filter((doubt) => doubt !== undefined);
  return found.find(({ state }) => state !== null) ?? found[0];
}

/** The doubt of a URL's host or of one above it. */
function findUrl({ doubts }: SlugMemory, url: string | null | undefined): Doubt | undefined {
  const labels = url ? new URL(url).hostname.replace(/\.$/, "").split(".") : [];
  return preferState(labels.map((_, index) => doubts.get(doubtName("host", labels.slice(index).join(".")))));
}

function findHost(memory: SlugMemory, { rules = [], ...entry }: CacheEntry): Doubt | undefined {
  const { target, active_window: window, preview, not_found: notFound, brand } = entry;
  // The host of what was taken down is not known, and may be allowed again.
  if (target === null && entry.link !== null) return { state: null, change: 0 };
  const urls = [
    window?.endedUrl,
    preview?.image,
    notFound,
    brand?.button?.url,
    ...rules.map((rule) => rule.target),
  ];
  const other = urls.map((url) => findUrl(memory, url)).find((doubt) => doubt !== undefined);
  // A link without one of its other addresses still opens.
  return preferState([findUrl(memory, target), other && { ...other, state: null }]);
}

/** Another workspace may have got the slug of a tombstone. */
const isTombstone = (key: string, { target, link }: CacheEntry): boolean =>
  target === null && link === null && !isSettingsKey(key);

/** Why KV may have an old entry of a slug; undefined if it is right. `entry` is what KV has. */
export function findDoubt(memory: SlugMemory, key: string, entry: CacheEntry | undefined): Doubt | undefined {
  const { doubts, allInDoubtSince } = memory;
  const all = allInDoubtSince === null ? undefined : { state: null, change: allInDoubtSince };
  if (doubts.size === 0) return all;
  return preferState([
    doubts.get(key),
    doubts.get(doubtName("domain", domainOfKey(key))),
    entry && doubts.get(doubtName("workspace", entry.workspace)),
    entry && memory.hasWorkspaces && isTombstone(key, entry) ? { state: null, change: 0 } : undefined,
    entry && memory.hasHosts ? findHost(memory, entry) : undefined,
    all,
  ]);
}

/** Whether the list has to be asked for. The caller does it. */
export function takesList(memory: SlugMemory, now: number): boolean {
  if (Math.abs(now - memory.listAskedAt) < LIST_MS) return false;
  memory.listAskedAt = now;
  return true;
}

/**
 * Replaces the list by that of D1, but for what this instance has changed since it was asked for. Forgets what it names, so
 * that memory needs no look at the list.
 */
export function replaceList(
  memory: SlugMemory,
  listed: readonly (readonly [name: string, state: Doubt["state"]])[],
  isAll: boolean,
  changes: number,
): void {
  const own = [...memory.doubts].filter(([, { change }]) => change > changes);
  memory.doubts = new Map(listed.map(([name, state]) => [name, { state, change: 0 }]));
  for (const [name, doubt] of own) memory.doubts.set(name, doubt);
  if (isAll || listed.length > MAX_DOUBTS) memory.allInDoubtSince = 0;
  else if ((memory.allInDoubtSince ?? 0) <= changes) memory.allInDoubtSince = null;
  evict(memory);
}

/** Puts a committed change of a slug on this instance's list; of a workspace with many, the workspace. */
export function listChange(
  memory: SlugMemory,
  { key, workspace_id: workspace }: { key: string; workspace_id: number },
  state: Doubt["state"],
): void {
  const { doubts } = memory;
  const change = ++memory.changes;
  forget(memory, key);
  memory.pendingLookups.delete(key);
  const most = state === "taken_down" ? MAX_OWN_TAKEDOWNS : MAX_OWN;
  const isMany = [...doubts.values()].filter((doubt) => doubt.workspace === workspace).length >= most;
  const name = isMany && !doubts.has(key) ? doubtName("workspace", workspace) : key;
  const isNew = !doubts.has(name);
  doubts.set(name, { state: name === key ? state : null, change, workspace });
  if (doubts.size > 2 * MAX_DOUBTS) memory.allInDoubtSince = change;
  if (isNew && name !== key) evict(memory);
}

export function listWideChange(
  memory: SlugMemory,
  kind: DoubtKind,
  name: string | number,
  state: Doubt["state"],
): void {
  memory.doubts.set(doubtName(kind, name), { state, change: ++memory.changes });
  memory.pendingLookups.clear();
  evict(memory);
}

function evict(memory: SlugMemory): void {
  const hasKind = (kind: DoubtKind) =>
    [...memory.doubts.keys()].some((name) => name.startsWith(doubtName(kind, "")));
  memory.hasHosts = hasKind("host");
  memory.hasWorkspaces = hasKind("workspace");
  for (const remembered of [memory.remembered, memory.rememberedWithRules])
    for (const [key, { entry }] of remembered)
      if (findDoubt(memory, key, entry) !== undefined) remembered.delete(key);
}
