import { printable } from "../file/format";
import type { Context } from "./command";
import { type Column, toFieldLines, toTabbedLine, toTable } from "./table";

const DEFAULT_COLUMNS = 100;

/** Data, for standard output. */
export const print = ({ io }: Context, text: string): boolean => io.stdout.write(text);
export const printJson = (context: Context, value: unknown): boolean =>
  print(context, `${JSON.stringify(value, null, 2)}\n`);

/** A line of talk, for standard error. With `--json` the data says it all. */
export function say({ io, json }: Context, text: string): void {
  if (!json) io.stderr.write(`${printable(text)}\n`);
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export function printFields(context: Context, fields: Readonly<Record<string, string | null>>): void {
  print(context, toFieldLines(fields, context.io.stdout.isTerminal));
}

/** True if standard output takes ANSI colours. */
export const hasColour = ({ io: { env, stdout } }: Context): boolean =>
  stdout.isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";

const ERASE_LINE = "\r\u001b[K";
const MIN_PAUSE_MS = 100;

/** Counts on a terminal. Elsewhere it is silent. */
export function startProgress({ io: { stderr, env } }: Context, describe: (count: number) => string) {
  const isShown = stderr.isTerminal && env["TERM"] !== "dumb";
  let count = 0;
  let last = 0;
  return {
    step() {
      count++;
      if (!isShown || Date.now() - last < MIN_PAUSE_MS) return;
      last = Date.now();
      stderr.write(`${ERASE_LINE}${describe(count)}`);
    },
    /** Erases the line. Call it before other output. */
    clear() {
      if (isShown && last > 0) stderr.write(ERASE_LINE);
    },
  };
}

async function* counted<Row>(context: Context, rows: AsyncIterable<Row> | Iterable<Row>, noun: string) {
  const progress = startProgress(context, (count) => `${plural(count, noun)} read`);
  // JSON on a terminal comes row by row, so a counter would stand in its way.
  const isQuiet = context.io.stdout.isTerminal && context.json;
  try {
    for await (const row of rows) {
      if (!isQuiet) progress.step();
      yield row;
    }
  } finally {
    progress.clear();
  }
}

/** Prints a list as JSON, as a table on a terminal, else as tab-separated lines. Returns the number of rows. */
export async function printRows<Row>(
  context: Context,
  noun: string,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): Promise<number> {
  const { stdout } = context.io;
  if (context.json) return printJsonList(context, counted(context, rows, noun));
  if (stdout.isTerminal) {
    const all: Row[] = [];
    for await (const row of counted(context, rows, noun)) all.push(row);
    if (all.length > 0) print(context, toTable(columns, all, stdout.columns ?? DEFAULT_COLUMNS));
    return all.length;
  }
  let count = 0;
  for await (const row of counted(context, rows, noun)) {
    count++;
    if (!print(context, toTabbedLine(columns, row))) break;
  }
  return count;
}

/** A JSON array, written as the rows come. */
async function printJsonList<Row>(context: Context, rows: AsyncIterable<Row>): Promise<number> {
  let count = 0;
  for await (const row of rows) {
    if (!print(context, `${count === 0 ? "[\n" : ",\n"}${JSON.stringify(row)}`)) return count;
    count++;
  }
  print(context, count === 0 ? "[]\n" : "\n]\n");
  return count;
}
