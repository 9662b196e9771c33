import cliTruncate from "cli-truncate";
import stringWidth from "string-width";
import { printable } from "../file/format";

/** A row of a list by column. */
export type Cells = Readonly<Record<string, unknown>>;

const MIN_WIDTH = 8;
const GAP = 2;

/** Makes the widest column narrower until the line fits. */
function fit(widths: readonly number[], columns: number): number[] {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width + GAP, -GAP) - columns;
  for (; excess > 0; excess--) {
    const widest = Math.max(...fitted);
    if (widest <= MIN_WIDTH) break;
    fitted[fitted.indexOf(widest)] = widest - 1;
  }
  return fitted;
}

/** Cuts or pads a text to a width on the terminal. */
function toWidth(text: string, width: number): string {
  const cut = cliTruncate(text, width);
  return cut + " ".repeat(width - stringWidth(cut));
}

/** A table for a terminal. Long cells are cut so that a line fits. */
export function toTable(columns: readonly string[], rows: readonly Cells[], width: number): string {
  const heading = columns.map((name) => name.toUpperCase().replaceAll("_", " "));
  const lines = [heading, ...rows.map((row) => columns.map((name) => printable(String(row[name] ?? ""))))];
  const widest = columns.map((_, column) =>
    Math.max(...lines.map((line) => stringWidth(line[column] ?? ""))),
  );
  const widths = fit(widest, width);
  const toLine = (cells: readonly string[]) => widths.map((one, column) => toWidth(cells[column] ?? "", one));
  return lines.map((cells) => `${toLine(cells).join(" ".repeat(GAP)).trimEnd()}\n`).join("");
}

/** A value that cannot break a line of tab-separated values. */
const tabbed = (value: unknown): string => String(value ?? "").replace(/[\t\r\n]/g, " ");

/** A row for programs: whole values, separated by tabs. */
export const toTabbedLine = (columns: readonly string[], row: Cells): string =>
  `${columns.map((name) => tabbed(row[name])).join("\t")}\n`;

/** One field a line. */
export function toFieldLines(fields: Cells, isTerminal: boolean): string {
  const entries = Object.entries(fields);
  if (!isTerminal) return entries.map(([name, value]) => `${name}\t${tabbed(value)}\n`).join("");
  const width = Math.max(...entries.map(([name]) => name.length));
  const label = (name: string) => name.replaceAll("_", " ").padEnd(width);
  return entries.map(([name, value]) => `${label(name)}  ${printable(String(value ?? "-"))}\n`).join("");
}
