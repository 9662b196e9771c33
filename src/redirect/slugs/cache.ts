import { cacheEpoch } from "../../config";
import type { Env } from "../../context";
import type { ActiveWindow } from "../../lib/active-window";
import type { Conditions } from "../../lib/rules";
import type { SlugKey } from "../../lib/slug-text";

// The value of a slug in KV. It has no lease: what KV may not show yet is in doubt (slugs/doubts.ts).

const CACHE_TTL_SECONDS = 30;
const EXPIRATION_SECONDS = 35 * 86_400;
/** A read that is older is not written. Work after a response ends within 30 s, so late writes end before the second write. */
const MAX_READ_AGE_MS = 10_000;

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
  /** Milliseconds since the epoch, before the read of D1. */
  readAt: number;
  /** Row id of its workspace. */
  workspace: number;
  /** Redirect target with UTM parameters; null for a slug without a live link. */
  target: string | null;
  /** Public id of the link, or "" for a deleted link. A null target with a non-null link is a takedown. */
  link: string | null;
  /** Public id of the Offline Engagement asset whose code the slug is; else null. */
  asset: string | null;
  /** Of a link with a start, an end or an address afterwards, and of a group whose links end with it. Else null. */
  activeWindow: ActiveWindow | null;
  /** Public id of the group whose settings complete the active window; else null. */
  group: string | null;
  /** Null for a link without rules. */
  rules: readonly CachedRule[] | null;
  /** Null for a link of which chats show what its destination says. */
  preview: CachedPreview | null;
  /** In the settings of a workspace: what its pages for visitors show. Else null, as for a workspace whose pages are plain. */
  brand: CachedBrand | null;
  /** In the settings of a domain, whose `target` is where `/` leads: where unknown slugs lead. Else null. */
  notFound: string | null;
}

/** An entry that has nothing of what most slugs do not have. */
export const EMPTY_ENTRY = {
  target: null,
  link: null,
  asset: null,
  activeWindow: null,
  group: null,
  rules: null,
  preview: null,
  brand: null,
  notFound: null,
} satisfies Partial<CacheEntry>;

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

const isEntry = hasFields<CacheEntry>({
  rev: isInteger,
  readAt: isInteger,
  workspace: isInteger,
  target: isTextOrNull,
  link: isTextOrNull,
  asset: isTextOrNull,
  activeWindow: orNull(isActiveWindow),
  group: isTextOrNull,
  rules: orNull((value) => Array.isArray(value) && value.every(isRule)),
  preview: orNull(hasFields<CachedPreview>({ title: isTextOrNull, text: isTextOrNull, image: isTextOrNull })),
  brand: orNull(hasFields<CachedBrand>({ name: isTextOrNull, colour: isTextOrNull })),
  notFound: isTextOrNull,
});

/** Parses a KV value. Returns undefined for anything but an entry. */
export function parseEntry(text: string | null): CacheEntry | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text);
    const entry = {
      rev: value.rev,
      readAt: value.read_at,
      workspace: value.workspace,
      target: value.target,
      link: value.link,
      asset: value.asset ?? null,
      activeWindow: value.active_window ?? null,
      group: value.group ?? null,
      rules: value.rules ?? null,
      preview: value.preview ?? null,
      brand: value.brand ?? null,
      notFound: value.not_found ?? null,
    };
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** What has no place in a value while it is null. */
const OPTIONAL = ["asset", "active_window", "group", "rules", "preview", "brand", "not_found"];

const serialiseEntry = (entry: CacheEntry): string =>
  JSON.stringify(
    {
      rev: entry.rev,
      read_at: entry.readAt,
      workspace: entry.workspace,
      target: entry.target,
      link: entry.link,
      asset: entry.asset,
      active_window: entry.activeWindow,
      group: entry.group,
      rules: entry.rules,
      preview: entry.preview,
      brand: entry.brand,
      not_found: entry.notFound,
    },
    (name, value) => (value === null && OPTIONAL.includes(name) ? undefined : value),
  );

/** Whether both lead visitors to the same. */
export const isSame = (one: CacheEntry, other: CacheEntry): boolean =>
  serialiseEntry({ ...one, readAt: 0 }) === serialiseEntry({ ...other, readAt: 0 });

/** KV with the epoch of its values: after a restore a new one is deployed, so that nothing written before is read again. */
export interface Cache {
  kv: KVNamespace;
  epoch: string;
}

export const cacheOf = (env: Env): Cache => ({ kv: env.KV, epoch: cacheEpoch(env) });

const nameOf = ({ epoch }: Cache, key: SlugKey): string => `${epoch}:${key}`;

/** Reads a slug's entry. Throws if KV fails. */
export const readEntry = async (cache: Cache, key: SlugKey): Promise<CacheEntry | undefined> =>
  parseEntry(await cache.kv.get(nameOf(cache, key), { type: "text", cacheTtl: CACHE_TTL_SECONDS }));

export const isTooOld = ({ readAt }: CacheEntry): boolean => Date.now() - readAt > MAX_READ_AGE_MS;

export const writeEntry = (cache: Cache, key: SlugKey, entry: CacheEntry): Promise<void> =>
  cache.kv.put(nameOf(cache, key), serialiseEntry(entry), { expirationTtl: EXPIRATION_SECONDS });

/** Removes a value that KV does not replace. The free plan allows as many deletes a day again as writes. */
export const deleteEntry = (cache: Cache, key: SlugKey): Promise<void> => cache.kv.delete(nameOf(cache, key));
