import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destinationProblem } from "../../src/lib/destination";
import { supplyScheme } from "../../src/lib/supplied-scheme";
import good from "../corpora/destinations-good.json";

describe("an address without a scheme", () => {
  it.each([
    ["example.com/a", "https://example.com/a"],
    ["  www.example.com  ", "https://www.example.com"],
    ["//example.com/a", "https://example.com/a"],
    ["example.com/?next=https://b.example/", "https://example.com/?next=https://b.example/"],
    ["example.com:8080/a?b=c#d", "https://example.com:8080/a?b=c#d"],
    ["Zürich.example/ä", "https://Zürich.example/ä"],
    ["bit.ly/x", "https://bit.ly/x"],
  ])("%j gets https://", (typed, supplied) => {
    expect(supplyScheme(typed)).toBe(supplied);
  });

  it.each([
    "",
    "shop",
    "localhost:3000",
    "mailto:me@example.com",
    "ftp://example.com/",
    "me@example.com",
    "http:/example.com",
    "e.g",
  ])("%j is no host, so it stays as it is", (typed) => {
    expect(supplyScheme(typed)).toBe(typed);
  });
});

it("an address with a scheme stays as it is, whatever its rules say", () => {
  for (const { value } of good.cases) expect(supplyScheme(value)).toBe(value.trim());
  for (const value of ["https://localhost/", "HTTP://10.0.0.1", "https:example.com", "https://bit.ly/x"]) {
    expect(supplyScheme(value)).toBe(value);
  }
});

it("what is supplied is an address that only its host can rule out", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.domain(), fc.webPath()), (typed) => {
      const supplied = supplyScheme(typed);
      if (supplied === typed.trim()) return;
      const reason = destinationProblem(supplied)?.reason;
      expect([undefined, "shortener", "address_in_name", "homograph"]).toContain(reason);
    }),
  );
});
