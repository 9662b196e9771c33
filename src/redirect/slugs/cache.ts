import { cacheEpoch } from "../../config";
import type { Env } from "../../context";
import type { ActiveWindow } from "../../lib/active-window";
import type { SlugKey } from "../../lib/slug-text";
import type { Conditions } from "../../lib/visitor-rules";

// The value of a slug in KV. It is served whatever its age: what KV may not show yet is on the list of doubts (slugs/doubts.ts).

const CACHE_TTL_SECONDS = 30;
const EXPIRATION_SECONDS = 35 * 86_400;
/** A read that is older is not written. Work after a response ends within 30 s, so late writes end before the second write. */
const MAX_READ_AGE_MS = 10_000;

export interface CachedRule extends Conditions {
  key: string;
  target: string;
}

export type CachedPreview = Record<"title" | "text" | "image", string | null>;

export interface CachedBrand extends Record<"name" | "colour", string | null> {
  texts?: Readonly<Partial<Record<"unknown" | "ended", Readonly<Record<string, string>>>>> | undefined;
  button?: { label: string; url: string } | undefined;
  /** The public id of the workspace, by which pages load its logo: an SVG, or a PNG in base64. */
  logo?: { id: string; image: string } | undefined;
}

/** What has no value is left out. */
export interface CacheEntry {
  rev: number;
  /** Milliseconds since the epoch, before the read of D1. */
  read_at: number;
  /** Redirect target with UTM parameters; null for a slug without a live link. */
  target: string | null;
  /** Row id. */
  workspace: number;
  /** Public id of the link, or "" for a deleted link. A null target with a non-null link is a takedown. */
  link: string | null;
  asset?: string | undefined;
  /** Of a link with a start, an end or an address afterwards, and of a group whose links end with it. */
  active_window?: ActiveWindow | undefined;
  /** Public id of the group whose settings complete the active window. */
  group?: string | undefined;
  rules?: readonly CachedRule[] | undefined;
  preview?: CachedPreview | undefined;
  own_networks?: true | undefined;
  /** In the settings of a workspace: the networks whose visits do not count. */
  networks?: readonly string[] | undefined;
  /** In the settings of a workspace: its time zone. */
  zone?: string | undefined;
  /** In the settings of a workspace. */
  brand?: CachedBrand | undefined;
  /** In the settings of a domain, whose `target` is where `/` leads: where unknown slugs lead. */
  not_found?: string | undefined;
  /** In the settings of a domain: the files for apps, as JSON. */
  app_files?: { apple?: string | undefined; android?: string | undefined } | undefined;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";
/** As a target is composed: what a browser would run instead of opening it, or no header may hold, is no address. */
const isAddress = (value: unknown): boolean => isText(value) && /^https?:\/\/[ -~]+$/i.test(value);

type Check = (value: unknown) => boolean;

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const ifAny =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isLike =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    const fields = Object(value);
    for (const name in checks) if (!checks[name]?.(fields[name])) return false;
    return true;
  };

const isTextOrNull = orNull(isText);
const isNumberOrNull = orNull(isNumber);
const isList = orNull(Array.isArray);
/** The address of a blocked host is empty. */
const isAddressIfAny: Check = (value) => value === null || value === "" || isAddress(value);

const isRule = isLike({
  key: isText,
  target: isAddress,
  countries: isList,
  devices: isList,
  languages: isList,
  startsAt: isNumberOrNull,
  endsAt: isNumberOrNull,
  share: isNumberOrNull,
});

/** What most entries lack. */
const OPTIONAL: Readonly<Record<string, Check>> = {
  asset: isText,
  group: isText,
  active_window: isLike({ startsAt: isNumberOrNull, endsAt: isNumberOrNull, endedUrl: isAddressIfAny }),
  rules: (value) => Array.isArray(value) && value.every(isRule),
  networks: (value) => Array.isArray(value) && value.every(isText),
  zone: isText,
  preview: isLike({ title: isTextOrNull, text: isTextOrNull, image: isAddressIfAny }),
  brand: isLike({
    name: isTextOrNull,
    colour: (value) => value === null || (isText(value) && /^#[\da-f]{6}$/i.test(value)),
    texts: ifAny((pages) =>
      Object.values(Object(pages)).every((texts) => Object.values(Object(texts)).every(isText)),
    ),
    button: ifAny(isLike({ label: isText, url: isAddress })),
    logo: ifAny(isLike({ id: isText, image: isText })),
  }),
  not_found: isAddress,
  app_files: isLike({ apple: ifAny(isText), android: ifAny(isText) }),
};

/** Machines' clocks may differ by less. A value from the future would never be compared with D1. */
const MAX_AHEAD_MS = 60_000;

function isEntry(value: Partial<CacheEntry> | null, now: number): value is CacheEntry {
  if (
    !isNumber(value?.rev) ||
    !isNumber(value.read_at) ||
    value.read_at > now + MAX_AHEAD_MS ||
    !isNumber(value.workspace) ||
    !(value.target === null || isAddress(value.target)) ||
    !isTextOrNull(value.link)
  )
    return false;
  for (const name in value) if (OPTIONAL[name]?.(value[name as keyof CacheEntry]) === false) return false;
  return true;
}

/** Parses a value of KV, which others may have written. */
export function parseEntry(text: string | null, now = Date.now()): CacheEntry | undefined {
  try {
    const value = JSON.parse(text ?? "null");
    return isEntry(value, now) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isSame = (one: CacheEntry, other: CacheEntry): boolean =>
  JSON.stringify({ ...one, read_at: 0 }) === JSON.stringify({ ...other, read_at: 0 });

/** KV with the epoch of its values: after a restore a new one is deployed, so that nothing written before is read again. */
export interface Cache {
  kv: KVNamespace;
  epoch: string;
}

export const cacheOf = (env: Env): Cache => ({ kv: env.KV, epoch: cacheEpoch(env) });

const nameOf = ({ epoch }: Cache, key: SlugKey): string => `${epoch}:${key}`;

export const readEntry = async (
  cache: Cache,
  key: SlugKey,
  now = Date.now(),
): Promise<CacheEntry | undefined> =>
  parseEntry(await cache.kv.get(nameOf(cache, key), { type: "text", cacheTtl: CACHE_TTL_SECONDS }), now);

export const isTooOld = ({ read_at: readAt }: CacheEntry, now: number): boolean =>
  now - readAt > MAX_READ_AGE_MS;

export const writeEntry = (cache: Cache, key: SlugKey, entry: CacheEntry): Promise<void> =>
  cache.kv.put(nameOf(cache, key), JSON.stringify(entry), { expirationTtl: EXPIRATION_SECONDS });

/** Removes a value that KV does not replace. The free plan allows as many deletes a day again as writes. */
export const deleteEntry = (cache: Cache, key: SlugKey): Promise<void> => cache.kv.delete(nameOf(cache, key));
