// What a spreadsheet takes for the beginning of a formula, also in full width and behind white space.
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/** A text that no spreadsheet runs as a formula. */
const defuse = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

const quote = (cell: string): string =>
  /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** A line of a CSV file for spreadsheets, with its end. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quote(defuse(cell))).join(",")}\r\n`;
