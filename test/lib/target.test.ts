import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeTarget, mergeVisitorQuery, UTM_NAMES as NAMES, type Utm } from "../../src/lib/link-target";
import destinations from "../corpora/destinations-good.json";

const ALL = "utm_source=S&utm_medium=M&utm_campaign=C";
const SITE = "https://example.com";

function utm(
  source: string | null = null,
  medium: string | null = null,
  campaign: string | null = null,
  term: string | null = null,
  content: string | null = null,
): Utm {
  return {
    ...{ utm_source: source, utm_medium: medium, utm_campaign: campaign },
    ...{ utm_term: term, utm_content: content },
  };
}

describe("the target of a link", () => {
  it.each([
    "HTTPS://EXAMPLE.COM/a%20b?flag&q=%E9",
    "https://example.com/?",
    "https://example.com/?utm_source=x&utm_source=y#/spa?utm_source=z",
  ])("is the unchanged ASCII destination if the link sets no parameter: %s", (destination) => {
    expect(composeTarget(destination, utm())).toBe(destination);
    expect(composeTarget(destination, utm("", "", ""))).toBe(destination);
  });

  it("is the serialised form of a destination that is not ASCII", () => {
    expect(composeTarget("https://example.com/a b'c?x=%E9#é", utm())).toBe(
      "https://example.com/a%20b'c?x=%E9#%C3%A9",
    );
  });

  it("matches the corpus of good destinations", () => {
    for (const given of destinations.cases) {
      expect(composeTarget(given.value, utm())).toBe(given.location ?? given.value);
    }
  });

  it("never carries a control character into the header", () => {
    const target = composeTarget("https://example.com/a\r\nSet-Cookie: x", utm("s"));
    expect(target).toBe("https://example.com/aSet-Cookie:%20x?utm_source=s");
  });

  it.each([
    ["appends after the query", "/?a=1", `/?a=1&${ALL}`],
    ["adds no & after a trailing ?", "/?", `/?${ALL}`],
    ["appends before the fragment", "/#top", `/?${ALL}#top`],
    [
      "replaces pairs in place",
      "/?utm_campaign=c&a&utm_source=s",
      "/?utm_campaign=C&a&utm_source=S&utm_medium=M",
    ],
    [
      "drops a later pair with one &",
      "/?utm_source=1&a&utm_source=2&&utm_source=3&b",
      "/?utm_source=S&a&&b&utm_medium=M&utm_campaign=C",
    ],
    ["compares names decoded", "/?%75tm%5Fsource=1&utm_mediu%6d=2&utm%5fcampaign", `/?${ALL}`],
    [
      "takes a malformed escape for no match",
      "/?utm_source%=1&utm%5source=2&%E9=3",
      `/?utm_source%=1&utm%5source=2&%E9=3&${ALL}`,
    ],
  ])("%s", (_, destination, target) => {
    expect(composeTarget(SITE + destination, utm("S", "M", "C"))).toBe(SITE + target);
  });

  it("sets all parameters in the order source, medium, campaign, term, content", () => {
    const target = composeTarget(`${SITE}/?utm_content=old&a`, utm("S", "M", "C", "T", "N"));
    expect(target).toBe(`${SITE}/?utm_content=N&a&${ALL}&utm_term=T`);
    expect(composeTarget(SITE, utm("S", "M", "C", "T", "N"))).toBe(`${SITE}?${ALL}&utm_term=T&utm_content=N`);
  });

  it("encodes a value like encodeURIComponent", () => {
    const target = composeTarget(
      "https://example.com/",
      utm("a b&c=d#e?f/g+h%20", "Zürich 😀", "it's (1)!*~"),
    );
    expect(target).toBe(
      "https://example.com/?utm_source=a%20b%26c%3Dd%23e%3Ff%2Fg%2Bh%2520" +
        "&utm_medium=Z%C3%BCrich%20%F0%9F%98%80&utm_campaign=it's%20(1)!*~",
    );
  });
});

// The checks below use regular expressions, arrays and the platform's URL, unlike the module.

function decoded(pair: string): string | undefined {
  try {
    return decodeURIComponent(pair.replace(/=.*/s, ""));
  } catch {
    return undefined;
  }
}

interface Parts {
  before: string;
  segments: string[] | undefined;
  fragment: string;
}

function parts(url: string): Parts {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return { before, segments: query?.slice(1).split("&"), fragment };
}

/** The URL without any pair of these names, which a redirect must not change. */
function untouched(url: string, names: readonly string[]): Parts {
  const { before, segments = [], fragment } = parts(url);
  const kept = segments.filter((segment) => !names.includes(decoded(segment) ?? ""));
  // Only at the end of the query, where pairs are appended, may there be one "&" more or less.
  while (kept.at(-1) === "") kept.pop();
  return { before, segments: kept, fragment };
}

function expectSettable(target: string): void {
  expect(new Headers({ location: target }).get("location")).toBe(target);
  expect(target).toMatch(/^[!-~]+$/);
}

const ESCAPES = ["%20", "%E9", "%e9", "%C3%A9", "%2F", "%26", "%23", "%3D", "%2e%2e", "a%", "%zz", "%u00e9"];
const chunk = fc.constantFrom(..."azAZ09-._~!$'()*+,;:@/", ...ESCAPES);
const text = fc.array(chunk, { maxLength: 6 }).map((chunks) => chunks.join(""));
const utmName = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.array(fc.constantFrom("", "", "", "lower", "upper"), { maxLength: 12 }),
  )
  .map(([name, escapes]) =>
    [...name]
      .map((letter, at) => {
        const hex = letter.charCodeAt(0).toString(16);
        if (escapes[at] === "lower") return `%${hex}`;
        return escapes[at] === "upper" ? `%${hex.toUpperCase()}` : letter;
      })
      .join(""),
  );
const NEAR = ["UTM_SOURCE", "utm_source%", "utm%255Fmedium", "xutm_medium", "utm_campaign+", "utm_"];
const nearUtmName = fc.constantFrom(...NEAR);
const objectName = fc.constantFrom("__proto__", "constructor", "toString", "%5F_proto__", "hasOwnProperty");
const segment = fc
  .tuple(
    fc.oneof(utmName, utmName, nearUtmName, objectName, text),
    fc.oneof(
      fc.constant(""),
      text.map((value) => `=${value}`),
      fc.constant("=a=b?c"),
    ),
  )
  .map(([name, value]) => name + value);
const query = fc
  .array(fc.oneof({ weight: 5, arbitrary: segment }, { weight: 1, arbitrary: fc.constant("") }), {
    maxLength: 7,
  })
  .map((segments) => segments.join("&"));
const destination = fc
  .tuple(
    fc.constantFrom(SITE, "http://example.com:8080", "HTTPS://EXAMPLE.COM", "https://xn--fa-hia.de"),
    fc.oneof(
      fc.constant(""),
      text.map((path) => `/${path}`),
    ),
    fc.option(query, { nil: undefined }),
    fc.option(
      fc.oneof(
        text,
        query.map((inner) => `/spa?${inner}`),
        fc.constant("a#b"),
      ),
      { nil: undefined },
    ),
  )
  .map(([origin, path, search, fragment]) => {
    return (
      origin +
      path +
      (search === undefined ? "" : `?${search}`) +
      (fragment === undefined ? "" : `#${fragment}`)
    );
  });
const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: "binary", maxLength: 12 }).map((raw) => raw.toWellFormed()),
  fc.constantFrom("summer sale", "a&b=c#d?e", "$&", "%41", "+"),
);
const values = fc.record({
  ...{ utm_source: value, utm_medium: value, utm_campaign: value },
  ...{ utm_term: value, utm_content: value },
});

describe("for every destination, parameter and visitor", () => {
  it("the link's parameters are set once and no other byte changes", () => {
    fc.assert(
      fc.property(destination, values, (given, set) => {
        const target = composeTarget(given, set);
        const names = NAMES.filter((name) => set[name]);
        expect(untouched(target, names)).toEqual(untouched(given, names));
        const { searchParams } = new URL(target);
        for (const name of names) expect(searchParams.getAll(name)).toEqual([set[name]]);
        expectSettable(target);
      }),
      { numRuns: 7000 },
    );
  });

  it("the visitor's pairs follow the target's unchanged", () => {
    fc.assert(
      fc.property(destination, values, query, fc.boolean(), (given, set, search, marked) => {
        const target = composeTarget(given, set);
        const merged = mergeVisitorQuery(target, marked ? `?${search}` : search);

        // Names are compared as bytes (Latin-1), since not every name is valid UTF-8.
        const nameOf = (pair: string) =>
          pair
            .replace(/=.*/s, "")
            .replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
        const url = parts(target);
        const taken = url.segments?.filter((pair) => pair !== "").map(nameOf) ?? [];
        const added = search.split("&").filter((pair) => pair !== "" && !taken.includes(nameOf(pair)));
        expect(parts(merged)).toMatchObject({ before: url.before, fragment: url.fragment });
        const pairs = [...(url.segments ?? []), ...added].filter((pair) => pair !== "");
        expect(parts(merged).segments?.filter((pair) => pair !== "") ?? []).toEqual(pairs);
        expectSettable(merged);
      }),
      { numRuns: 5000 },
    );
  });
});
