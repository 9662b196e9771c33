import { COUNTRY_CODES, LANGUAGE_CODES } from "../../lib/countries";
import { fold } from "../../lib/slug-text";

// Countries and languages by their English names.

const KINDS = {
  region: { names: new Intl.DisplayNames("en-GB", { type: "region" }), codes: COUNTRY_CODES },
  language: { names: new Intl.DisplayNames("en-GB", { type: "language" }), codes: LANGUAGE_CODES },
};

type Kind = keyof typeof KINDS;

/** The name of a country or language in English; the code itself if it has none. */
export const nameOfCode = (kind: Kind, code: string): string => KINDS[kind].names.of(code) ?? code;

/** By folded name, the code that a person means. Of codes with one name it is the last. */
const codesByName = (kind: Kind): ReadonlyMap<string, string> =>
  new Map([...KINDS[kind].codes].map((code) => [fold(nameOfCode(kind, code)), code]));

/** Codes as a person edits them: names, or codes where a name would not lead back, with commas between them. */
export function writeCodes(kind: Kind, codes: readonly string[]): string {
  const byName = codesByName(kind);
  return codes
    .map((code) => {
      const name = nameOfCode(kind, code);
      return byName.get(fold(name)) === code ? name : code;
    })
    .join(", ");
}

/** The codes that a text names, by themselves or in English. What is neither stays as it is typed. */
export function readCodes(kind: Kind, text: string): string[] {
  const byName = codesByName(kind);
  const cased = (code: string) => (kind === "region" ? code.toUpperCase() : code.toLowerCase());
  return text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => byName.get(fold(one)) ?? cased(one));
}
