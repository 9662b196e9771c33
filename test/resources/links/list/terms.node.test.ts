import { expect, it } from "vitest";
import { toTerms } from "../../../../src/resources/links/list/terms";

const HOSTS = { ownHosts: ["api.example", "s.example"], shortHost: "s.example" };

it.each<[string, ReturnType<typeof toTerms>]>([
  ["https://s.example/Summer", { opened: "summer", isShortUrl: true, words: [] }],
  [" S.EXAMPLE/summer/?utm_source=x#top ", { opened: "summer", isShortUrl: true, words: [] }],
  ["http://api.example:8787/summer", { opened: "summer", isShortUrl: true, words: [] }],
  ["https://s.example/docs", { opened: undefined, isShortUrl: false, words: ["s.example/docs"] }],
  ["https://s.example/a/b", { opened: undefined, isShortUrl: false, words: ["s.example/a/b"] }],
  ["https://evil@s.example/a", { opened: undefined, isShortUrl: false, words: ["evil@s.example/a"] }],
  [
    "https://go.acme.example/Summer",
    { opened: "go.acme.example/summer", isShortUrl: true, words: ["go.acme.example/summer"] },
  ],
  ["Summer", { opened: "summer", isShortUrl: false, words: ["summer"] }],
  ["summer sale", { opened: undefined, isShortUrl: false, words: ["summer", "sale"] }],
  [
    "https://www.Example.com/Shop/",
    { opened: "www.example.com/shop", isShortUrl: true, words: ["www.example.com/shop"] },
  ],
  [
    "www.example.com/shop?a=1",
    { opened: "www.example.com/shop", isShortUrl: true, words: ["www.example.com/shop?a=1"] },
  ],
  ["Été ete", { opened: undefined, isShortUrl: false, words: ["ete"] }],
  ["Été", { opened: undefined, isShortUrl: false, words: ["ete"] }],
  ["\u0301", { opened: undefined, isShortUrl: false, words: ["\u0301"] }],
  ["/", { opened: undefined, isShortUrl: false, words: ["/"] }],
])("%j means %j", (text, expected) => {
  expect(toTerms(text, HOSTS)).toEqual(expected);
});
