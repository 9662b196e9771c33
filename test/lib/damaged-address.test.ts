import { describe, expect, it } from "vitest";
import { damageOf } from "../../src/lib/damaged-address";

const AT = "https://www.example.com/offer";

describe("what is damaged in an address", () => {
  it.each([
    ["an entity", `${AT}?a=1&amp;b=2`, `${AT}?a=1&b=2`, ["&amp;"]],
    ["an entity of an entity", `${AT}?a=1&amp;amp;b=2`, `${AT}?a=1&b=2`, ["&amp;"]],
    ["UTM behind #", `${AT}#utm_source=x&utm_medium=y`, `${AT}?utm_source=x&utm_medium=y`, ["#"]],
    ["UTM behind a place", `${AT}?a=1#top?utm_source=x`, `${AT}?a=1&utm_source=x#top`, ["#"]],
    ["UTM among others", `${AT}#/p?b=1&utm_source=x&c=2`, `${AT}?utm_source=x#/p?b=1&c=2`, ["#"]],
    ["UTM first", `${AT}#/p?utm_source=x&c=2`, `${AT}?utm_source=x#/p?c=2`, ["#"]],
    ["a second ?", `${AT}?a=1?utm_source=x`, `${AT}?a=1&utm_source=x`, ["second"]],
    ["a third ?", `${AT}?a=1?b=2?c=3`, `${AT}?a=1&b=2&c=3`, ["second"]],
    ["a doubled ?", `${AT}??a=1`, `${AT}?a=1`, ["second"]],
    ["two values", `${AT}?utm_source=x&a=1&utm_source=y#z`, `${AT}?utm_source=x&a=1#z`, ["two different"]],
    [
      "all of them",
      `${AT}?utm_source=x&amp;a=1?utm_source=y#top&utm_medium=z`,
      `${AT}?utm_source=x&a=1&utm_medium=z#top`,
      ["&amp;", "#", "second", "two different"],
    ],
  ])("%s", (_, url, mended, words) => {
    const damage = damageOf(url);
    expect(damage?.mended).toBe(mended);
    expect(damage?.says.map((sentence, place) => sentence.includes(words[place] ?? "-"))).toEqual(
      words.map(() => true),
    );
    // Nothing is left to mend.
    expect(damageOf(mended)).toBeUndefined();
  });

  it("is found in a time that grows with its length, not faster", () => {
    for (const part of ["?a=1", "?", "=", "&utm_source=x", "&amp;", "#utm_source=x&", "a=?"]) {
      const began = performance.now();
      damageOf(`${AT}?a=1${part.repeat(60_000 / part.length)}`);
      expect(performance.now() - began, part).toBeLessThan(500);
    }
  });

  it.each([
    AT,
    `${AT}?a=1&b=2#top`,
    `${AT}?`,
    `${AT}?to=https://other.example/?x=1`,
    `${AT}?to=/path?x=1`,
    `${AT}?to=https%3A%2F%2Fother.example?x=1`,
    `${AT}?q=why?`,
    `${AT}?utm_source=x&utm_source=x`,
    `${AT}?a=1&a=2`,
    `${AT}#/route?tab=1`,
    `${AT}#:~:text=utm_source`,
    "",
    "no address?a=1",
  ])("nothing in %s", (url) => {
    expect(damageOf(url)).toBeUndefined();
  });
});
