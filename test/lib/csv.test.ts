import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLines, joinNames, rowsOf, splitNames } from "../../src/lib/csv";
import { cellsThatDiffer, textOf, toBytes, toWestern, unclearTexts } from "../../src/lib/file-text";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The cells of each row with "|" between them; or the problem. */
const cells = (text: string): string[] | string => {
  const read = rowsOf(text, (heading) => heading.filter((name) => /^[a-z]+$/.test(name)).length);
  return read.ok ? read.value.map((row) => row.cells.join("|")) : read.message;
};

describe("the text of a file", () => {
  it.each([
    ["with a byte order mark", "\uFEFFa,b"],
    ["without", "a,b"],
  ])("is UTF-8 %s", (_, text) => {
    expect(textOf(bytes(text))).toEqual({ ok: true, value: "a,b", encoding: "UTF-8" });
  });

  it("may start with a P, like an archive", () => {
    expect(textOf(bytes("Page,b"))).toMatchObject({ ok: true, value: "Page,b" });
  });

  it("has normalised line endings", () => {
    expect(textOf(bytes("a\r\nb\rc\nd"))).toMatchObject({ ok: true, value: "a\nb\nc\nd" });
  });

  it.each([
    ["little-endian", [0xff, 0xfe, 0x61, 0x00, 0xfc, 0x00], "aü"],
    ["big-endian", [0xfe, 0xff, 0x00, 0x61, 0x00, 0xfc], "aü"],
    ["without a zero byte, little-endian", [0xff, 0xfe, 0x42, 0x30], "あ"],
    ["without a zero byte, big-endian", [0xfe, 0xff, 0x30, 0x42], "あ"],
    ["without a mark, little-endian", [0x61, 0x00, 0x0d, 0x00, 0x0a, 0x00, 0x42, 0x30], "a\nあ"],
    ["without a mark, big-endian", [0x00, 0x61, 0x00, 0x62], "ab"],
  ])("is UTF-16 %s", (_, given, value) => {
    expect(textOf(Uint8Array.from(given))).toEqual({ ok: true, value, encoding: "UTF-16" });
  });

  /** The bytes of a text whose characters are below 256. */
  const codes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

  it.each([
    ["one word", "Größe", undefined],
    ["letters that are in the same place in all of them", "Größe für Zürich, Café", undefined],
    ["signs beside such a letter", "M\xfcller\x92s \x84Fest\x93 \x96 5 \x80\x85", "Müller’s „Fest“ – 5 €…"],
  ])("is Windows-1252 with %s", (_, text, value = text) => {
    expect(textOf(codes(text))).toEqual({ ok: true, value, encoding: "Windows-1252" });
  });

  it.each([
    ["in Latin 1 with a letter that another code page has in its place", codes("Genève für")],
    ["in Mac Roman", codes("Gr\x9a§e, Caf\x8e")],
    ["in the code page of DOS", codes("M\x84dchen f\x81r")],
    ["in Windows-1251", codes("\xcf\xf0\xe8\xe2\xe5\xf2")],
    ["with signs alone, which Mac has in the place of letters", codes("Spring \x96 Sale")],
    ["with a letter at the end of a word alone, which is a sign in DOS", codes("5 m\xfc")],
    ["in UTF-8 that is cut in a letter", Uint8Array.of(0x61, 0x7a, 0xc3)],
  ])("is refused as not in UTF-8 if it is %s", (_, given) => {
    const read = textOf(given);
    expect(read.ok ? "" : read.message).toBe(
      "The file is not in UTF-8. Save it as “CSV UTF-8”, and choose it again.",
    );
  });

  /** The bytes of a text in Windows-1252, one byte a sign. */
  const western = (text: string) => toBytes(text);

  it.each([
    ["Genève, Café", "Genčve, Café", "Genève", "Genčve"],
    ["l’œuvre à Besançon", "l’śuvre ŕ Besançon", "l’œuvre à Besançon", "l’śuvre ŕ Besançon"],
    ["£ódŸ", "Łódź", "£ódŸ", "Łódź"],
  ])("is unclear if Western and Central Europe have other letters in it: %s", (text, central, is, other) => {
    const texts = unclearTexts(western(text));
    expect(texts).toEqual([
      ["Windows-1252", text],
      ["Windows-1250", central],
    ]);
    expect(cellsThatDiffer(text, central)[0]).toEqual([is, other]);
  });

  it("is unclear with one reading where the other has no such letters", () => {
    // Byte 9D is ť in Windows-1250, and nothing in Windows-1252.
    expect(unclearTexts(codes("\x9da,re\x9d"))).toEqual([["Windows-1250", "ťa,reť"]]);
  });

  it("is not unclear if it is certain or can be nothing of this kind", () => {
    const others = [
      ...[bytes("Genève"), codes("Größe für Zürich"), codes("M\x84dchen f\x81r")],
      ...[codes("\xcf\xf0\xe8\xe2\xe5\xf2"), codes("Spring \x96 Sale")],
      ...[Uint8Array.of(...bytes("Größe für"), 0xc3), codes("Gen\xe8ve\x00"), codes("PK\x03\x04\xe8a")],
    ];
    expect(others.map((one) => unclearTexts(one))).toEqual(others.map(() => []));
  });

  it("in Windows-1252 becomes its bytes again, all of them", () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(toBytes(toWestern(all))).toEqual(all);
  });

  it("shows three parts of cells that differ at most, of long cells what is around the letter", () => {
    const one = `a;${"x".repeat(50)} è ${"y".repeat(50)};é,è1\nè2\tè3\nè1`;
    const found = cellsThatDiffer(one, one.replaceAll("è", "č"));
    expect(found.map(([cell]) => cell)).toEqual([`${"x".repeat(29)} è ${"y".repeat(28)}`, "è1", "è2"]);
    expect(cellsThatDiffer("a;ça", "a;ça")).toEqual([["ça", "ça"]]);
  });

  it.each([
    ["UTF-16 that is cut in a letter", [0xff, 0xfe, 0x61], "UTF-16"],
    ["UTF-16 with half a character", [0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00], "UTF-16"],
    ["UTF-32", [0xff, 0xfe, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00], "UTF-16"],
    ["UTF-8 with a zero byte", [0x61, 0x62, 0x00, 0x63], "UTF-16"],
    ["a picture", [0x89, 0x50, 0x4e, 0x47, 0x00, 0x00], "UTF-16"],
    ["a spreadsheet", [0x50, 0x4b, 0x03, 0x04, 0x00], "spreadsheet"],
  ])("is refused with a readable error if it is %s", (_, given, said) => {
    const read = textOf(Uint8Array.from(given));
    expect(read.ok ? "" : read.message).toContain(said);
    expect(read.ok ? "" : read.message).toContain("Save it as “CSV UTF-8”");
  });
});

describe("rows", () => {
  it.each([
    ["commas", "url,title\nx,a;b\n"],
    ["semicolons", "url;title\nx;a;b\n"],
    ["tabs", "url\ttitle\nx\ta;b\n"],
  ])("are separated by %s", (_, text) => {
    expect(cells(text)).toEqual(["url|title", _ === "semicolons" ? "x|a|b" : "x|a;b"]);
  });

  it("are separated by the separator in the file's sep= line", () => {
    expect(cells("sep=;\nurl;title\nx;y")).toEqual(["url|title", "x|y"]);
  });

  it.each([
    ["gives the most known headings, though not the most cells", "url;a b, c, d\nx;y"],
    ["gives the most cells, if no other gives more known headings", "A;B;C,D\nx;y;z,z"],
    ["gives the most known headings below empty lines", "\n\nurl;a, b, c\nx;y"],
  ])("are separated by the character that %s", (_, text) => {
    expect(cells(text)[0]).toBe(text.trim().split("\n")[0]?.replaceAll(";", "|"));
  });

  it("are separated by what the first 20,000 characters show", () => {
    const lengths: number[] = [];
    rowsOf("a".repeat(20_001), ([name = ""]) => lengths.push(name.length));
    expect(lengths).toEqual([20_000, 20_000, 20_000]);
  });

  it("end only at a line feed", () => {
    expect(cells("url,title\rx\ny,z")).toEqual(["url|title\rx", "y|z"]);
  });

  it("do not exist in an empty file, which has no headings either", () => {
    const headings: (readonly string[])[] = [];
    expect(rowsOf("", (heading) => headings.push(heading))).toMatchObject({ ok: true, value: [] });
    expect(headings).toEqual([[], [], []]);
  });

  it("can have quoted cells with line breaks, separators and doubled quotation marks", () => {
    expect(cells('url,title\nx,"one\ntwo, ""three"""\n')).toEqual(["url|title", 'x|one\ntwo, "three"']);
  });

  it("are numbered as in a spreadsheet, and blank ones are skipped", () => {
    const read = rowsOf("url,title\n\nx,y\n , \nz,\n", () => 0);
    expect(read.ok && read.value.map(({ number }) => number)).toEqual([1, 3, 5]);
  });

  it.each([
    ['url,title\nx,"open\nmore', "A quotation mark that opens in row 2 is never closed."],
    [
      'url,title\nx,"shut"more\n',
      "A quotation mark in row 2 is followed by more text. Inside a quoted cell it must be doubled.",
    ],
  ])("with unbalanced quotation marks are refused: %j", (text, message) => {
    expect(cells(text)).toBe(message);
  });

  it("are written with an empty cell for null, and as empty text if there are none", () => {
    expect(csvLines([["a", null, "b"], [null]])).toBe("a,,b\r\n\r\n");
    expect(csvLines([])).toBe("");
  });

  it("are quoted where another separator than a comma would divide a cell", () => {
    expect(csvLines([["a;b", "c\td", "e"]])).toBe('"a;b","c\td",e\r\n');
    expect(csvLines([["a,=b", "=c"]], ";")).toBe("\"a,'=b\";'=c\r\n");
  });

  it("survive a round trip", () => {
    const text = fc
      .string({ unit: fc.constantFrom(..."=+-@'\",;|\n\t aé🎉") })
      .filter((cell) => cell.trim() !== "");
    const delimiters = fc.constantFrom(",", ";", "\t");
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), delimiters, (rows, delimiter) => {
        const read = rowsOf(
          csvLines([["url", "title"], ...rows], delimiter).replaceAll("\r\n", "\n"),
          (heading) => (heading[1] === "title" ? 1 : 0),
        );
        expect(read.ok && read.value.slice(1).map((row) => row.cells)).toEqual(rows);
      }),
    );
  });
});

describe("names in one cell", () => {
  it.each([
    ["a, b", ["a", "b"]],
    ["a;b|c", ["a", "b", "c"]],
    [' a ,, "b, c" ;', ["a", "b, c"]],
    ['"say ""hi"""', ['say "hi"']],
    ['"unfinished, b', ['"unfinished', "b"]],
    ['5" screen, tv', ['5" screen', "tv"]],
    ['"a" b, c', ['"a" b', "c"]],
    [', "', ['"']],
    ["", []],
  ])("%j are %j", (cell, names) => {
    expect(splitNames(cell)).toEqual(names);
  });

  it("survive a round trip", () => {
    const name = fc
      .string({ unit: fc.constantFrom(..."\",;| ab'é") })
      .map((text) => text.trim())
      .filter((text) => text !== "");
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(splitNames(joinNames(names))).toEqual(names);
      }),
    );
  });
});
