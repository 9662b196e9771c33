import cliTruncate from "cli-truncate";
import stringWidth from "string-width";
import { WaymarkError } from "../api/error";
import type { WaymarkOptions } from "../api/wire-types";
import { Refusal } from "../exit";
import { plural, printable } from "../file/format-file";
import type { Context } from "./command-type";

const DEFAULT_COLUMNS = 100;

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

function toWidth(text: string, width: number): string {
  const cut = cliTruncate(text, width);
  return cut + " ".repeat(width - stringWidth(cut));
}

/** A table for a terminal. Long cells are cut so that a line fits. */
function toTable(columns: readonly string[], rows: readonly Cells[], width: number): string {
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

function toFieldLines(fields: Cells, isTerminal: boolean): string {
  const entries = Object.entries(fields);
  if (!isTerminal) return entries.map(([name, value]) => `${name}\t${tabbed(value)}\n`).join("");
  const width = Math.max(...entries.map(([name]) => name.length));
  const label = (name: string) => name.replaceAll("_", " ").padEnd(width);
  return entries.map(([name, value]) => `${label(name)}  ${printable(String(value ?? "-"))}\n`).join("");
}

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

export const hasColour = ({ io: { env, stdout } }: Context): boolean =>
  stdout.isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";

const ERASE_LINE = "\r\u001b[K";
const MIN_PAUSE_MS = 100;

const canErase = ({ io: { stderr, env } }: Context): boolean => stderr.isTerminal && env["TERM"] !== "dumb";

/** Counts on a terminal. Elsewhere it is silent. */
export function startProgress(context: Context, describe: (count: number) => string) {
  const { stderr } = context.io;
  const isShown = canErase(context);
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

/** Says that calls wait, and for how long: once for all that wait until the same second. */
export function sayWaits(context: Context): WaymarkOptions["onWait"] {
  let until = Number.NEGATIVE_INFINITY;
  return ({ seconds, error }) => {
    const end = performance.now() + seconds * 1000;
    if (end < until + 1000) return;
    until = end;
    if (canErase(context)) context.io.stderr.write(ERASE_LINE);
    say(context, `${messageOf(error).replace(/\.?$/, ".")} Trying again in ${seconds} s.`);
  };
}

export async function* counted<Row>(
  context: Context,
  rows: AsyncIterable<Row> | Iterable<Row>,
  noun: string,
  onRow?: () => void,
) {
  const progress = startProgress(context, (count) => `${plural(count, noun)} read`);
  // JSON on a terminal comes row by row, so a counter would stand in its way.
  const isQuiet = context.io.stdout.isTerminal && context.json;
  try {
    for await (const row of rows) {
      if (!isQuiet) progress.step();
      onRow?.();
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
    const cells = toCells(row);
    if (stdout.isTerminal) table.push(cells);
    else if (!print(context, `${columns.map((name) => tabbed(cells[name])).join("\t")}\n`)) return;
  }
  if (count === 0) say(context, `No ${noun}s.`);
  if (table.length > 0) print(context, toTable(columns, table, stdout.columns ?? DEFAULT_COLUMNS));
}

const HINTS: Readonly<Record<number, readonly string[]>> = {
  401: ["The service refuses the key. Check WAYMARK_KEY and WAYMARK_URL."],
  403: ["A read-only key is enough for plan. What writes needs a key with full access."],
};

/** The service's sentences, each with its field, and what is in the way. */
function refusalLines(error: WaymarkError): string[] {
  const { errors, conflicts, status, requestId, retryAfter } = error;
  const fields = Object.entries(errors).flatMap(([field, sentences]) => {
    const other = conflicts[field];
    const suffix = other === undefined ? "" : ` In the way: ${other}`;
    return sentences.map((sentence) => `${field}: ${sentence}${suffix}`);
  });
  const hint = HINTS[status] ?? [];
  const wait = retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`];
  const id = requestId === undefined ? [] : [`Request ID: ${requestId}`];
  return [...(fields.length > 0 ? fields : [messageOf(error)]), ...hint, ...wait, ...id];
}

/** A key that somebody gave as the name of a link or file must not reach a log. */
export const withoutKey = (text: string): string => text.replace(/lnk_\w+/g, "lnk_…");

const messageOf = (error: unknown): string =>
  withoutKey(error instanceof Error ? error.message : String(error));

export function errorLines(error: unknown): string[] {
  if (error instanceof WaymarkError) return refusalLines(error).map(printable);
  if (error instanceof Refusal && error.problems.length > 0) {
    return error.problems.map(({ file, line, message }) => printable(`${file}:${line}: ${message}`));
  }
  return messageOf(error).split("\n").map(printable);
}

export function errorFields(error: unknown): object {
  const message = messageOf(error);
  if (error instanceof WaymarkError) return { ...error.toJSON(), message };
  if (error instanceof Refusal && error.problems.length > 0) return { message, problems: error.problems };
  return { message };
}
