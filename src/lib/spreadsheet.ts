// A spreadsheet executes a cell that starts like a formula, even after quotation marks.

const FORMULA = /^['"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const ESCAPED_FORMULA = /^'['"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Prefixes a formula with an apostrophe, so that no spreadsheet executes it. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Removes the apostrophe that `escapeFormula` adds. */
export const unescapeFormula = (cell: string): string => (ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell);
