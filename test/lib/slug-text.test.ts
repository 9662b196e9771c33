/// <reference types="vite/client" />
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fold,
  foldSlug,
  freeSlug,
  isSlugShaped,
  RESERVED_SLUGS,
  randomSlug,
  randomSlugText,
  SLUG_PATTERN,
  slugFromName,
  spellings,
  toWords,
  unaccented,
  withSuffix,
} from "../../src/lib/slug-text";
import badText from "../corpora/slugs-bad.json?raw";
import good from "../corpora/slugs-good.json";
import tagSlugs from "../corpora/tag-slugs.json";

// Vite's JSON plugin refuses the lone surrogate in this corpus.
const bad: { cases: { value: string; reason: string }[] } = JSON.parse(badText);

const anyText = fc.string({ unit: "binary", maxLength: 40 });

function cryptoBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** Returns these bytes in order as random bytes, and records the requested numbers. */
function bytesFrom(values: number[]): { random: (bytes: number) => Uint8Array; asked: number[] } {
  const asked: number[] = [];
  let at = 0;
  const random = (bytes: number) => {
    asked.push(bytes);
    at += bytes;
    return Uint8Array.from(values.slice(at - bytes, at));
  };
  return { random, asked };
}

it("texts that fold alike get the spelling that comes first", () => {
  expect(spellings(["Red", "Été", "RED", "red", "été"])).toEqual([
    ["red", "Red"],
    ["été", "Été"],
  ]);
});

describe("a slug derived from a name", () => {
  it.each([
    ["Été à Zürich, Straße", "ete-a-zurich-strasse"],
    ["Æsir & Œuvre", "aesir-oeuvre"],
    ["İstanbul ılık", "istanbul-ilik"],
    ["Ĳssel ĳs ﬁne ﬄ", "ijssel-ijs-fine-ffl"],
    ["ßæœøđðþłıȷŋħŧĸƒəǝɛɔɓɗɖƙƴɲɨʉƶ", "ssaeoeoddthlijnhtkfeeeobddkyniuz"],
    ["ＦＵＬＬ　①②", "full-12"],
    ["It’s Rock ‘n’ Roll", "its-rock-n-roll"],
    ["'quoted' James' book", "quoted-james-book"],
    ["Hawaiʻi", "hawaii"],
    ["Cafe\u0301's menu", "cafes-menu"],
    ["  --A__B..C--  ", "a-b-c"],
    ["a\u200bb", "a-b"],
    ["Москва", ""],
    ["", ""],
  ])("%s becomes %j", (name, slug) => {
    expect(slugFromName(name, 120)).toBe(slug);
  });

  it("is cut to its length and never ends in a hyphen", () => {
    expect(slugFromName("abc def", 7)).toBe("abc-def");
    expect(slugFromName("abc def", 6)).toBe("abc-de");
    expect(slugFromName("abc def", 4)).toBe("abc");
    expect(slugFromName("--abc", 3)).toBe("abc");
    expect(slugFromName("ß".repeat(100), 120)).toBe("s".repeat(120));
  });

  it("is a valid slug for any name, and deriving it again changes nothing", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 120 }), (name, maxLength) => {
        const slug = slugFromName(name, maxLength);
        expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
        expect(slug.length).toBeLessThanOrEqual(maxLength);
        expect(slugFromName(slug, maxLength)).toBe(slug);
      }),
      { numRuns: 2000 },
    );
  });

  it("equals any valid tag slug it is derived from, except for outer hyphens", () => {
    const given = tagSlugs.cases.filter(({ ok }) => ok).map(({ value }) => value);
    expect(given.map((slug) => slugFromName(slug, 120))).toEqual(given.map((slug) => slug.replace(/-$/, "")));
  });
});

it.each([
  ["summer", 2, 120, "summer-2"],
  ["summer", 10, 8, "summe-10"],
  ["ab-cd", 2, 5, "ab-2"],
  ["ab--cd", 2, 6, "ab-2"],
  ["a".repeat(120), 1000, 120, `${"a".repeat(115)}-1000`],
])("a suffix on a clash: %s with %i in %i characters is %s", (base, n, maxLength, slug) => {
  expect(withSuffix(base, n, maxLength)).toBe(slug);
});

it.each([
  ["summer", [], 120, "summer"],
  ["summer", ["summer"], 120, "summer-2"],
  ["summer", ["summer", "summer-2", "summer-3"], 120, "summer-4"],
  ["summer", ["summer", "summer-3"], 120, "summer-2"],
  ["summer", ["summer", "summ-2"], 6, "summ-3"],
])("a free slug for %s, if %j are taken, in %i characters is %s", (base, taken, maxLength, slug) => {
  expect(freeSlug(base, new Set(taken), maxLength)).toBe(slug);
});

describe("a link's slug", () => {
  it("is accepted for every case of the corpus of good slugs", () => {
    expect(good.cases.filter(({ value }) => !isSlugShaped(value))).toEqual([]);
  });

  // In one test: a lone surrogate in a test's name breaks the connection to workerd.
  it("is refused for every case of the corpus of bad slugs, by its characters or as reserved", () => {
    expect(bad.cases.filter(({ value }) => isSlugShaped(value))).toEqual([]);
    const shaped = bad.cases.filter(({ value }) => SLUG_PATTERN.test(value));
    expect(shaped).toEqual(bad.cases.filter(({ reason }) => reason === "reserved"));
  });

  it.each(["", "-a", "_a", "a\n", "a".repeat(65)])("%j is refused", (value) => {
    expect(isSlugShaped(value)).toBe(false);
  });

  it("cannot be one of the service's own paths, in any case", () => {
    expect([...RESERVED_SLUGS]).toEqual(["api", "app", "assets", "cdn-cgi", "docs", "health"]);
    for (const slug of RESERVED_SLUGS) {
      expect(isSlugShaped(slug)).toBe(false);
      expect(isSlugShaped(slug.toUpperCase())).toBe(false);
      expect(isSlugShaped(`${slug}2`)).toBe(true);
    }
  });

  it("is matched without regard to the case of ASCII letters only", () => {
    expect(foldSlug("Spring_SALE-2026")).toBe("spring_sale-2026");
    expect(foldSlug("\u212aey\u0130")).toBe("\u212aey\u0130");
  });
});

describe("a generated slug", () => {
  it("has 7 characters without look-alikes and is a valid link slug", () => {
    const seen = new Set<string>();
    for (let run = 0; run < 2000; run++) {
      const slug = randomSlug(cryptoBytes);
      expect(slug).toMatch(/^[a-hjkmnp-z2-9]{7}$/);
      expect(isSlugShaped(slug)).toBe(true);
      seen.add(slug);
    }
    expect(seen.size).toBe(2000);
  });

  it("uses each character for the same number of bytes", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 248; byte++) {
      const letter = randomSlugText(1, bytesFrom([byte]).random);
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join("")).toBe("23456789abcdefghjkmnpqrstuvwxyz");
    expect(new Set(counts.values())).toEqual(new Set([8]));
  });

  it("draws another byte instead of one that would favour some characters", () => {
    const { random, asked } = bytesFrom([248, 0, 255, 30, 251, 31]);
    expect(randomSlugText(3, random)).toBe("a9a");
    expect(asked).toEqual([3, 2, 1]);
  });
});

describe("folded text", () => {
  it.each([
    ["Spring SALE", "spring sale"],
    ["E\u0301te\u0301", "été"],
    ["ﬁle", "file"],
    ["ΣΟΦΟΣ", "σοφοσ"],
    ["J\u030c", "ǰ"],
    ["\u0130\u0307", "i"],
  ])("%s folds to %s", (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it("folding a character again changes nothing", () => {
    const unstable: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      // A character that is unassigned or for private use folds to itself.
      if (/[\p{Cn}\p{Co}]/u.test(character)) continue;
      const once = fold(character);
      if (fold(once) !== once) unstable.push(point.toString(16));
    }
    expect(unstable).toEqual([]);
  }, 60_000);

  it("folding a text again changes nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("text without accents", () => {
  it.each([
    ["Zürich", "zurich"],
    ["Straße", "strasse"],
    ["ÉTÉ à Łódź", "ete a lodz"],
    ["smørrebrød", "smorrebrod"],
    ["Ελλάδα", "ελλαδα"],
    ["のセール", "のセール"],
    ["हिन्दी", "हिन्दी"],
    ["plain", "plain"],
  ])("of %s is %s, and stays as it is the second time", (text, expected) => {
    expect(unaccented(text)).toBe(expected);
    expect(unaccented(expected)).toBe(expected);
  });
});

describe("the words of a search", () => {
  it.each<[string, string[]]>([
    ["  Spring   SALE ", ["spring", "sale"]],
    ["sale sale SALE", ["sale"]],
    ["", []],
    ["a b c d e f g h i j", ["a", "b", "c", "d", "e", "f", "g", "h"]],
  ])("of %j are %j", (text, expected) => {
    expect(toWords(text)).toEqual(expected);
  });
});
