import { perBinding, remember } from "../lib/memory";

// Keys and sessions that an instance has seen. Every request still checks them in D1.

const MAX_KEYS = 10_000;
const MAX_SESSIONS = 1_000;

/** The immutable ids of an API key. */
export interface KnownKey {
  keyId: number;
  publicId: string;
  workspaceId: number;
}

const memoryOf = perBinding((_: KVNamespace) => ({
  /** By the hash of the key, least recently used first. */
  keys: new Map<string, KnownKey>(),
  /** Who is counted, by the hash of the session. Same order. */
  sessions: new Map<string, string>(),
}));

/** The key with this hash, if it was valid when last seen. */
export const knownKey = (kv: KVNamespace, hash: string): KnownKey | undefined => memoryOf(kv).keys.get(hash);

export const rememberKey = (kv: KVNamespace, hash: string, key: KnownKey): void =>
  remember(memoryOf(kv).keys, hash, key, MAX_KEYS);

export const forgetKey = (kv: KVNamespace, hash: string): boolean => memoryOf(kv).keys.delete(hash);

/** Who is counted for the session with this hash, if it was valid when last seen. */
export const callerOfSession = (kv: KVNamespace, hash: string): string | undefined =>
  memoryOf(kv).sessions.get(hash);

/** Forgets the session without a caller. */
export function rememberSession(kv: KVNamespace, hash: string, caller: string | undefined): void {
  const { sessions } = memoryOf(kv);
  if (caller === undefined) sessions.delete(hash);
  else remember(sessions, hash, caller, MAX_SESSIONS);
}
