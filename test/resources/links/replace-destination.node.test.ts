import { describe, expect, it } from "vitest";
import { destinationProblem } from "../../../src/lib/destination";
import { destinationAfter } from "../../../src/resources/links/replace-destination";

describe("a text that is replaced in a destination", () => {
  it.each([
    ["https://old.example/old?from=old", "old", "new", "https://new.example/new?from=new"],
    ["https://a.example/Old", "old", "new", "https://a.example/Old"],
    ["https://a.example/?y", "?y", "$&$1$`", "https://a.example/$&$1$`"],
    ["https://a.example/a.b?c=(d)*", ".b?c=(d)*", "", "https://a.example/a"],
    ["https://a.example/aaa", "aa", "a", "https://a.example/aa"],
    ["https://a.example/é", "é", "e", "https://a.example/e"],
    ["https://a.example/", ".*", "", "https://a.example/"],
    ["https://a.example/", undefined, "b", "https://a.example/"],
    ["https://a.example/y", "y", null, "https://a.example/"],
  ])("is a plain text, at every place: %s, %s by %s", (url, find, replacement, after) => {
    expect(destinationAfter(url, { find, replacement })).toBe(after);
  });

  it("makes no long text of what is no destination then", () => {
    const url = `https://a.example/${"x".repeat(2_000)}`;
    const after = destinationAfter(url, { find: "x", replacement: "y".repeat(2_048) });
    expect(after.length).toBeLessThan(7_000);
    expect(destinationProblem(after)?.reason).toBe("too_long");
  });
});
