import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_LIST_CHARACTERS, parseAssetList } from "../../../src/resources/engagement/parse-list";

/** Name, place and quantity of each row with "-" for null, or its problems; or the problem of the list. */
const read = (text: string) => {
  const { rows, problem } = parseAssetList(text);
  const shown = (asset: object) => Object.values(asset).map((value) => value ?? "-");
  return (
    problem ?? rows.map(({ asset, problems }) => (asset ? shown(asset).join(" | ") : problems.join(" ")))
  );
};

describe("a list of assets", () => {
  it.each([
    ["a name a line", "Bern\nZürich HB", ["Bern | - | -", "Zürich HB | - | -"]],
    ["blank lines and spaces", "\n  Bern \n\n\t\nThun\n\n", ["Bern | - | -", "Thun | - | -"]],
    ["a byte order mark", "\uFEFFname\nBern", ["Bern | - | -"]],
    ["tabs of a spreadsheet", "A1\tBern; Marktgasse, 2\t3", ["A1 | Bern; Marktgasse, 2 | 3"]],
    ["a number as the second cell", "A1;3\nA2;\nA3;5", ["A1 | - | 3", "A2 | - | -", "A3 | - | 5"]],
    ["a place as the second cell", "A1;3\nA2;Thun", ["A1 | 3 | -", "A2 | Thun | -"]],
    ["a heading in another order", "quantity,place,name\n3,Bern,A1", ["A1 | Bern | 3"]],
    ["a German heading", "Bezeichnung;Standort;Stückzahl\nA1;Bern;3", ["A1 | Bern | 3"]],
    ["capitals and quotes", '"NAME","Ort"\n"A1","Bern, ""Loeb"""', ['A1 | Bern, "Loeb" | -']],
    ["a heading of a place alone", "Ort;Anzahl\nBern;3", ["Bern | Bern | 3"]],
    ["a heading with an unknown column", "Name;Remark;Ort\nA1;x;Bern", ["A1 | Bern | -"]],
    ["a declared separator", "sep=;\nName;Ort\nA1;Bern", ["A1 | Bern | -"]],
    ["thousands", "A;X;1'200\nB;X;1.200\nC;X;1 200", ["A | X | 1200", "B | X | 1200", "C | X | 1200"]],
    ["a formula that a spreadsheet escaped", "'=1+1", ["=1+1 | - | -"]],
    ["an asset called like a column", "Bern\nPlace", ["Bern | - | -", "Place | - | -"]],
    ["a quotation mark inside a name", 'Café "Loeb", Bern', ['Café "Loeb" | Bern | -']],
  ])("may have %s", (_, text, rows) => {
    expect(read(text)).toEqual(rows);
  });

  it.each([
    ["nothing", " \n\t\n", "The list is empty."],
    ["a heading alone", "name,place\n", "no poster"],
    ["a heading without a name", "quantity\n3", "no column “name” or “place”"],
    ["201 lines", "Bern\n".repeat(201), "The list has 201 posters. At most 200"],
    ["too many characters", "x".repeat(MAX_LIST_CHARACTERS + 1), "too long"],
    ["an open quotation mark", 'Bern\n"Thun', "row 2 is never closed"],
  ])("is refused as a whole with %s", (_, text, message) => {
    expect(read(text)).toContain(message);
  });

  it("may have 200 lines and a heading", () => {
    expect(read(`name\n${"Bern\n".repeat(200)}`)).toHaveLength(200);
  });

  it("says what is wrong with each line, and keeps what was written", () => {
    const { rows } = parseAssetList(
      `name;place;quantity\nA;Bern;many\n\n;Thun;3\n${"W".repeat(101)};;0\nB;x;1;2\nC`,
    );
    expect(rows.map(({ line, problems }) => [line, problems])).toEqual([
      [2, ["The quantity must be a whole number."]],
      [4, ["Enter the name."]],
      [
        5,
        ["The name must not have more than 100 characters.", "The quantity must be between 1 and 100000000."],
      ],
      [
        6,
        ["The line has more cells than there are columns. Put a text with a separator in quotation marks."],
      ],
      [7, []],
    ]);
    expect(rows[0]).toMatchObject({ name: "A", place: "Bern", quantity: "many", asset: undefined });
  });

  it("says which line is the heading, and which columns are not used", () => {
    const { headingLine, ignored } = parseAssetList("\nName;Remark;Ort;Place\nA;x;Bern;Thun");
    expect([headingLine, ignored]).toEqual([2, ["Remark", "Place"]]);
    expect(parseAssetList("Bern").headingLine).toBeUndefined();
  });

  it("never throws, and checks every line that is not blank", () => {
    const chunk = fc.constantFrom(...'",;\t\n 3é\uFEFF\0', "\r\n", "name", "ort", "'=");
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), (chunksOf) => {
        const { rows, problem } = parseAssetList(chunksOf.join(""));
        expect(rows.length > 0).toBe(problem === undefined);
        for (const { asset, problems } of rows) expect(asset === undefined).toBe(problems.length > 0);
      }),
    );
  });
});
