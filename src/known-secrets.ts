// The keys and sessions that an instance has seen to be good, with the rows that they lead to. What these may do is
// never remembered: the database says it again for every request.

const MAX_SECRETS = 10_000;

/** What never changes of an API key: its own row and its workspace's. */
export interface KnownKey {
  keyId: number;
  publicId: string;
  workspaceId: number;
}

interface Memory {
  /** By the hash of the key, the one used longest ago first. */
  keys: Map<string, KnownKey>;
  /** Hashes of sessions, in the same order. */
  sessions: Set<string>;
}

/** An instance's memory is kept beside its KV binding and gone with it. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(kv: KVNamespace): Memory {
  const known = memories.get(kv);
  if (known !== undefined) return known;
  const fresh: Memory = { keys: new Map(), sessions: new Set() };
  memories.set(kv, fresh);
  return fresh;
}

/** Deletes the first entry where a collection has more than 10,000. */
function boundSize(entries: Map<string, unknown> | Set<string>): void {
  if (entries.size <= MAX_SECRETS) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}

/** The key with this hash, where it was good when this instance last saw it. */
export const knownKey = (kv: KVNamespace, hash: string): KnownKey | undefined => memoryOf(kv).keys.get(hash);

export function rememberKey(kv: KVNamespace, hash: string, key: KnownKey): void {
  const { keys } = memoryOf(kv);
  keys.delete(hash);
  keys.set(hash, key);
  boundSize(keys);
}

export function forgetKey(kv: KVNamespace, hash: string): void {
  memoryOf(kv).keys.delete(hash);
}

/** Whether the session with this hash was good when this instance last saw it. */
export const isKnownSession = (kv: KVNamespace, hash: string): boolean => memoryOf(kv).sessions.has(hash);

export function rememberSession(kv: KVNamespace, hash: string): void {
  const { sessions } = memoryOf(kv);
  sessions.delete(hash);
  sessions.add(hash);
  boundSize(sessions);
}

export function forgetSession(kv: KVNamespace, hash: string): void {
  memoryOf(kv).sessions.delete(hash);
}
