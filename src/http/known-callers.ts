import type { Person } from "../workspaces/sessions";

// The keys and people that an instance has seen. What they may do is never taken from here: the database says it again for
// every request, and a page that was made for a person as remembered is sent only if they are still the same.

const MAX_KEYS = 10_000;
const MAX_PEOPLE = 1_000;

/** What never changes of an API key: its own row and its workspace's. */
export interface KnownKey {
  keyId: number;
  publicId: string;
  workspaceId: number;
}

interface Memory {
  /** By the hash of the key, the one used longest ago first. */
  keys: Map<string, KnownKey>;
  /** By the hash of the session or, with Cloudflare Access, by the e-mail address; in the same order. */
  people: Map<string, Person>;
}

/** An instance's memory is kept beside its KV binding and gone with it. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(kv: KVNamespace): Memory {
  const known = memories.get(kv);
  if (known !== undefined) return known;
  const fresh: Memory = { keys: new Map(), people: new Map() };
  memories.set(kv, fresh);
  return fresh;
}

/** Makes an entry the last one, and drops the first if there are more than `limit`. */
function remember<T>(entries: Map<string, T>, name: string, value: T, limit: number): void {
  entries.delete(name);
  entries.set(name, value);
  if (entries.size <= limit) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}

/** The key with this hash, if it was good when this instance last saw it. */
export const knownKey = (kv: KVNamespace, hash: string): KnownKey | undefined => memoryOf(kv).keys.get(hash);

export const rememberKey = (kv: KVNamespace, hash: string, key: KnownKey): void =>
  remember(memoryOf(kv).keys, hash, key, MAX_KEYS);

export const forgetKey = (kv: KVNamespace, hash: string): boolean => memoryOf(kv).keys.delete(hash);

/** The person as this instance last saw them, by the hash of their session or their e-mail address. */
export const knownPerson = (kv: KVNamespace, name: string): Person | undefined =>
  memoryOf(kv).people.get(name);

export const rememberPerson = (kv: KVNamespace, name: string, person: Person): void =>
  remember(memoryOf(kv).people, name, person, MAX_PEOPLE);

export const forgetPerson = (kv: KVNamespace, name: string): boolean => memoryOf(kv).people.delete(name);
