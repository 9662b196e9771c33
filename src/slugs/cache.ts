// What KV holds of a slug, and for how long it may be believed.

const REFRESH_SECONDS = 60;
/** Leaves a minute of the lease to the visits that find the value due for a refresh. */
const MAX_REFRESH_SECONDS = 240;
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

type Content = Pick<CacheEntry, "rev" | "target" | "link">;

/** An entry read from D1 at `readAt`, a time from before that read; `before` is the one that it refreshes. */
export const leased = ({ rev, target, link }: Content, readAt: number, before?: CacheEntry): CacheEntry => ({
  rev,
  target,
  link,
  refreshAt: readAt + 1000 * refreshSeconds({ rev, target, link }, before),
  expiresAt: readAt + 1000 * LEASE_SECONDS,
});

/** How long an entry is fresh: a minute, and twice as long after each refresh that found nothing changed. */
function refreshSeconds({ rev, target, link }: Content, before: CacheEntry | undefined): number {
  const isUnchanged = before?.rev === rev && before.target === target && before.link === link;
  if (!isUnchanged) return REFRESH_SECONDS;
  const secondsBefore = LEASE_SECONDS - (before.expiresAt - before.refreshAt) / 1000;
  return Math.min(MAX_REFRESH_SECONDS, Math.max(REFRESH_SECONDS, 2 * secondsBefore));
}

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
