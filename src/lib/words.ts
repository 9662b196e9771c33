import { fold, transliterate } from "./slug-text";

/** More words are ignored. */
const MAX_WORDS = 8;
/** The first private character. Nobody types private characters. */
const FIRST_PRIVATE = 0xf0000;
const MAX_PRIVATE = 0xfffd;
const PRIVATE = /[\u{f0000}-\u{fffff}]/u;

/** Folded text without accents: "Zürich" and "zurich" become "zurich", "Straße" becomes "strasse". */
export const unaccented = (text: string): string =>
  // Only the accents of Latin, Greek and Cyrillic letters. Other marks are part of their words.
  transliterate(
    fold(text)
      .normalize("NFKD")
      .replaceAll(/[\u0300-\u036f]/g, ""),
  ).normalize("NFC");

/** The distinct words of a search, folded. */
export const toWords = (text: string): string[] =>
  [...new Set(fold(text).split(/\s+/))].filter((word) => word !== "").slice(0, MAX_WORDS);

/**
 * Text in private characters. The search index holds the text of a link without accents in this form, so that a search
 * for an exact part of a text never finds it.
 */
export const toPrivate = (text: string): string =>
  Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point <= MAX_PRIVATE ? String.fromCodePoint(FIRST_PRIVATE + point) : character;
  }).join("");

export const hasPrivate = (text: string): boolean => PRIVATE.test(text);
