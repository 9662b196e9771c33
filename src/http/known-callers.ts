// Keys and sessions that an instance has seen. Every request still checks them in D1.

const MAX_KEYS = 10_000;
const MAX_SESSIONS = 1_000;

/** The immutable ids of an API key. */
export interface KnownKey {
  keyId: number;
  publicId: string;
  workspaceId: number;
}

interface Memory {
  /** By the hash of the key, least recently used first. */
  keys: Map<string, KnownKey>;
  /** By their hash. Same order. */
  sessions: Map<string, true>;
}

/** Keyed by the KV binding, which lives as long as the instance. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(kv: KVNamespace): Memory {
  const known = memories.get(kv);
  if (known !== undefined) return known;
  const fresh: Memory = { keys: new Map(), sessions: new Map() };
  memories.set(kv, fresh);
  return fresh;
}

/** Inserts an entry as the most recent, and evicts the least recent above `limit`. */
function remember<T>(entries: Map<string, T>, name: string, value: T, limit: number): void {
  entries.delete(name);
  entries.set(name, value);
  if (entries.size <= limit) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}

/** The key with this hash, if it was valid when last seen. */
export const knownKey = (kv: KVNamespace, hash: string): KnownKey | undefined => memoryOf(kv).keys.get(hash);

export const rememberKey = (kv: KVNamespace, hash: string, key: KnownKey): void =>
  remember(memoryOf(kv).keys, hash, key, MAX_KEYS);

export const forgetKey = (kv: KVNamespace, hash: string): boolean => memoryOf(kv).keys.delete(hash);

export const isKnownSession = (kv: KVNamespace, hash: string): boolean => memoryOf(kv).sessions.has(hash);

export function rememberSession(kv: KVNamespace, hash: string, isValid: boolean): void {
  const { sessions } = memoryOf(kv);
  if (isValid) remember(sessions, hash, true, MAX_SESSIONS);
  else sessions.delete(hash);
}
