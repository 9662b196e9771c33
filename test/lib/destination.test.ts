/// <reference types="vite/client" />
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  destinationHost,
  destinationProblem,
  hostAndParents,
  isWithinHost,
  normaliseHost,
  ownHostProblem,
  parseDestination,
} from "../../src/lib/destination";
import {
  ADDRESS_IN_NAME_DOMAINS,
  INTERNAL_SUFFIXES,
  isHomograph,
  readableLabels,
  SHORTENER_HOSTS,
} from "../../src/lib/destination-hosts";
import { DESTINATION_REASONS } from "../../src/lib/destination-rules";
import { type Failure, messageOf } from "../../src/lib/failure";
import badText from "../corpora/destinations-bad.json?raw";
import good from "../corpora/destinations-good.json";
import redos from "../corpora/redos.json";

// Read as text: Vite refuses to import JSON that holds lone surrogates.
const bad: { cases: { value: string; reason: string }[] } = JSON.parse(badText);

const OWN_HOSTS = ["s.example", "api.example"];
const MESSAGES: Record<string, string> = {
  empty: "The destination url field is required.",
  too_long: "The destination url field must not be greater than 2048 characters.",
  no_scheme: "The destination url field must be a valid URL.",
  not_absolute: "The destination url field must be a valid URL.",
  unparseable: "The destination url field must be a valid URL.",
  scheme: "The destination url field must use http or https.",
  credentials: "The destination url field must not contain a user name or password.",
};

const said = (problem: Failure | undefined) => problem && messageOf(problem);
const reasonOf = (value: string) => destinationProblem(value)?.reason;
const reasonOfHost = (host: string) => reasonOf(`https://${host}/`);

/** A value as part of a title, which must be well-formed, since workerd sends it to Node. */
const shown = (value: string) => JSON.stringify([...value].slice(0, 60).join(""));

function repeated(pattern: { unit: string; prefix: string; length: number; suffix: string }): string {
  const room = pattern.length - pattern.prefix.length - pattern.suffix.length;
  const body = pattern.unit.repeat(Math.ceil(room / pattern.unit.length)).slice(0, room);
  return pattern.prefix + body + pattern.suffix;
}

/** The Location header of a destination: unchanged if ASCII, otherwise as serialised by the URL parser. */
function location(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  return /^[\x00-\x7f]*$/.test(value) ? value : new URL(value).href;
}

describe("the corpora", () => {
  it("have a case for each rule", () => {
    const reasons = new Set(bad.cases.map(({ reason }) => reason));
    expect(
      DESTINATION_REASONS.filter((reason) => !reasons.has(reason)),
      "needs a case in test/corpora/destinations-bad.json, and a word in src/docs/guide.md.",
    ).toEqual([]);
  });

  it.each(bad.cases.map((entry) => [shown(entry.value), entry] as const))(
    "%s is refused",
    (_, { value, reason }) => {
      const destination = value.trim();
      if (reason === "own_host") {
        expect(destinationProblem(destination)).toBeUndefined();
        expect(ownHostProblem(destinationHost(destination), OWN_HOSTS)).toEqual({
          field: "destination_url",
          reason: "own_host",
        });
        return;
      }
      const found = destinationProblem(destination);
      expect(found?.reason).toBe(reason);
      expect(said(found)).toMatch(/^The destination url field (?:is|must) .+\.$/);
      const message = MESSAGES[reason];
      if (message !== undefined) expect(said(found)).toBe(message);
    },
  );

  it.each(good.cases.map((entry) => [shown(entry.value), entry] as const))("%s is accepted", (_, entry) => {
    expect(destinationProblem(entry.value)).toBeUndefined();
    expect(ownHostProblem(destinationHost(entry.value), OWN_HOSTS)).toBeUndefined();
    expect(location(entry.value)).toBe("location" in entry ? entry.location : entry.value);
  });

  it("an umlaut is accepted after many other destinations too", () => {
    for (let number = 0; number < 50_000; number++) destinationProblem(`https://www.example.com/${number}`);
    expect(reasonOf("https://münchen.example/")).toBeUndefined();
  });

  it("only an address of the web is parsed", () => {
    expect(parseDestination("ftp://a.example/")).toBeUndefined();
    expect(parseDestination("https://a.example/")?.hostname).toBe("a.example");
  });

  it("a broken rule names the field, the destination unless another is given", () => {
    expect(said(destinationProblem(""))).toBe("The destination url field is required.");
    expect(said(destinationProblem("", "ended_url"))).toBe("The ended url field is required.");
    expect(said(ownHostProblem("s.example", OWN_HOSTS, "ended_url"))).toBe(
      "The ended url field must not point to this service itself.",
    );
  });

  it.each([...SHORTENER_HOSTS])(
    "%s is refused with its subdomains, but not a host with the same ending",
    (host) => {
      expect(reasonOfHost(host)).toBe("shortener");
      expect(reasonOfHost(`www.${host.toUpperCase()}.`)).toBe("shortener");
      expect(reasonOfHost(`brand.${host}`)).toBe("shortener");
      expect(reasonOfHost(`a.b.c.${host.toUpperCase()}`)).toBe("shortener");
      expect(reasonOfHost(`my${host}`)).toBeUndefined();
    },
  );

  it.each([
    ["https://./a", "host_shape"],
    ["https://a%xn--/", "unparseable"],
  ])("%s: %s", (value, reason) => {
    expect(reasonOf(value)).toBe(reason);
  });

  it.each([
    ["maps.app.goo.gl", undefined],
    ["app.goo.gl", "shortener"],
    ["www.maps.app.goo.gl", "shortener"],
    ["bit.ly.example", undefined],
  ])("%s: %s", (host, reason) => {
    expect(reasonOfHost(host)).toBe(reason);
  });

  it.each(redos.cases.map((entry, index) => ({ entry, index })))(
    "hostile text $index is refused",
    ({ entry }) => {
      const value = "repeat" in entry && entry.repeat ? repeated(entry.repeat) : (entry.value ?? "");
      expect(value.length).toBeGreaterThan(0);
      expect(destinationProblem(value.trim())).toBeDefined();
      expect(destinationProblem(value)).toBeDefined();
      expect(normaliseHost(value)).toBeUndefined();
    },
  );
});

describe("length", () => {
  const prefix = "https://example.com/";

  it.each(["a", "é", "😀"])("allows 2,048 code points of %s", (character) => {
    const longest = prefix + character.repeat(2048 - prefix.length);
    expect(destinationProblem(longest)).toBeUndefined();
    expect(reasonOf(longest + character)).toBe("too_long");
  });

  it("allows 2,048 characters of two code units each", () => {
    expect(reasonOf("😀".repeat(2048))).toBe("no_scheme");
  });

  it.each([
    [63, undefined],
    [64, "host_shape"],
  ])("a label of %i", (length, reason) => {
    expect(reasonOfHost(`${"a".repeat(length)}.example.com`)).toBe(reason);
  });

  it("counts a label in its encoded form", () => {
    const encodedLength = (label: string) => new URL(`https://${label}.com`).hostname.indexOf(".");
    const labels = Array.from({ length: 60 }, (_, index) => `ü${"a".repeat(index + 1)}`);
    const longest = labels.findLast((label) => encodedLength(label) <= 63) ?? "";
    expect(encodedLength(longest)).toBe(63);
    expect(reasonOfHost(`${longest}.com`)).toBeUndefined();
    expect(encodedLength(`${longest}a`)).toBe(64);
    expect(reasonOfHost(`${longest}a.com`)).toBe("host_shape");
  });

  it.each([
    [253, undefined],
    [254, "host_shape"],
  ])("a name of %i", (length, reason) => {
    const name = `${`${"a".repeat(59)}.`.repeat(4)}${"b".repeat(length - 244)}.com`;
    expect(name).toHaveLength(length);
    expect(reasonOfHost(name)).toBe(reason);
    expect(reasonOfHost(`${name}.`)).toBe(reason);
  });
});

describe("the text", () => {
  it.each(["\u00ad", "\u200b", "\u202e", "\u2800", "\ufffb", "\u{e0100}"])("%j is invisible", (character) => {
    expect(reasonOf(`https://example.com/a${character}b`)).toBe("invisible_character");
    expect(reasonOf(`https://exa${character}mple.com/`)).toBe("invisible_character");
    expect(reasonOf(`https://example.com/${encodeURIComponent(character)}`)).toBeUndefined();
  });

  it.each(["\u00a0", "\u1680", "\u2003", "\u202f", "\u205f", "\u3000"])("%j is white space", (character) => {
    expect(reasonOf(`https://example.com/a${character}b`)).toBe("whitespace");
  });

  it.each(["\0", "\b", "\v", "\f", "\x1f", "\x7f", "\x80", "\x9f", "\u2029"])(
    "%j is a control",
    (character) => {
      expect(reasonOf(`https://example.com/a${character}b`)).toBe("control_character");
    },
  );

  it("accepts an emoji with its variation selector, but not one with an invisible joiner", () => {
    expect(reasonOf("https://example.com/❤\ufe0f")).toBeUndefined();
    expect(reasonOf("https://example.com/👩\u200d💻")).toBe("invisible_character");
  });

  it.each([
    "HTTPS://EXAMPLE.COM/",
    "https://example.com",
    "https://example.com:8443/",
    "https://example.com/@user",
    "https://example.com/?to=a@b.example",
    "https://example%2ecom/",
  ])("%s is accepted", (value) => {
    expect(destinationProblem(value)).toBeUndefined();
  });
});

describe("the host", () => {
  it.each([
    ["example.example", undefined],
    ["example.c", "host_shape"],
    ["example.co1", "host_shape"],
    ["a_b.example.com", "host_shape"],
    ["127.0.0.1.", "ip_literal"],
    ["127.0.0.1.example.com", undefined],
    ["xn--99999999999:8080", "internal_host"],
  ])("%s is %s", (host, reason) => {
    expect(reasonOfHost(host)).toBe(reason);
  });

  it.each(INTERNAL_SUFFIXES)("%s is internal, but not a domain that has it elsewhere", (suffix) => {
    expect(reasonOfHost(suffix)).toBe("internal_host");
    expect(reasonOfHost(`a.b.${suffix.toUpperCase()}.`)).toBe("internal_host");
    expect(reasonOfHost(`${suffix}.example.com`)).toBeUndefined();
    expect(reasonOfHost(`example.not${suffix}`)).toBeUndefined();
  });

  it.each(ADDRESS_IN_NAME_DOMAINS)("%s hides an address, but similar names do not", (domain) => {
    expect(reasonOfHost(domain)).toBe("address_in_name");
    expect(reasonOfHost(`10-0-0-1.a.${domain}.`)).toBe("address_in_name");
    expect(reasonOfHost(`not${domain}`)).toBeUndefined();
  });

  it.each([
    ["https://EXAMPLE.com./a", "example.com"],
    ["https://München.example:8443/", "xn--mnchen-3ya.example"],
    ["https://ｓ.example/", "s.example"],
    ["https://example。com/", "example.com"],
  ])("of %s is %s", (value, host) => {
    expect(destinationProblem(value)).toBeUndefined();
    expect(destinationHost(value)).toBe(host);
  });
});

describe("homographs", () => {
  it.each([
    "москва.com",
    "сор.рф",
    "αθήνα.com",
    "երևան.com",
    "ᏣᎳᎩ.com",
    "例え.jp",
    "xn--mgba3gch31f060k.com",
  ])("%s passes", (host) => {
    expect(reasonOfHost(host)).toBeUndefined();
  });

  it.each([
    ["а1.com", "one Cyrillic letter and a digit"],
    ["а\u0301ррӏе.com", "Cyrillic under an accent"],
    ["ѕсоре❤.com", "Cyrillic and a symbol"],
    ["login.ѕсоре.com", "below another label"],
    ["ρινκ.com", "Greek"],
    ["սոօ.com", "Armenian"],
    ["ᎠᎡᎢ.com", "Cherokee capitals"],
    ["\uab70\uab71\uab72.com", "Cherokee small letters"],
    ["pаypal.com", "Latin and Cyrillic"],
    ["pаypal.рф", "Latin and Cyrillic under a Cyrillic top level"],
    ["gοοgle.com", "Latin and Greek"],
  ])("%s (%s) is refused", (host) => {
    expect(reasonOfHost(host)).toBe("homograph");
  });

  it.each(["xn--abc-.com", "xn--a.com", "xn--zzzzzzzz.com", "xn--99999999999.com", "xn--a-.com"])(
    "%s does not decode, and is not a host name",
    (host) => {
      expect(["host_shape", "unparseable"]).toContain(reasonOfHost(host));
      expect(readableLabels(host)).toBeUndefined();
    },
  );

  it.each([
    ["com", true],
    ["中com", false],
    ["com中", false],
  ])("is mistaken for Latin only under Latin letters: under %s %s", (topLevel, imitates) => {
    expect(isHomograph(["аррӏе", topLevel])).toBe(imitates);
  });

  it("treats digits with a Cyrillic mark as an imitation of Latin", () => {
    expect(isHomograph(["1\u0483", "com"])).toBe(true);
  });

  it("decodes what the URL parser encodes, and gives both the same result", () => {
    const unit = fc.constantFrom(..."az09-äöüßжщоаαϊ中文😀");
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 20 }), (label) => {
        if (/^[0-9]+$/.test(label)) return;
        const host = new URL(`https://${label}.com`).hostname;
        expect(readableLabels(host)).toEqual([label, "com"]);
        expect(reasonOfHost(`${label}.com`)).toBe(reasonOfHost(host));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("isWithinHost and ownHostProblem", () => {
  it.each([
    ["s.example", true],
    ["www.s.example", true],
    ["nots.example", false],
    ["s.example.evil.example", false],
    ["sxexample", false],
  ])("%s within s.example: %s", (host, within) => {
    expect(isWithinHost(host, "s.example")).toBe(within);
    expect(ownHostProblem(host, OWN_HOSTS)?.reason).toBe(within ? "own_host" : undefined);
  });

  it("refuse nothing without own hosts", () => {
    expect(ownHostProblem("s.example", [])).toBeUndefined();
  });
});

it("hostAndParents lists the host and every domain above it", () => {
  expect(hostAndParents("a.b.c")).toEqual(["a.b.c", "b.c", "c"]);
  expect(hostAndParents("c")).toEqual(["c"]);
});

describe("normaliseHost", () => {
  it.each([
    ["Evil.Example", "evil.example"],
    ["münchen.example", "xn--mnchen-3ya.example"],
    ["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
    ["аррӏе.com", "xn--80ak6aa92e.com"],
  ])("%s becomes %s", (value, host) => {
    expect(normaliseHost(value)).toBe(host);
    expect(normaliseHost(host)).toBe(host);
  });

  it.each([
    "",
    "zip",
    "evil..example",
    "127.1",
    "[::1]",
    "evil.example:443",
    "evil.example/",
    "\ud800.example",
    "ev\til.example",
    "evil.example\\a",
    "ev<il.example",
  ])("%j is not a host name", (value) => {
    expect(normaliseHost(value)).toBeUndefined();
  });
});

describe("any text", () => {
  const anything = fc.string({ unit: "binary", maxLength: 60 });
  const wild = fc.oneof(
    anything,
    anything.map((text) => `https://${text}`),
    fc.tuple(fc.domain(), anything).map(([host, text]) => `http://${host}/${text}`),
    fc.tuple(fc.domain(), fc.string({ unit: "grapheme" })).map(([host, text]) => `https://${host}/${text}`),
    fc.string({ unit: "grapheme", minLength: 1 }).map((label) => `https://${label}.example/`),
    fc
      .string({ unit: fc.constantFrom(..."htps:/\\@.?#%[]:-xn1aа\u00ad\ud800 \n") })
      .map((text) => `https:${text}`),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  );

  it("is checked without throwing, and an accepted text can be a Location", () => {
    fc.assert(
      fc.property(wild, (text) => {
        const value = text.trim();
        if (destinationProblem(value) !== undefined) return;
        const header = location(value);
        expect(new Headers({ Location: header }).get("Location")).toBe(header);
        const url = new URL(header);
        expect(["http:", "https:"]).toContain(url.protocol);
        expect(url.username + url.password).toBe("");
        expect(normaliseHost(destinationHost(value))).toBe(destinationHost(value));
        expect(destinationHost(header)).toBe(destinationHost(value));
        expect(destinationProblem(url.href.slice(0, 2048).replace(/%[^%]?$/, ""))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});
