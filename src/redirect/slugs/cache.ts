import type { ActiveWindow } from "../../lib/active-window";
import type { Conditions } from "../../lib/rules";
import type { SlugKey } from "../../lib/slug-text";

// The KV entry of a slug and its lease.

const REFRESH_SECONDS = 60;
/** Leaves at least a minute of the lease in which a visit can trigger the refresh. */
const MAX_REFRESH_SECONDS = 240;
const LEASE_SECONDS = 300;
/** How long after its lease an entry is served while D1 is unavailable. */
export const STALE_SECONDS = 3600;
const CACHE_TTL_SECONDS = 30;

/** A rule of a link, with its target as that of the link. */
export interface CachedRule extends Conditions {
  /** What its visits are counted by. */
  key: string;
  target: string;
}

/** What chats and networks show of a link. */
export type CachedPreview = Record<"title" | "text" | "image", string | null>;

/** What pages for visitors show of the workspace. */
export type CachedBrand = Record<"name" | "colour", string | null>;

export interface CacheEntry {
  rev: number;
  /** Row id of its workspace. */
  workspace: number;
  /** Redirect target with UTM parameters; null for a slug without a live link. */
  target: string | null;
  /** Public id of the link, or "" for a deleted link. A null target with a non-null link is a takedown. */
  link: string | null;
  /** Public id of the Offline Engagement asset whose code the slug is; else null. */
  asset: string | null;
  /** Null if the link has neither a start nor an end. */
  activeWindow: ActiveWindow | null;
  /** Null for a link without rules. */
  rules: readonly CachedRule[] | null;
  /** Null for a link of which chats show what its destination says. */
  preview: CachedPreview | null;
  /** Null for a workspace whose pages for visitors are plain. */
  brand: CachedBrand | null;
  /** In the settings of a domain, whose `target` is where `/` leads: where unknown slugs lead. Else null. */
  notFound: string | null;
  /** Both times are milliseconds since the epoch, counted from before the D1 read. */
  refreshAt: number;
  expiresAt: number;
}

type Content = Omit<CacheEntry, "refreshAt" | "expiresAt">;

/** Adds a lease. `readAt` is a time before the D1 read; `before` is the entry to refresh. */
export const leased = (content: Content, readAt: number, before?: CacheEntry): CacheEntry => ({
  ...content,
  refreshAt: readAt + 1000 * refreshSeconds(content, before),
  expiresAt: readAt + 1000 * LEASE_SECONDS,
});

const isSame = (one: Content, other: Content): boolean =>
  one.rev === other.rev &&
  one.target === other.target &&
  one.link === other.link &&
  one.asset === other.asset &&
  one.notFound === other.notFound &&
  one.activeWindow?.startsAt === other.activeWindow?.startsAt &&
  one.activeWindow?.endsAt === other.activeWindow?.endsAt &&
  one.activeWindow?.endedUrl === other.activeWindow?.endedUrl &&
  JSON.stringify([one.rules, one.preview, one.brand]) ===
    JSON.stringify([other.rules, other.preview, other.brand]);

/** Starts at a minute and doubles with each refresh that finds no change. */
function refreshSeconds(content: Content, before: CacheEntry | undefined): number {
  if (before === undefined || !isSame(content, before)) return REFRESH_SECONDS;
  const secondsBefore = LEASE_SECONDS - (before.expiresAt - before.refreshAt) / 1000;
  return Math.min(MAX_REFRESH_SECONDS, Math.max(REFRESH_SECONDS, 2 * secondsBefore));
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

const isIntegerOrNull = (value: unknown): value is number | null => value === null || Number.isInteger(value);

/** Null for a value without an active window; undefined for a malformed one. */
function parseActiveWindow(value: unknown): ActiveWindow | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return undefined;
  const { startsAt, endsAt, endedUrl } = value as Partial<Record<keyof ActiveWindow, unknown>>;
  if (!isIntegerOrNull(startsAt) || !isIntegerOrNull(endsAt) || !isTextOrNull(endedUrl)) return undefined;
  return { startsAt, endsAt, endedUrl };
}

const isListOrNull = (value: unknown): boolean => value === null || Array.isArray(value);

function isRule(value: unknown): value is CachedRule {
  if (typeof value !== "object" || value === null) return false;
  const { key, target, countries, devices, languages, startsAt, endsAt, share } = value as Record<
    keyof CachedRule,
    unknown
  >;
  return (
    typeof key === "string" &&
    typeof target === "string" &&
    [countries, devices, languages].every(isListOrNull) &&
    [startsAt, endsAt, share].every(isIntegerOrNull)
  );
}

const hasTexts = <Name extends string>(
  value: unknown,
  ...names: Name[]
): value is Record<Name, string | null> => {
  if (typeof value !== "object" || value === null) return false;
  const texts = value as Record<Name, unknown>;
  return names.every((name) => isTextOrNull(texts[name]));
};

/** Parses a KV value. Returns undefined for anything but an entry. */
export function parseEntry(text: string | null): CacheEntry | undefined {
  if (text === null) return undefined;
  try {
    const value: Partial<Record<keyof CacheEntry | "active_window" | "not_found", unknown>> | null =
      JSON.parse(text);
    if (value === null || typeof value !== "object") return undefined;
    const {
      rev,
      workspace = 0,
      target,
      link,
      asset = null,
      not_found: notFound = null,
      rules = null,
      preview = null,
      brand = null,
      refreshAt,
      expiresAt,
    } = value;
    if (![rev, workspace, refreshAt, expiresAt].every((number) => Number.isInteger(number))) return undefined;
    if (!isTextOrNull(target) || !isTextOrNull(link) || !isTextOrNull(asset) || !isTextOrNull(notFound))
      return undefined;
    const activeWindow = parseActiveWindow(value.active_window);
    if (activeWindow === undefined || !(rules === null || (Array.isArray(rules) && rules.every(isRule))))
      return undefined;
    if (preview !== null && !hasTexts(preview, "title", "text", "image")) return undefined;
    if (brand !== null && !hasTexts(brand, "name", "colour")) return undefined;
    return {
      rev: Number(rev),
      workspace: Number(workspace),
      target,
      link,
      asset,
      activeWindow,
      rules,
      preview,
      brand,
      notFound,
      refreshAt: Number(refreshAt),
      expiresAt: Number(expiresAt),
    };
  } catch {
    return undefined;
  }
}

/** Reads a slug's entry. Throws if KV fails. */
export const readEntry = async (kv: KVNamespace, key: SlugKey): Promise<CacheEntry | undefined> =>
  parseEntry(await kv.get(key, { type: "text", cacheTtl: CACHE_TTL_SECONDS }));

/** What most slugs do not have is left out. */
const serialiseEntry = ({
  asset,
  activeWindow,
  rules,
  preview,
  brand,
  notFound,
  ...entry
}: CacheEntry): string =>
  JSON.stringify({
    ...entry,
    ...(asset !== null && { asset }),
    ...(activeWindow !== null && { active_window: activeWindow }),
    ...(rules !== null && { rules }),
    ...(preview !== null && { preview }),
    ...(brand !== null && { brand }),
    ...(notFound !== null && { not_found: notFound }),
  });

export const writeEntry = (kv: KVNamespace, key: SlugKey, entry: CacheEntry): Promise<void> =>
  kv.put(key, serialiseEntry(entry), { expirationTtl: LEASE_SECONDS + STALE_SECONDS });
