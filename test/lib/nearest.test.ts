import { describe, expect, it } from "vitest";
import { nearest } from "../../src/lib/nearest";

describe("the known word that is nearest", () => {
  it.each([
    ["destinatoin", "destination"],
    ["tag", "tags"],
    ["Titel", "title"],
    ["short_slug", "slug"],
    ["kitten", undefined],
    ["", undefined],
  ])("to %s is %s", (word, expected) => {
    expect(nearest(word, ["destination", "slug", "tags", "title"])).toBe(expected);
  });

  it("is the one with the fewest changed letters, and none if a third differs", () => {
    expect(nearest("sittin", ["sitting", "kitten"])).toBe("sitting");
    expect(nearest("abc", ["xyz"])).toBeUndefined();
    expect(nearest("anything", [])).toBeUndefined();
  });
});
