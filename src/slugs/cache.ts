// What KV holds of a slug, and for how long it may be believed.

const REFRESH_SECONDS = 60;
const LEASE_SECONDS = 300;
/** How long past its lease a value may be served while the database does not answer. */
export const STALE_SECONDS = 3600;
const CACHE_TTL_SECONDS = 30;

export interface CacheEntry {
  rev: number;
  /** Where the link leads, UTM parameters included; null where the slug opens nothing. */
  target: string | null;
  /** Public id of the link, or empty where it is gone; with a null target either means that it was taken down. */
  link: string | null;
  /** Both in milliseconds since the epoch, counted from before the read of D1. */
  refreshAt: number;
  expiresAt: number;
}

/** An entry read from D1 at `readAt`, a time from before that read. */
export const leased = (
  row: { rev: number; target: string | null; link: string | null },
  readAt: number,
): CacheEntry => ({
  rev: row.rev,
  target: row.target,
  link: row.link,
  refreshAt: readAt + REFRESH_SECONDS * 1000,
  expiresAt: readAt + LEASE_SECONDS * 1000,
});

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** The entry in a KV value, or undefined where it is none of ours. */
export function parseEntry(text: string | null): CacheEntry | undefined {
  if (text === null) return undefined;
  try {
    const value: Partial<Record<keyof CacheEntry, unknown>> | null = JSON.parse(text);
    if (value === null || typeof value !== "object") return undefined;
    const { rev, target, link, refreshAt, expiresAt } = value;
    if (!Number.isInteger(rev) || !Number.isInteger(refreshAt) || !Number.isInteger(expiresAt))
      return undefined;
    if (!isTextOrNull(target) || !isTextOrNull(link)) return undefined;
    return { rev: Number(rev), target, link, refreshAt: Number(refreshAt), expiresAt: Number(expiresAt) };
  } catch {
    return undefined;
  }
}

/** Reads a slug's entry; throws where KV does not answer. */
export const readEntry = async (kv: KVNamespace, key: string): Promise<CacheEntry | undefined> =>
  parseEntry(await kv.get(key, { type: "text", cacheTtl: CACHE_TTL_SECONDS }));

export const writeEntry = (kv: KVNamespace, key: string, entry: CacheEntry): Promise<void> =>
  kv.put(key, JSON.stringify(entry), { expirationTtl: LEASE_SECONDS + STALE_SECONDS });
