import { describe, expect, it } from "vitest";
import { csvLine } from "../../src/lib/csv";

describe("a line of a CSV file", () => {
  it.each([
    [["a", "b c", ""], "a,b c,"],
    [["a,b", 'say "hi"', "two\nlines"], '"a,b","say ""hi""","two\nlines"'],
    [[" padded "], '" padded "'],
    [["https://s.example/a", "2026-05-01", "12"], "https://s.example/a,2026-05-01,12"],
  ])("has the cells %j", (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });

  it.each(["=1+1", "+41", "-2", "@SUM(A1)", "\t=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20a", "  =1"])(
    "runs no formula: %j",
    (cell) => {
      expect(csvLine([cell])).toBe(`'${cell}\r\n`);
    },
  );

  it.each(["a=1", "1-2", "'=1", "a@b.example"])("leaves %j as it is", (cell) => {
    expect(csvLine([cell])).toBe(`${cell}\r\n`);
  });
});
