import { expect, it } from "vitest";
import { toTerms } from "../../../../src/resources/links/list/terms";

const HOSTS = ["api.example", "s.example"];

it.each<[string, ReturnType<typeof toTerms>]>([
  ["https://s.example/Summer", { slugKey: "summer", isShortUrl: true, words: [] }],
  [" S.EXAMPLE/summer/?utm_source=x#top ", { slugKey: "summer", isShortUrl: true, words: [] }],
  ["http://api.example:8787/summer", { slugKey: "summer", isShortUrl: true, words: [] }],
  ["https://s.example/docs", { slugKey: undefined, isShortUrl: false, words: ["s.example/docs"] }],
  ["https://s.example/a/b", { slugKey: undefined, isShortUrl: false, words: ["s.example/a/b"] }],
  ["https://evil@s.example/a", { slugKey: undefined, isShortUrl: false, words: ["evil@s.example/a"] }],
  ["Summer", { slugKey: "summer", isShortUrl: false, words: ["summer"] }],
  ["summer sale", { slugKey: undefined, isShortUrl: false, words: ["summer", "sale"] }],
  [
    "https://www.Example.com/Shop/",
    { slugKey: undefined, isShortUrl: false, words: ["www.example.com/shop"] },
  ],
  [
    "www.example.com/shop?a=1",
    { slugKey: undefined, isShortUrl: false, words: ["www.example.com/shop?a=1"] },
  ],
  ["Été ete", { slugKey: undefined, isShortUrl: false, words: ["ete"] }],
  ["Été", { slugKey: undefined, isShortUrl: false, words: ["ete"] }],
  ["\u0301", { slugKey: undefined, isShortUrl: false, words: ["\u0301"] }],
  ["/", { slugKey: undefined, isShortUrl: false, words: ["/"] }],
])("%j means %j", (text, expected) => {
  expect(toTerms(text, HOSTS)).toEqual(expected);
});
