import Papa from "papaparse";

const DELIMITERS = [",", ";", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

// A spreadsheet executes a cell that starts like a formula, even after quotation marks.

const FORMULA = /^['" ]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

// A spreadsheet that divides cells at other signs may see the beginning of a cell behind them.
const BEHIND_DIVIDER = /(?<=[;\t\r\n])/;
/** In a file with another separator than a comma. A cell with a comma is quoted in the others. */
const BEHIND_ANY_DIVIDER = /(?<=[,;\t\r\n])/;
const INNER_FORMULA = /^['" ]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const DIVIDES = /[,;\t]/;

const changeParts = (text: string, delimiter: Delimiter, change: (part: string) => string): string =>
  text
    .split(delimiter === "," ? BEHIND_DIVIDER : BEHIND_ANY_DIVIDER)
    .map((part, index) => (index === 0 ? part : change(part)))
    .join("");

const withMark = (text: string, formula: RegExp): string => (formula.test(text) ? `'${text}` : text);
const withoutMark = (text: string, formula: RegExp): string =>
  text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;

/** Prefixes formulas with an apostrophe, also behind a sign that may divide cells, so that no spreadsheet executes them. */
export const escapeFormula = (text: string, delimiter: Delimiter = ","): string =>
  withMark(
    changeParts(text, delimiter, (part) => withMark(part, INNER_FORMULA)),
    FORMULA,
  );

/** Removes the apostrophes that `escapeFormula` adds, and no others. */
export const unescapeFormula = (cell: string, delimiter: Delimiter = ","): string =>
  changeParts(withoutMark(cell, FORMULA), delimiter, (part) => withoutMark(part, INNER_FORMULA));

/** Excel reads a file as UTF-8 only with this mark. */
export const BYTE_ORDER_MARK = "\uFEFF";

export type Read<T, More = object> = ({ ok: true; value: T } & More) | { ok: false; message: string };

export const refused = (message: string) => ({ ok: false as const, message });

const cellsOf = (text: string, delimiter: Delimiter, preview = 0) =>
  Papa.parse<string[]>(text, { delimiter, newline: "\n", preview });

const HEADING_CHARACTERS = 20_000;
/** Spreadsheets may declare the delimiter in a line above the heading. */
const SEPARATOR_LINE = /^sep=([,;\t])\n/i;

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

export interface CsvRow {
  /** Row number as in a spreadsheet. The heading is row 1. */
  number: number;
  cells: string[];
}

const withoutSeparatorLine = (file: string): string => {
  const given = SEPARATOR_LINE.exec(file);
  return given === null ? file : file.slice(given[0].length);
};

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
): Read<CsvRow[], { delimiter: Delimiter }> {
  const [best] = headingsOf(file)
    .map(({ delimiter, heading }) => ({ delimiter, score: score(heading), cells: heading.length }))
    .toSorted((one, other) => other.score - one.score || other.cells - one.cells);
  const delimiter = best?.delimiter ?? ",";
  const read = rowsWith(file, delimiter, most);
  return read.ok ? { ...read, delimiter } : read;
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
    isBlank(cells) ? [] : { number: index + 1, cells: cells.map((cell) => unescapeFormula(cell, delimiter)) },
  );
  return { ok: true, value: rows };
}

/** Writes rows as CSV (RFC 4180), with formulas escaped. */
export const csvLines = (
  rows: readonly (readonly (string | null)[])[],
  delimiter: Delimiter = ",",
): string =>
  rows.length === 0
    ? ""
    : `${Papa.unparse(
        rows.map((cells) => cells.map((cell) => escapeFormula(cell ?? "", delimiter))),
        { delimiter, newline: "\r\n", quotes: (cell: string) => DIVIDES.test(cell) },
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
