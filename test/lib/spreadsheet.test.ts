import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defuse, restore } from "../../src/lib/spreadsheet";

describe("a cell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+44 20", "'+44 20"],
    ["-10 %", "'-10 %"],
    ["@sum", "'@sum"],
    ["\tx", "'\tx"],
    ["\rx", "'\rx"],
    ['"=1+1"', `'"=1+1"`],
    ["'=1+1", "''=1+1"],
    ["＝1", "'＝1"],
    ["'quoted'", "'quoted'"],
    ["a=b", "a=b"],
    ["", ""],
  ])("%j is written %j", (text, cell) => {
    expect(defuse(text)).toBe(cell);
    expect(restore(cell)).toBe(text);
  });

  it("loses one apostrophe and no more", () => {
    expect(restore("''=1")).toBe("'=1");
    expect(restore("'tis")).toBe("'tis");
  });

  const risky = fc.string({ unit: fc.constantFrom(..."='\"+-@\t\r\n aé＝") });

  it("gives any text back", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), risky), (text) => {
        expect(restore(defuse(text))).toBe(text);
      }),
    );
  });

  it("never begins like a formula", () => {
    fc.assert(fc.property(risky, (text) => !/^[=+\-@\t\r\n]|^"+[=+\-@]/.test(defuse(text))));
  });
});
