import { describe, expect, it } from "vitest";
import { mergeSources, sourceOf } from "../../src/analytics/sources";

describe("the source of a referrer", () => {
  it.each([
    ["facebook.com", "Facebook"],
    ["m.facebook.com", "Facebook"],
    ["t.co", "X"],
    ["twitter.com", "X"],
    ["www.google.ch", "Google"],
    ["google.co.uk", "Google"],
    ["google.cat", "Google"],
    ["mail.google.com", "Gmail"],
    ["teams.microsoft.com", "Teams"],
  ])("%s is %s", (domain, name) => {
    expect(sourceOf(domain)).toBe(name);
  });

  it.each([
    "",
    "other",
    "example.com",
    "notfacebook.com",
    "facebook.com.example.org",
    "google.com.example.org",
    "mygoogle.com",
    "t.co.uk",
    "__proto__",
  ])("%j stays as it is", (domain) => {
    expect(sourceOf(domain)).toBe(domain);
  });
});

it("domains of one source are summed under its name, highest first", () => {
  expect(
    mergeSources([
      { value: "example.com", visits: 5 },
      { value: "", visits: 4 },
      { value: "x.com", visits: 3 },
      { value: "t.co", visits: 3 },
      { value: "other", visits: 1 },
    ]),
  ).toEqual([
    { value: "X", visits: 6 },
    { value: "example.com", visits: 5 },
    { value: "", visits: 4 },
    { value: "other", visits: 1 },
  ]);
});
