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
  CONTENT_FIELDS.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));

/** Starts at a minute and doubles with each refresh that finds no change. */
function refreshSeconds(content: Content, before: CacheEntry | undefined): number {
  if (before === undefined || !isSame(content, before)) return REFRESH_SECONDS;
  const secondsBefore = LEASE_SECONDS - (before.expiresAt - before.refreshAt) / 1000;
  return Math.min(MAX_REFRESH_SECONDS, Math.max(REFRESH_SECONDS, 2 * secondsBefore));
}

type Check = (value: unknown) => boolean;

const isInteger: Check = (value) => Number.isInteger(value);
const isText: Check = (value) => typeof value === "string";
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isIntegerOrNull = orNull(isInteger);
const isTextOrNull = orNull(isText);
const isListOrNull = orNull((value) => Array.isArray(value));

function hasFields<Fields>(checks: Readonly<Record<keyof Fields & string, Check>>) {
  const fields = Object.entries<Check>(checks);
  return (value: unknown): value is Fields =>
    typeof value === "object" &&
    value !== null &&
    fields.every(([name, check]) => check((value as Record<string, unknown>)[name]));
}

const isRule = hasFields<CachedRule>({
  key: isText,
  target: isText,
  countries: isListOrNull,
  devices: isListOrNull,
  languages: isListOrNull,
  startsAt: isIntegerOrNull,
  endsAt: isIntegerOrNull,
  share: isIntegerOrNull,
});

const isActiveWindow = hasFields<ActiveWindow>({
  startsAt: isIntegerOrNull,
  endsAt: isIntegerOrNull,
  endedUrl: isTextOrNull,
});

const CONTENT: Readonly<Record<keyof Content, Check>> = {
  rev: isInteger,
  workspace: isInteger,
  target: isTextOrNull,
  link: isTextOrNull,
  asset: isTextOrNull,
  activeWindow: orNull(isActiveWindow),
  rules: orNull((value) => Array.isArray(value) && value.every(isRule)),
  preview: orNull(hasFields<CachedPreview>({ title: isTextOrNull, text: isTextOrNull, image: isTextOrNull })),
  brand: orNull(hasFields<CachedBrand>({ name: isTextOrNull, colour: isTextOrNull })),
  notFound: isTextOrNull,
};
const CONTENT_FIELDS = Object.keys(CONTENT) as (keyof Content)[];

const isEntry = hasFields<CacheEntry>({ ...CONTENT, refreshAt: isInteger, expiresAt: isInteger });

/** Parses a KV value. Returns undefined for anything but an entry. */
export function parseEntry(text: string | null): CacheEntry | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text);
    const entry = {
      rev: value.rev,
      workspace: value.workspace,
      target: value.target,
      link: value.link,
      asset: value.asset ?? null,
      activeWindow: value.active_window ?? null,
      rules: value.rules ?? null,
      preview: value.preview ?? null,
      brand: value.brand ?? null,
      notFound: value.not_found ?? null,
      refreshAt: value.refreshAt,
      expiresAt: value.expiresAt,
    };
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** What most slugs do not have. Their values leave it out. */
const OPTIONAL = ["asset", "active_window", "rules", "preview", "brand", "not_found"];

const serialiseEntry = ({ activeWindow, notFound, ...entry }: CacheEntry): string =>
  JSON.stringify({ ...entry, active_window: activeWindow, not_found: notFound }, (name, value) =>
    value === null && OPTIONAL.includes(name) ? undefined : value,
  );

/** Reads a slug's entry. Throws if KV fails. */
export const readEntry = async (kv: KVNamespace, key: SlugKey): Promise<CacheEntry | undefined> =>
  parseEntry(await kv.get(key, { type: "text", cacheTtl: CACHE_TTL_SECONDS }));

export const writeEntry = (kv: KVNamespace, key: SlugKey, entry: CacheEntry): Promise<void> =>
  kv.put(key, serialiseEntry(entry), { expirationTtl: LEASE_SECONDS + STALE_SECONDS });
