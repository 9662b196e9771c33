import { perBinding, RecentMap } from "../lib/recent-map";

// Keys and sessions that an instance has seen. Every request still checks them in D1.

const MAX_KEYS = 10_000;
const MAX_SESSIONS = 1_000;

export interface KnownKey {
  keyId: number;
  publicId: string;
  workspaceId: number;
}

/** The keys that were valid when last seen, by their hash. */
export const knownKeys = perBinding((_: KVNamespace) => new RecentMap<KnownKey>(MAX_KEYS));

/** Who is counted for the sessions that were valid when last seen, by the hash of the session. */
export const callersOfSessions = perBinding((_: KVNamespace) => new RecentMap<string>(MAX_SESSIONS));
