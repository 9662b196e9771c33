import { invalid } from "../../field-errors";
import { type CsvRow, rowsOf } from "../../lib/csv";
import type { Failure } from "../../lib/failure";
import { textOf } from "../../lib/file-text";
import { columnsOf, knownColumns, MAX_ROWS_PER_FILE, type MatchedColumns } from "../../lib/import-columns";
import type { DateOrder } from "../../lib/local-time";
import { findDateOrder } from "./date-order";
import { cellsToJson, longCells, type Reading } from "./row-cells";

export const MAX_ROWS = MAX_ROWS_PER_FILE;
export const MEGABYTE = 1024 * 1024;
export const MAX_FILE_MEGABYTES = 10;
export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * MEGABYTE;
/** Rejects a file of line breaks before it is parsed; quoted cells may have some. */
const MAX_LINES = 20 * MAX_ROWS;
/** As many as Excel has. To find the fields among millions would take longer than a request may. */
export const MAX_FILE_COLUMNS = 16_384;

export interface FileRow {
  number: number;
  /** As in the file. */
  cells: readonly string[];
  /** Errors found before the row is read as a link. */
  errors: readonly Failure[];
  /** The link that the row updates. */
  updates?: PlannedUpdate;
}

/** The update of a link, as the check of a file has found it. */
export interface PlannedUpdate {
  link: string;
  version: number;
  /** The fields that change, and their texts before and after. */
  changes: readonly (readonly [field: string, was: string | null, will: string | null])[];
}

/** The import of a file that is sent again. */
export interface EarlierImport {
  id: string;
  /** The order in which it read dates such as 03/04/2026, and the one in which they are read now; null if there are none. */
  dates: DateOrder | null;
  datesNow: DateOrder | null;
  /** Whether each row is known to name its link, so that the file can update them. */
  namesLinks: boolean;
}

/** The end that an update gives its link, if it gives one. */
export const newEnd = (update: PlannedUpdate | null | undefined): string | null | undefined =>
  update?.changes.find(([field]) => field === "ends_at")?.[2];

const number = (value: number): string => value.toLocaleString("en-GB");

const refuse = (message: string): never => {
  throw invalid([{ field: "file", message, code: "format" }]);
};

/** Throws 422 if a file is too large. */
export function assertSize(bytes: number): void {
  if (bytes <= MAX_FILE_BYTES) return;
  const megabytes = (bytes / MEGABYTE).toLocaleString("en-GB", { maximumFractionDigits: 1 });
  refuse(
    `The file has ${megabytes} MB; an import takes at most ${MAX_FILE_MEGABYTES} MB. Divide it into smaller ones.`,
  );
}

const lines = (text: string): number => {
  let count = 1;
  for (let place = text.indexOf("\n"); place >= 0; place = text.indexOf("\n", place + 1)) count++;
  return count;
};

const tooMany = (rows: number): never =>
  refuse(
    `The file has ${number(rows)} rows; an import takes at most ${number(MAX_ROWS)}. Divide it into smaller ones.`,
  );

/** More than the names of as many columns as Excel has. */
const MAX_HEADING_CHARACTERS = 300_000;

const MORE_CELLS: Failure = {
  field: "row",
  message:
    "The row has more cells than the heading: text that contains the separator must stand in quotation marks.",
  code: "format",
};

/** How a person says that a file is to be read. `matched` are the columns that they have matched. */
export interface FileChoices {
  updates?: boolean | undefined;
  mends?: boolean | undefined;
  matched?: MatchedColumns | undefined;
  dates?: DateOrder | undefined;
}

/**
 * Parses a CSV file with links of the given hosts; 422 on `file` if it cannot be read as links. One that updates links keeps empty
 * cells, and may have a slug or an external id in place of a destination. Times without a zone are by the clocks of `zone`.
 */
export function readFile(
  bytes: Uint8Array,
  hosts: readonly string[],
  zone: string,
  { updates = false, mends = false, matched = new Map(), dates }: FileChoices = {},
) {
  if (bytes.length === 0) refuse("The file is empty.");
  assertSize(bytes.length);
  const text = textOf(bytes);
  if (!text.ok) return refuse(text.message);
  const all = lines(text.value);
  if (all > MAX_LINES) tooMany(all);
  const read = rowsOf(text.value, knownColumns);
  if (!read.ok) return refuse(read.message);
  const [heading, ...rows] = read.value;
  if (heading === undefined) return refuse("The file is empty.");
  if (heading.cells.length > MAX_FILE_COLUMNS) {
    refuse(
      `The file has ${number(heading.cells.length)} columns; an import takes at most ${number(MAX_FILE_COLUMNS)}.`,
    );
  }
  if (JSON.stringify(heading.cells).length > MAX_HEADING_CHARACTERS)
    refuse(`The names of the columns are longer than ${number(MAX_HEADING_CHARACTERS)} characters together.`);
  const columns = columnsOf(heading.cells, matched);
  const isNamed = updates && (columns.places.has("slug") || columns.places.has("external_id"));
  if (!columns.places.has("destination_url") && !isNamed) {
    refuse(
      "The first row must name the columns, and one of them must be the destination: destination_url, long_url, originalURL, target or url.",
    );
  }
  if (rows.length === 0) refuse("The file has a heading, but no rows.");
  if (rows.length > MAX_ROWS) tooMany(rows.length);
  const unnamed = heading.cells.flatMap((name, place) =>
    name.trim() === "" && rows.some(({ cells }) => (cells[place] ?? "").trim() !== "")
      ? [`column ${place + 1}, which has no name`]
      : [],
  );
  const reading: Reading = {
    heading: heading.cells,
    delimiter: read.delimiter,
    matched: [...matched],
    hosts,
    zone,
    dates: findDateOrder(columns, rows, dates),
    updates,
    mends,
  };
  const hasMore = ({ cells }: CsvRow) => cells.slice(heading.cells.length).some((cell) => cell.trim() !== "");
  return {
    /** The columns that are ignored, unless they are empty and have no name. */
    ignored: [...columns.ignored, ...unnamed],
    encoding: text.encoding,
    reading,
    cellsToJson: cellsToJson(columns),
    rows: rows.map(
      (row): FileRow => ({
        number: row.number,
        cells: row.cells,
        errors: hasMore(row) ? [MORE_CELLS] : longCells(columns, row.cells),
      }),
    ),
  };
}
