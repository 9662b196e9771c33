import { expect, it } from "vitest";
import {
  addressIn,
  domainNamed,
  hostOfDomain,
  namedKey,
  nameOfAddress,
  shortUrlOf,
  writtenAddress,
} from "../../src/lib/short-url";
import { SHORT_HOST, slugKey } from "../../src/lib/slug-text";

const HOST = { shortHost: "s.example", shortBaseUrl: "http://s.example:8787" };
const DOMAIN = "go.example.com";

it("a short URL has the scheme and the port of the short host", () => {
  expect(shortUrlOf(HOST, SHORT_HOST, "Sale")).toBe("http://s.example:8787/Sale");
  expect(shortUrlOf(HOST, DOMAIN, "Sale")).toBe("http://go.example.com:8787/Sale");
  expect(shortUrlOf({ shortBaseUrl: "https://[::1]:8787" }, DOMAIN, "a")).toBe(
    "https://go.example.com:8787/a",
  );
});

it("the short host is named by its own name", () => {
  expect([hostOfDomain(HOST, SHORT_HOST), hostOfDomain(HOST, DOMAIN)]).toEqual(["s.example", DOMAIN]);
  expect(nameOfAddress(HOST, { domain: "s.example", slug: "Sale" })).toBe("Sale");
  expect(nameOfAddress(HOST, { domain: DOMAIN, slug: "Sale" })).toBe("go.example.com/Sale");
});

it.each([
  ["S.Example.", SHORT_HOST],
  ["Go.Example.Com.", DOMAIN],
  ["münchen.example", "xn--mnchen-3ya.example"],
  // No host name, so it is no domain of anybody.
  ["A_B.", "a_b"],
  ["a_b.c_d", "a_b.c_d"],
])("%s is the domain %j", (typed, domain) => {
  expect(domainNamed(HOST, typed)).toBe(domain);
});

it.each([
  ["Sale", SHORT_HOST, slugKey(SHORT_HOST, "sale"), "s.example/sale"],
  ["Sale", DOMAIN, slugKey(DOMAIN, "sale"), "sale"],
  ["Go.Example.Com/Sale", SHORT_HOST, slugKey(DOMAIN, "sale"), "sale"],
  ["s.example/Sale", DOMAIN, slugKey(SHORT_HOST, "sale"), "s.example/sale"],
])("the address %s beside a link on %j has the key %s", (address, domain, key, besideDomain) => {
  expect(namedKey(HOST, address, domain)).toBe(key);
  expect(writtenAddress(HOST, key, DOMAIN)).toBe(besideDomain);
});

it.each([
  ["https://Go.example.com/Sale", { host: DOMAIN, slug: "Sale" }],
  [" go.example.com:8787/Sale/?a=b ", { host: DOMAIN, slug: "Sale" }],
  ["go.example.com", undefined],
  ["go.example.com/", undefined],
  ["go.example.com/a/b", undefined],
  ["Sale", undefined],
])("in %j stands %j", (text, address) => {
  expect(addressIn(text)).toEqual(address);
});
