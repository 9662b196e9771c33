import { printable } from "../file/format";
import { cutTo, padEnd, widthOf } from "./text-width";

/** A column of a list. */
export interface Column<Row> {
  name: string;
  cell(row: Row): string | null;
}

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

/** A table for a terminal. Long cells are cut so that a line fits. */
export function toTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string {
  const heading = columns.map(({ name }) => name.toUpperCase().replaceAll("_", " "));
  const lines = [heading, ...rows.map((row) => columns.map(({ cell }) => printable(cell(row) ?? "")))];
  const widest = columns.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  const widths = fit(widest, width);
  const toLine = (cells: readonly string[]) =>
    cells
      .map((cell, column) => padEnd(cutTo(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(" ".repeat(GAP))
      .trimEnd();
  return `${lines.map(toLine).join("\n")}\n`;
}

/** A value that cannot break a line of tab-separated values. */
const tabbed = (text: string | null): string => (text ?? "").replace(/[\t\r\n]/g, " ");

/** A row for programs: whole values, separated by tabs. */
export const toTabbedLine = <Row>(columns: readonly Column<Row>[], row: Row): string =>
  `${columns.map(({ cell }) => tabbed(cell(row))).join("\t")}\n`;

/** One field a line. */
export function toFieldLines(fields: Readonly<Record<string, string | null>>, isTerminal: boolean): string {
  const entries = Object.entries(fields);
  if (!isTerminal) return entries.map(([name, value]) => `${name}\t${tabbed(value)}\n`).join("");
  const width = Math.max(...entries.map(([name]) => name.length));
  const label = (name: string) => name.replaceAll("_", " ").padEnd(width);
  return entries
    .map(([name, value]) => `${label(name)}  ${value === null ? "-" : printable(value)}\n`)
    .join("");
}
