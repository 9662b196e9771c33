import { invalid } from "../../field-errors";
import { rowsOf, textOf } from "../../lib/csv";
import { damageOf } from "../../lib/damaged-address";
import { normaliseHost } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import {
  cellsOf,
  columnsOf,
  type ImportedCells,
  knownColumns,
  MAX_ROWS_PER_FILE,
  type MatchedColumns,
} from "../../lib/import-columns";
import { fromWrittenMoment } from "../../lib/local-time";
import { supplyScheme } from "../../lib/supplied-scheme";

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
  cells: ImportedCells;
  /** Errors found before the row is read as a link. */
  errors: readonly Failure[];
  /** The link that the row updates. */
  updates?: PlannedUpdate;
}

/** The update of a link, as the check of a file has found it. */
export interface PlannedUpdate {
  link: string;
  version: number;
  /** The fields that change. */
  fields: readonly string[];
}

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

const ADDRESS_FIELDS = ["destination_url", "ended_url", "preview_image_url"] as const;

/**
 * The cells with `https://` in addresses without a scheme, as the form of a link supplies it, a mended destination, and the time of
 * creation in UTC.
 */
function completed(cells: ImportedCells, mends: boolean, zone: string): ImportedCells {
  const supplied = { ...cells };
  const { created_at: created } = cells;
  if (created) supplied.created_at = fromWrittenMoment(created, zone) ?? created;
  for (const field of ADDRESS_FIELDS) {
    const typed = cells[field];
    if (typed) supplied[field] = supplyScheme(typed);
  }
  const url = supplied.destination_url;
  return url && mends ? { ...supplied, destination_url: damageOf(url)?.mended ?? url } : supplied;
}

/**
 * Parses a CSV file with links of the given hosts; 422 on `file` if it cannot be read as links. One that updates links keeps empty
 * cells, and may have a slug or an external id in place of a destination. Times without a zone are by the clocks of `zone`.
 */
export function readFile(
  bytes: Uint8Array,
  ownHosts: ReadonlySet<string>,
  zone: string,
  {
    updates = false,
    mends = false,
    matched,
  }: { updates?: boolean; mends?: boolean; matched?: MatchedColumns | undefined } = {},
) {
  const isOwnHost = (host: string): boolean => ownHosts.has(normaliseHost(host) ?? host);
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
  return {
    /** The columns that are ignored, unless they are empty and have no name. */
    ignored: [...columns.ignored, ...unnamed],
    rows: rows.map(
      (row): FileRow => ({
        number: row.number,
        cells: completed(cellsOf(columns, row.cells, isOwnHost, updates), mends, zone),
        errors: row.cells
          .slice(heading.cells.length)
          .filter((cell) => cell.trim() !== "")
          .slice(0, 1)
          .map(() => ({
            field: "row",
            message:
              "The row has more cells than the heading: text that contains the separator must stand in quotation marks.",
            code: "format",
          })),
      }),
    ),
  };
}
