import { plural, printable } from "../file/format";
import type { Context } from "./command";
import { type Cells, toFieldLines, toTabbedLine, toTable } from "./table";

const DEFAULT_COLUMNS = 100;

/** Data, for standard output. */
export const print = ({ io }: Context, text: string): boolean => io.stdout.write(text);
export const printJson = (context: Context, value: unknown): boolean =>
  print(context, `${JSON.stringify(value, null, 2)}\n`);

/** A line of talk, for standard error. With `--json` the data says it all. */
export function say({ io, json }: Context, text: string): void {
  if (!json) io.stderr.write(`${printable(text)}\n`);
}

/** What a command has found or made, or would make: as JSON for programs, else as lines or by field, with a sentence. */
export function printResult(
  context: Context,
  json: object,
  shown: readonly string[] | Cells,
  sentence?: string,
): undefined {
  if (context.json) printJson(context, context.dryRun ? { dry_run: true, ...json } : json);
  else if (Array.isArray(shown)) print(context, shown.map((line) => `${line}\n`).join(""));
  else print(context, toFieldLines({ ...shown }, context.io.stdout.isTerminal));
  if (sentence !== undefined) say(context, sentence);
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

/** Counts rows as they are read. */
export async function* counted<Row>(
  context: Context,
  rows: AsyncIterable<Row> | Iterable<Row>,
  noun: string,
) {
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

/** A JSON array in parts, as the rows come. */
export async function* jsonParts(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const row of rows) {
    yield `${isFirst ? "[\n" : ",\n"}${JSON.stringify(row)}`;
    isFirst = false;
  }
  yield isFirst ? "[]\n" : "\n]\n";
}

/** Prints a list as JSON, as a table on a terminal, else as tab-separated lines. Says if it has no rows. */
export async function printRows<Row extends object>(
  context: Context,
  noun: string,
  columns: readonly string[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  toCells: (row: Row) => Cells = (row) => ({ ...row }) as Cells,
): Promise<void> {
  const { stdout } = context.io;
  const all = counted(context, rows, noun);
  if (context.json) {
    for await (const part of jsonParts(all)) if (!print(context, part)) return;
    return;
  }
  const table: Cells[] = [];
  let count = 0;
  for await (const row of all) {
    count++;
    if (stdout.isTerminal) table.push(toCells(row));
    else if (!print(context, toTabbedLine(columns, toCells(row)))) return;
  }
  if (count === 0) say(context, `No ${noun}s.`);
  if (table.length > 0) print(context, toTable(columns, table, stdout.columns ?? DEFAULT_COLUMNS));
}
