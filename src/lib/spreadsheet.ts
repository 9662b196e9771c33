// A spreadsheet runs a cell that begins like a formula, also where quotation marks stand before it.

const FORMULA = /^['"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const DEFUSED = /^'['"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text as a cell that no spreadsheet runs: what begins like a formula gets an apostrophe in front. */
export const defuse = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text of a cell that was defused; of any other, the cell itself. */
export const restore = (cell: string): string => (DEFUSED.test(cell) ? cell.slice(1) : cell);
