import { randomText } from "./random-text";

/** What a link's slug looks like; matched without regard to case and kept as written. */
export const SLUG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** First path segments that are the service's own, as slug keys. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  "api",
  "app",
  "assets",
  "cdn-cgi",
  "docs",
  "health",
]);

// Without 0, 1, i, l and o, which are mistaken for one another in print.
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const SLUG_LENGTH = 7;

/** Letters that no Unicode decomposition opens. */
const OPENED = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ł", "l"],
  ["ı", "i"],
  ["ȷ", "j"],
  ["ŋ", "n"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["ĸ", "k"],
  ["ƒ", "f"],
  ["ə", "e"],
  ["ǝ", "e"],
  ["ɛ", "e"],
  ["ɔ", "o"],
  ["ɓ", "b"],
  ["ɗ", "d"],
  ["ɖ", "d"],
  ["ƙ", "k"],
  ["ƴ", "y"],
  ["ɲ", "n"],
  ["ɨ", "i"],
  ["ʉ", "u"],
  ["ƶ", "z"],
]);

/** Text as it is compared and searched without regard to case; folding it again changes nothing. */
export const fold = (text: string): string =>
  // A sigma at the end of a word is another letter in lower case alone.
  text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ").normalize("NFKC");

/** Texts by their folded form, each as it is written first. */
export function spellings(texts: readonly string[]): [folded: string, text: string][] {
  const first = new Map<string, string>();
  for (const text of texts) {
    const folded = fold(text);
    if (!first.has(folded)) first.set(folded, text);
  }
  return [...first];
}

/**
 * A slug of lower-case ASCII letters, digits and single hyphens, at most `maxLength` long; "" when nothing of
 * the name is left.
 */
export function slugFromName(name: string, maxLength: number): string {
  // Escaped: one character beyond Latin-1 in the bundle makes V8 keep, and parse, all of it in two bytes each.
  return name
    .replace(/(?<=[\p{L}\p{M}\p{N}])['\u00b4`\u2018\u2019\u02bb\u02bc\uff07](?=[\p{L}\p{N}])/gu, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, (letter) => OPENED.get(letter) ?? letter)
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-/, "")
    .slice(0, maxLength)
    .replace(/-$/, "");
}

/** `base-n`, the base cut so that the whole is at most `maxLength` long. */
export function withSuffix(base: string, n: number, maxLength: number): string {
  const suffix = `-${n}`;
  let end = Math.min(base.length, maxLength - suffix.length);
  while (base[end - 1] === "-") end--;
  return base.slice(0, end) + suffix;
}

/** The form by which slugs are matched: only ASCII letters are lowered, a Kelvin sign does not become k. */
export function slugKey(slug: string): string {
  return /[A-Z]/.test(slug) ? slug.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : slug;
}

/** Whether a text can be a link's slug: of the pattern and, whatever its case, not reserved. */
export function isSlugShaped(text: string): boolean {
  return SLUG_PATTERN.test(text) && !RESERVED_SLUGS.has(slugKey(text));
}

/** A generated slug of 7 characters; `random` returns that many cryptographically random bytes. */
export function randomSlug(random: (bytes: number) => Uint8Array): string {
  return randomText(ALPHABET, SLUG_LENGTH, random);
}

/** Such characters in any number, for slugs of what has no name that makes one. */
export const randomSlugText = (length: number, random: (bytes: number) => Uint8Array): string =>
  randomText(ALPHABET, length, random);
