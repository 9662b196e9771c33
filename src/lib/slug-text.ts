export const MAX_SLUG_CHARACTERS = 64;
/** The pattern of a link's slug. Slugs match case-insensitively and keep their case. */
export const SLUG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Path segments of the service itself, as slug keys. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  "api",
  "app",
  "assets",
  "cdn-cgi",
  "docs",
  "health",
]);

// Without 0, 1, i, l and o, which look alike in print.
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const SLUG_LENGTH = 7;

/** Letters that Unicode does not decompose, with what replaces it. */
const TRANSLITERATIONS = new Map(
  "ß:ss æ:ae œ:oe ø:o đ:d ð:d þ:th ł:l ı:i ȷ:j ŋ:n ħ:h ŧ:t ĸ:k ƒ:f ə:e ǝ:e ɛ:e ɔ:o ɓ:b ɗ:d ɖ:d ƙ:k ƴ:y ɲ:n ɨ:i ʉ:u ƶ:z"
    .split(" ")
    .map((pair): [string, string] => [pair.charAt(0), pair.slice(2)]),
);

/** Upper case opens letters such as "\u00df". A dotless i has no other case: its upper case is that of i. */
const foldCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\u0131]+/gu, (part) => part.toUpperCase().toLowerCase())
    // Only lower case has a separate letter for a final sigma.
    .replaceAll("\u03c2", "\u03c3")
    .replaceAll(/i\u0307+/g, "i");

/**
 * The one folding of names and texts, for uniqueness, look-up and search: full case folding of NFKC, without characters that
 * are not seen. Idempotent.
 */
export const fold = (text: string): string =>
  foldCase(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "").normalize("NFKC")).normalize("NFKC");

/** Replaces folded letters that Unicode does not decompose: "ß" becomes "ss". */
const transliterate = (text: string): string =>
  text.replace(/\P{ASCII}/gu, (letter) => TRANSLITERATIONS.get(letter) ?? letter);

export function spellings(texts: readonly string[]): [folded: string, text: string][] {
  const first = new Map<string, string>();
  for (const text of texts) {
    const folded = fold(text);
    if (!first.has(folded)) first.set(folded, text);
  }
  return [...first];
}

/** A slug of lower-case ASCII letters, digits and single hyphens. Returns "" if no character remains. */
export function slugFromName(name: string, maxLength: number): string {
  // Escaped, because V8 stores a whole module in two bytes per character if one is outside Latin-1.
  return name
    .replace(/(?<=[\p{L}\p{M}\p{N}])['\u00b4`\u2018\u2019\u02bb\u02bc\uff07](?=[\p{L}\p{N}])/gu, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, (letter) => TRANSLITERATIONS.get(letter) ?? letter)
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-/, "")
    .slice(0, maxLength)
    .replace(/-$/, "");
}

/** `base-n`, with the base cut to fit `maxLength`. */
export function withSuffix(base: string, n: number, maxLength: number): string {
  const suffix = `-${n}`;
  let end = Math.min(base.length, maxLength - suffix.length);
  while (base[end - 1] === "-") end--;
  return base.slice(0, end) + suffix;
}

/** The base, or the base with the first number that makes it none of `taken`; at most `maxLength` characters. */
export function freeSlug(base: string, taken: ReadonlySet<string>, maxLength: number): string {
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(withSuffix(base, number, maxLength))) number++;
  return withSuffix(base, number, maxLength);
}

/** The form that slugs match by. Lowers only ASCII letters, so a Kelvin sign does not become k. */
export function foldSlug(slug: string): string {
  return /[A-Z]/.test(slug) ? slug.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : slug;
}

/** The name of an address in D1, in KV and in memory. Only `slugKey` makes one. */
export type SlugKey = string & { readonly of: "address" };

/** The service's own short host, which all workspaces share, in place of a domain. */
export const SHORT_HOST = "";

/** The key of a slug on a domain, a host name in lower-case ASCII; on the short host it is the folded slug alone. */
export const slugKey = (domain: string, slug: string): SlugKey =>
  (domain === SHORT_HOST ? foldSlug(slug) : `${domain}/${foldSlug(slug)}`) as SlugKey;

/** The key of the settings of a group, by its public id, or of a workspace, by its row id. No host has a colon. */
export const settingsKey = (kind: "group" | "workspace", id: string | number): SlugKey =>
  slugKey(`${kind}:${id}`, "");

export const isSettingsKey = (key: string): boolean => key.includes(":");

export const domainOfKey = (key: string): string => key.slice(0, Math.max(key.indexOf("/"), 0));
export const slugOfKey = (key: string): string => key.slice(key.indexOf("/") + 1);

/** True for a text of the slug pattern that is not reserved in any case. */
export function isSlugShaped(text: string): boolean {
  return SLUG_PATTERN.test(text) && !RESERVED_SLUGS.has(foldSlug(text));
}

/** A random slug of 7 characters. `random` returns cryptographically random bytes. */
export const randomSlug = (random: (bytes: number) => Uint8Array): string =>
  randomSlugText(SLUG_LENGTH, random);

/** Random slug characters, for a name from which no slug can be derived. */
export const randomSlugText = (length: number, random: (bytes: number) => Uint8Array): string =>
  randomText(ALPHABET, length, random);

/** `length` uniformly random characters of an alphabet of at most 256. `random` returns cryptographically random bytes. */
export function randomText(alphabet: string, length: number, random: (bytes: number) => Uint8Array): string {
  // Bytes above the largest multiple of the alphabet's length would make its first characters more likely.
  const limit = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < limit) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

export const SLUGS_PER_LINK = 10;
export const MIN_SLUGS_PER_WORKSPACE = 1_000;
/** Also the limit of a workspace without a link limit. */
export const MAX_SLUGS_PER_WORKSPACE = 1_000_000;

export const slugLimit = (linkLimit: number | null): number =>
  linkLimit === null
    ? MAX_SLUGS_PER_WORKSPACE
    : Math.min(Math.max(SLUGS_PER_LINK * linkLimit, MIN_SLUGS_PER_WORKSPACE), MAX_SLUGS_PER_WORKSPACE);

const MAX_WORDS = 8;

/** Folded text without accents: "Zürich" and "zurich" become "zurich", "Straße" becomes "strasse". */
export const unaccented = (text: string): string =>
  // Only the accents of Latin, Greek and Cyrillic letters. Other marks are part of their words.
  transliterate(
    fold(text)
      .normalize("NFKD")
      .replaceAll(/[\u0300-\u036f]/g, ""),
  ).normalize("NFC");

export const toWords = (text: string): string[] =>
  [...new Set(fold(text).split(/\s+/))].filter((word) => word !== "").slice(0, MAX_WORDS);
