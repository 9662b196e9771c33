import Papa from "papaparse";

// A spreadsheet executes a cell that starts like a formula, even after quotation marks.

const FORMULA = /^['" ]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

// A spreadsheet that divides cells at other signs may see the beginning of a cell behind them.
const BEHIND_DIVIDER = /(?<=[;\t\r\n])/;
const INNER_FORMULA = /^['" ]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const DIVIDES = /[;\t]/;

const changeParts = (text: string, change: (part: string) => string): string =>
  text
    .split(BEHIND_DIVIDER)
    .map((part, index) => (index === 0 ? part : change(part)))
    .join("");

const withMark = (text: string, formula: RegExp): string => (formula.test(text) ? `'${text}` : text);
const withoutMark = (text: string, formula: RegExp): string =>
  text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;

/** Prefixes formulas with an apostrophe, also behind a sign that may divide cells, so that no spreadsheet executes them. */
export const escapeFormula = (text: string): string =>
  withMark(
    changeParts(text, (part) => withMark(part, INNER_FORMULA)),
    FORMULA,
  );

/** Removes the apostrophes that `escapeFormula` adds, and no others. */
export const unescapeFormula = (cell: string): string =>
  changeParts(withoutMark(cell, FORMULA), (part) => withoutMark(part, INNER_FORMULA));

/** Excel reads a file as UTF-8 only with this mark. */
export const BYTE_ORDER_MARK = "\uFEFF";

const DELIMITERS = [",", ";", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const AS_UTF_8 = "Save it as “CSV UTF-8”, and choose it again.";

type Read<T> = { ok: true; value: T } | { ok: false; message: string };

const refused = (message: string) => ({ ok: false as const, message });

const beginsWith = (bytes: Uint8Array, ...first: number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte);

/** Decodes a UTF-8 file, with line ends as \n. Otherwise returns a message about the likely format. */
export function textOf(bytes: Uint8Array): Read<string> {
  if (beginsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    return refused(`The file is a spreadsheet or an archive, not a CSV file. ${AS_UTF_8}`);
  }
  // Text in UTF-16 has a zero byte beside every Latin letter.
  if (beginsWith(bytes, 0xff, 0xfe) || beginsWith(bytes, 0xfe, 0xff) || bytes.includes(0)) {
    return refused(`The file is not in UTF-8 but, it seems, in UTF-16. ${AS_UTF_8}`);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return { ok: true, value: text.replace(/\r\n?/g, "\n") };
  } catch {
    return refused(`The file is not in UTF-8. ${AS_UTF_8}`);
  }
}

const cellsOf = (text: string, delimiter: Delimiter, preview = 0) =>
  Papa.parse<string[]>(text, { delimiter, newline: "\n", preview });

const HEADING_CHARACTERS = 20_000;
/** Spreadsheets may declare the delimiter in a line above the heading. */
const SEPARATOR_LINE = /^sep=([,;\t])\n/i;

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

interface CsvRow {
  /** Row number as in a spreadsheet. The heading is row 1. */
  number: number;
  cells: string[];
}

const withoutSeparatorLine = (file: string): string => {
  const given = SEPARATOR_LINE.exec(file);
  return given === null ? file : file.slice(given[0].length);
};

/** The first row that is not blank, read with each delimiter. */
export function headingsOf(file: string): { delimiter: Delimiter; heading: string[] }[] {
  const beginning = withoutSeparatorLine(file).trimStart().slice(0, HEADING_CHARACTERS);
  return DELIMITERS.map((delimiter) => ({
    delimiter,
    heading: cellsOf(beginning, delimiter, 1).data[0] ?? [],
  }));
}

/**
 * Parses a file, including its heading, without blank rows: the first `most`, or all. Chooses the delimiter with the highest
 * `score` of the heading.
 */
export function rowsOf(
  file: string,
  score: (heading: readonly string[]) => number,
  most = 0,
): Read<CsvRow[]> {
  const [best] = headingsOf(file)
    .map(({ delimiter, heading }) => ({ delimiter, score: score(heading), cells: heading.length }))
    .toSorted((one, other) => other.score - one.score || other.cells - one.cells);
  return rowsWith(file, best?.delimiter ?? ",", most);
}

/** Parses a file with a known delimiter, without blank rows. */
export function rowsWith(file: string, delimiter: Delimiter, most = 0): Read<CsvRow[]> {
  const { data, errors } = cellsOf(withoutSeparatorLine(file), delimiter, most);
  const [problem] = errors.filter(({ type }) => type === "Quotes");
  if (problem !== undefined) {
    const row = (problem.row ?? 0) + 1;
    return refused(
      problem.code === "MissingQuotes"
        ? `A quotation mark that opens in row ${row} is never closed.`
        : `A quotation mark in row ${row} is followed by more text. Inside a quoted cell it must be doubled.`,
    );
  }
  const rows = data.flatMap((cells, index) =>
    isBlank(cells) ? [] : { number: index + 1, cells: cells.map(unescapeFormula) },
  );
  return { ok: true, value: rows };
}

/** Writes rows as CSV (RFC 4180), with formulas escaped. */
export const csvLines = (rows: readonly (readonly (string | null)[])[]): string =>
  rows.length === 0
    ? ""
    : `${Papa.unparse(
        rows.map((cells) => cells.map((cell) => escapeFormula(cell ?? ""))),
        { newline: "\r\n", quotes: (cell: string) => DIVIDES.test(cell) },
      )}\r\n`;

const NEEDS_QUOTES = /[,;|"]/;

/** Joins names into one cell. A name with a separator is quoted. */
export const joinNames = (names: readonly string[]): string =>
  names.map((name) => (NEEDS_QUOTES.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(", ");

/** A name up to its separator. Between quotation marks it may have separators, unless text follows them. */
const NAME = /\s*"((?:[^"]|"")*)"\s*(?=[,;|]|$)|([^,;|]*)/gy;

export const splitNames = (cell: string): string[] =>
  Array.from(cell.matchAll(NAME), ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain)
    .map((name) => name.trim())
    .filter((name) => name !== "");
