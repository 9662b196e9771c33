import { describe, expect, it } from "vitest";
import { namesToChoose, readCodes, unknownIn } from "../../../src/console/shell/code-names";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../../src/lib/countries";

const LOCALES = ["en-GB", "de", "fr", "it", "es"];

/** Languages with one name: Akan, and Filipino, which browsers call "fil". In German "ii" is Yi, the code of Yiddish. */
const TWINS = new Set(["ak", "tw", "tl", "ii"]);

describe("countries and languages", () => {
  it.each(LOCALES)("are read by all their names in %s, without accents and capitals too", (locale) => {
    for (const [kind, codes] of [
      ["region", COUNTRY_CODES],
      ["language", LANGUAGE_CODES],
    ] as const) {
      const names = new Intl.DisplayNames(locale, { type: kind });
      for (const code of codes) {
        if (TWINS.has(code)) continue;
        const name = names.of(code) ?? code;
        const typed = [name, name.toUpperCase(), name.normalize("NFD").replaceAll(/\p{M}/gu, "")];
        for (const text of typed.filter((one) => !one.includes(","))) {
          expect([text, readCodes(kind, text)]).toEqual([text, [code]]);
        }
      }
    }
  });

  it("are read by code, which comes before a name", () => {
    expect(readCodes("region", "ch, AT;\nxk")).toEqual(["CH", "AT", "XK"]);
    expect(readCodes("language", "YI, pt-BR, zh_Hant, deu, ger, gsw, fil")).toEqual([
      "yi",
      "pt",
      "zh",
      "de",
      "de",
      "gsw",
      "fil",
    ]);
  });

  it("are read by what people write beside that", () => {
    expect(readCodes("region", "UK, USA, Großbritannien, Holland, Turkey, Czech Republic")).toEqual([
      "GB",
      "US",
      "GB",
      "NL",
      "TR",
      "CZ",
    ]);
    expect(readCodes("language", "Farsi, Mandarin, castellano")).toEqual(["fa", "zh", "es"]);
  });

  it("are refused if they are unknown, with the name that is nearest", () => {
    expect(unknownIn("region", "Switzerland, Germny, Atlantis")).toBe(
      "“Germny” is not a country. Did you mean Germany?",
    );
    expect(unknownIn("region", "Oesterreich")).toContain("Did you mean Austria?");
    expect(unknownIn("region", "Swiss")).toContain("Did you mean Switzerland?");
    expect(unknownIn("language", "zzz")).toContain("is not a language");
    expect(unknownIn("region", "q")).toBe(
      "“q” is not a country. Choose one of the list, or enter its name or code.",
    );
    expect(unknownIn("region", "Switzerland, at")).toBeUndefined();
    expect(unknownIn("language", "")).toBeUndefined();
  });

  it("are all offered by a name that is read", () => {
    for (const kind of ["region", "language"] as const) {
      expect(namesToChoose(kind).length).toBeGreaterThan(180);
      for (const name of namesToChoose(kind)) expect(unknownIn(kind, name)).toBeUndefined();
    }
  });

  it("do not take long, whatever is typed", () => {
    const before = performance.now();
    unknownIn("language", Array.from({ length: 30_000 }, (_, n) => (n % 26 ** 3).toString(26)).join(","));
    unknownIn("region", "x".repeat(60_000));
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
