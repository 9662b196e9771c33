import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPair, setPair } from "../../src/lib/target";

const NAME = "utm_term";

it.each([
  ["https://e.example/?utm_term=a%20b&x=1", "a b"],
  ["https://e.example/?x=1&utm_term=a+b#utm_term=c", "a b"],
  ["https://e.example/?utm%5Fterm=a", "a"],
  ["https://e.example/?utm_term", ""],
  ["https://e.example/?utm_term=a=b&utm_term=c", "a=b"],
  ["https://e.example/?UTM_TERM=a&utm+term=b", ""],
  ["https://e.example/#?utm_term=a", ""],
  ["https://e.example/?utm_term=a%0D%0Ab%00", "a b"],
  ["https://e.example/?utm_term=%E9%", "\ufffd%"],
  ["not a URL", ""],
])("reading a pair in %s gives %j", (url, value) => {
  expect(readPair(url, NAME)).toBe(value);
});

describe("setting a pair", () => {
  it.each([
    ["adds it", "https://e.example/a", "v", "https://e.example/a?utm_term=v"],
    [
      "replaces it in place",
      "https://e.example/?utm_term=a&x=1",
      "é&",
      "https://e.example/?utm_term=%C3%A9%26&x=1",
    ],
    ["takes it out", "https://e.example/?a&utm_term=1&b", "", "https://e.example/?a&b"],
    ["takes it out with the ?", "https://e.example/?utm_term=1#f", "", "https://e.example/#f"],
    ["takes out nothing", "https://e.example/?a&&", "", "https://e.example/?a&&"],
    [
      "writes a lone surrogate as U+FFFD",
      "https://e.example/",
      "\ud800",
      "https://e.example/?utm_term=%EF%BF%BD",
    ],
  ])("%s", (_, url, value, expected) => {
    expect(setPair(url, NAME, value)).toBe(expected);
  });

  const pair = fc.oneof(
    fc.constantFrom("", "a", "a=1", "utm_term=x", "utm%5fterm", "utm_term=a%20b", "x=%E9", "=", "é=ü"),
    fc.string().map((text) => text.replaceAll(/[&#?]/g, "")),
  );
  const url = fc
    .tuple(
      fc.constantFrom("https://e.example", "https://e.example/a//b%2f", "HTTP://E.example/"),
      fc.option(fc.array(pair, { maxLength: 6 })),
      fc.constantFrom("", "#", "#a?utm_term=z&b"),
    )
    .map(([start, pairs, fragment]) => start + (pairs === null ? "" : `?${pairs.join("&")}`) + fragment);
  const value = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/\p{Cc}+/gu, " ").trim());
  /** Every pair of another name, in its order, and what is around the query. */
  const othersIn = (text: string) => {
    const [rest = "", ...fragment] = text.split("#");
    const [before, ...query] = rest.split("?");
    const pairs = query.join("?").split("&");
    return [
      before,
      fragment,
      pairs.filter(
        (one) => one !== "" && readPair(`?${one}x`, NAME) === "" && !/^utm(_|%5f)term(=|$)/i.test(one),
      ),
    ];
  };

  it("changes no other byte, and the value is read back", () => {
    fc.assert(
      fc.property(url, value, (given, text) => {
        const set = setPair(given, NAME, text);
        expect(readPair(set, NAME)).toBe(text);
        expect(othersIn(set)).toEqual(othersIn(given));
        expect(setPair(set, NAME, text)).toBe(set);
      }),
    );
  });
});
