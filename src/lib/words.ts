import { fold, transliterate } from "./slug-text";

/** More words are ignored. */
const MAX_WORDS = 8;

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
