import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeFormula, unescapeFormula } from "../../src/lib/csv";

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
    ["'tis", "'tis"],
    ["a;=HYPERLINK(1)", "a;'=HYPERLINK(1)"],
    ["a; =1+1", "a;' =1+1"],
    ["a\t+1", "a\t'+1"],
    ["a\n'@x;-1", "a\n''@x;'-1"],
    ['x;"=1+1;"', `x;'"=1+1;"`],
    ["a;b'=c", "a;b'=c"],
    ["a=b", "a=b"],
    ["", ""],
  ])("%j is written %j", (text, cell) => {
    expect(escapeFormula(text)).toBe(cell);
    expect(unescapeFormula(cell)).toBe(text);
  });

  const risky = fc.string({ unit: fc.constantFrom(..."='\"+-@;\t\r\n aé＝") });

  it("round-trips any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), risky), (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text);
      }),
    );
  });

  it("never starts like a formula, also behind a sign that may divide cells", () => {
    fc.assert(
      fc.property(
        risky,
        (text) => !/^[=+\-@\t\r\n]|^"+[=+\-@]|[;\t\r\n]"*[=+\-@＝]/.test(escapeFormula(text)),
      ),
    );
  });
});
