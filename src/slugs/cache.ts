// The KV entry of a slug and its lease.

const REFRESH_SECONDS = 60;
/** Leaves at least a minute of the lease in which a visit can trigger the refresh. */
const MAX_REFRESH_SECONDS = 240;
const LEASE_SECONDS = 300;
/** How long after its lease an entry is served while D1 is unavailable. */
export const STALE_SECONDS = 3600;
const CACHE_TTL_SECONDS = 30;

export interface CacheEntry {
  rev: number;
  /** Redirect target with UTM parameters; null for a slug without a live link. */
  target: string | null;
  /** Public id of the link, or "" for a deleted link. A null target with a non-null link is a takedown. */
  link: string | null;
  /** Both times are milliseconds since the epoch, counted from before the D1 read. */
  refreshAt: number;
  expiresAt: number;
}

type Content = Pick<CacheEntry, "rev" | "target" | "link">;

/** Adds a lease. `readAt` is a time before the D1 read; `before` is the entry to refresh. */
export const leased = ({ rev, target, link }: Content, readAt: number, before?: CacheEntry): CacheEntry => ({
  rev,
  target,
  link,
  refreshAt: readAt + 1000 * refreshSeconds({ rev, target, link }, before),
  expiresAt: readAt + 1000 * LEASE_SECONDS,
});

/** Starts at a minute and doubles with each refresh that finds no change. */
function refreshSeconds({ rev, target, link }: Content, before: CacheEntry | undefined): number {
  const isUnchanged = before?.rev === rev && before.target === target && before.link === link;
  if (!isUnchanged) return REFRESH_SECONDS;
  const secondsBefore = LEASE_SECONDS - (before.expiresAt - before.refreshAt) / 1000;
  return Math.min(MAX_REFRESH_SECONDS, Math.max(REFRESH_SECONDS, 2 * secondsBefore));
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Parses a KV value. Returns undefined for anything but an entry. */
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

/** Reads a slug's entry. Throws if KV fails. */
export const readEntry = async (kv: KVNamespace, key: string): Promise<CacheEntry | undefined> =>
  parseEntry(await kv.get(key, { type: "text", cacheTtl: CACHE_TTL_SECONDS }));

export const writeEntry = (kv: KVNamespace, key: string, entry: CacheEntry): Promise<void> =>
  kv.put(key, JSON.stringify(entry), { expirationTtl: LEASE_SECONDS + STALE_SECONDS });
