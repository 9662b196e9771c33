import { getDomain } from "tldts-icann";
import { expect, it } from "vitest";
import { publicSuffixesFile } from "../../src/cli/public-suffixes";
import { registrableDomain } from "../../src/lib/registrable-domain";

const lines = publicSuffixesFile().split("\n");
const suffixes = new Set(lines);
const domainOf = (host: string) => registrableDomain(host, suffixes) ?? null;

it("the list has suffixes of all kinds", () => {
  expect(lines.length).toBeGreaterThan(5_000);
  expect(suffixes.size).toBe(lines.length);
  expect(lines).toEqual(expect.arrayContaining(["co.uk", "*.ck", "!www.ck", "tokyo.jp", "xn--55qx5d.cn"]));
  expect(suffixes.has("github.io")).toBe(false);
});

it("every suffix and what is below it has the domain that tldts finds", () => {
  const names = lines.map((line) => line.replace(/^!/, "").replace("*", "any"));
  const hosts = names.flatMap((name) => [
    name,
    `a.${name}`,
    `b.a.${name}`,
    name.split(".").slice(1).join("."),
  ]);
  const differing = hosts.filter((host) => domainOf(host) !== getDomain(host));
  expect(differing).toEqual([]);
});

it.each([
  "localhost",
  "example.com",
  "www.example.com.",
  "a.b.unknown",
  "203.0.113.7",
  "[2001:db8::1]",
  "com",
  "",
])("%j has the domain that tldts finds", (host) => {
  expect(domainOf(host)).toBe(getDomain(host));
});
