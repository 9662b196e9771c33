import { COUNTRY_CODES, LANGUAGE_CODES } from "../../lib/countries";
import { nearest } from "../../lib/nearest";
import { unaccented } from "../../lib/slug-text";

// Countries and languages by their codes and names: shown in English, read in five languages.

const LOCALES = ["en-GB", "de", "fr", "it", "es"];

/** Languages of browsers that ISO 639 gives three letters alone. */
const LONG_LANGUAGES = ["ast", "ceb", "ckb", "fil", "gsw", "haw"];

const READ = {
  region: {
    noun: "country",
    codes: COUNTRY_CODES,
    /** What people write, and no locale has. */
    others:
      "uk:GB greatbritain:GB grossbritannien:GB grandebretagne:GB granbretagna:GB granbretana:GB usa:US holland:NL turkey:TR czechrepublic:CZ ivorycoast:CI burma:MM macedonia:MK hongkong:HK macau:MO palestine:PS",
  },
  language: {
    noun: "language",
    codes: new Set([...LANGUAGE_CODES, ...LONG_LANGUAGES]),
    others: "mandarin:zh farsi:fa flemish:nl castilian:es castellano:es",
  },
};

export const KINDS = ["region", "language"] as const;

export type Kind = (typeof KINDS)[number];

const lists = new Map<string, Intl.DisplayNames>();

/** Made when it is first needed, because each takes a millisecond or more. */
function namesIn(kind: Kind, locale: string): Intl.DisplayNames {
  const key = `${kind} ${locale}`;
  const names = lists.get(key) ?? new Intl.DisplayNames(locale, { type: kind });
  lists.set(key, names);
  return names;
}

/** The name of a country or language in English; the code itself if it has none. */
export const nameOfCode = (kind: Kind, code: string): string => namesIn(kind, "en-GB").of(code) ?? code;

/** A name without what people write differently: case, accents, spaces and hyphens. */
const bare = (name: string): string => unaccented(name).replaceAll(/[^\p{L}\p{N}]+/gu, "");

const indexes = new Map<string, ReadonlyMap<string, string>>();

/** Codes by the names of a locale. Of codes with one name it is the last. */
function codesByName(kind: Kind, locale: string): ReadonlyMap<string, string> {
  const key = `${kind} ${locale}`;
  const known = indexes.get(key);
  if (known !== undefined) return known;
  const names = namesIn(kind, locale);
  const index = new Map([...READ[kind].codes].map((code) => [bare(names.of(code) ?? code), code]));
  indexes.set(key, index);
  return index;
}

/** A code as it is stored. Of a language it is what browsers send: "de-CH" and "deu" are "de". */
function toCode(kind: Kind, word: string): string {
  if (kind === "region") return word.toUpperCase();
  const [primary = ""] = word.toLowerCase().split(/[-_]/, 1);
  return /^[a-z]{3}$/.test(primary) ? (Intl.getCanonicalLocales(primary)[0] ?? primary) : primary;
}

const isCode = (kind: Kind, code: string): boolean =>
  READ[kind].codes.has(code) ||
  (kind === "language" && /^[a-z]{3}$/.test(code) && nameOfCode(kind, code) !== code);

const otherNames = (kind: Kind): ReadonlyMap<string, string> =>
  new Map(READ[kind].others.split(" ").map((pair) => pair.split(":") as [string, string]));

/** The code that a person means by a code or a name. */
function findCode(kind: Kind, word: string): string | undefined {
  const code = toCode(kind, word);
  if (isCode(kind, code)) return code;
  const name = bare(word);
  for (const locale of LOCALES) {
    const found = codesByName(kind, locale).get(name);
    if (found !== undefined) return found;
  }
  return otherNames(kind).get(name);
}

/** More words are not read. A list that has as many is refused. */
const MAX_WORDS = 100;

const wordsOf = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .slice(0, MAX_WORDS);

/** Codes as a person edits them: names, or codes where a name would not lead back, with commas between them. */
export const writeCodes = (kind: Kind, codes: readonly string[]): string =>
  codes
    .map((code) => {
      const name = nameOfCode(kind, code);
      return findCode(kind, name) === code ? name : code;
    })
    .join(", ");

/** The codes that a text names. What is none stays as it is typed, and `unknownIn` says so. */
export const readCodes = (kind: Kind, text: string): string[] =>
  wordsOf(text).map((word) => findCode(kind, word) ?? word);

/** The codes that a text names, and its words that are none, with commas between them. */
export function sortWords(kind: Kind, text: string): { codes: string[]; unknown: string } {
  const found = wordsOf(text).map((word) => ({ word, code: findCode(kind, word) }));
  return {
    codes: [...new Set(found.flatMap(({ code }) => code ?? []))],
    unknown: found.flatMap(({ word, code }) => (code === undefined ? [word] : [])).join(", "),
  };
}

/** The name that a person offers themselves instead of an unknown word. */
function suggestionFor(kind: Kind, word: string): string | undefined {
  const indexes = LOCALES.map((locale) => codesByName(kind, locale));
  const near = nearest(bare(word), [...new Set(indexes.flatMap((index) => [...index.keys()]))]);
  const code = near && indexes.map((index) => index.get(near)).find((found) => found !== undefined);
  return code && nameOfCode(kind, code);
}

const MAX_WORD_CHARACTERS = 60;

/** What is wrong with the first word of a text that names nothing; undefined if all do. */
export function unknownIn(kind: Kind, text: string): string | undefined {
  const unknown = wordsOf(text).find((word) => findCode(kind, word) === undefined);
  if (unknown === undefined) return undefined;
  const word = [...unknown].slice(0, MAX_WORD_CHARACTERS).join("");
  const suggestion = suggestionFor(kind, word);
  const { noun } = READ[kind];
  return suggestion === undefined
    ? `“${word}” is not a ${noun}. Choose one of the list, or enter its name or code.`
    : `“${word}” is not a ${noun}. Did you mean ${suggestion}?`;
}

/** All names in English, to choose from. */
export const namesToChoose = (kind: Kind): string[] =>
  [...new Set([...READ[kind].codes].map((code) => nameOfCode(kind, code)))].toSorted((one, other) =>
    one.localeCompare(other, "en"),
  );
