import { MAX_CHARACTERS } from "../../lib/chunks";
import type { Delimiter } from "../../lib/csv";
import { damageOf } from "../../lib/damaged-address";
import { normaliseHost } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import {
  type Columns,
  cellsOf,
  columnsOf,
  type ImportedCells,
  type ImportField,
} from "../../lib/import-columns";
import { MOMENT_FIELD_NAMES } from "../../lib/link-fields";
import { type DateOrder, fromWrittenDay, fromWrittenMoment } from "../../lib/local-time";
import { supplyScheme } from "../../lib/supplied-scheme";

/** How the rows of a file are read. It is stored, so that they are imported as they were checked. */
export interface Reading {
  heading: readonly string[];
  delimiter: Delimiter;
  /** The columns that a person has matched. */
  matched: readonly (readonly [place: number, field: ImportField])[];
  /** Those of the workspace's short links. */
  hosts: readonly string[];
  /** For times without a zone. */
  zone: string;
  /** For dates such as 03/04/2026, if the file has one: their order, and the date of the file that shows it. */
  dates?: { order: DateOrder; example: string; shownBy?: { date: string; row: number } } | undefined;
  /** Whether it updates links: then it keeps empty cells. */
  updates: boolean;
  /** Whether damaged destinations are mended. */
  mends: boolean;
}

/** The cells of a row by field. */
export type ReadCells = (row: readonly string[]) => ImportedCells;

/** The fields that are times. */
export const DATE_FIELDS = [...MOMENT_FIELD_NAMES, "created_at"] as const;
const ADDRESS_FIELDS = ["destination_url", "ended_url", "preview_image_url"] as const;

/**
 * Reads the cells of rows: with `https://` in addresses without a scheme, as the form of a link supplies it, mended destinations,
 * days, and times in UTC.
 */
export function cellReader({ heading, matched, hosts, zone, dates, updates, mends }: Reading): ReadCells {
  const columns = columnsOf(heading, new Map(matched));
  const isOwnHost = (host: string): boolean => hosts.includes(normaliseHost(host) ?? host);
  return (row) => {
    const cells = cellsOf(columns, row, isOwnHost, updates);
    for (const field of DATE_FIELDS) {
      const written = cells[field];
      if (!written) continue;
      const day = field === "created_at" ? undefined : fromWrittenDay(written, dates?.order);
      cells[field] = day ?? fromWrittenMoment(written, zone, { order: dates?.order }) ?? written;
    }
    for (const field of ADDRESS_FIELDS) {
      const typed = cells[field];
      if (typed) cells[field] = supplyScheme(typed);
    }
    const url = cells.destination_url;
    return url && mends ? { ...cells, destination_url: damageOf(url)?.mended ?? url } : cells;
  };
}

/** Above every field's limit, and short enough to store. Rules are several destinations. */
const maxCharactersOf = (column: string | undefined): number => (column === "rules" ? 30_000 : 20_000);

/** As JSON, which leaves room for empty cells. */
const MAX_ROW_CHARACTERS = MAX_CHARACTERS / 2;

const LONG_ROW: Failure = {
  field: "row",
  message: "The cells of the row are too long to be stored together.",
  code: "too_long",
};

/** The cells of a row that are too long to be stored, or else the row, if all are together. */
export function longCells({ places }: Columns, row: readonly string[]): Failure[] {
  const long = [...places].flatMap(([field, own]): Failure[] => {
    const max = maxCharactersOf(field);
    return own.some((place) => (row[place]?.length ?? 0) > max)
      ? [{ field, reason: "too_long_to_keep", max }]
      : [];
  });
  const own = [...places.values()].flat().map((place) => row[place]);
  return long.length === 0 && JSON.stringify(own).length > MAX_ROW_CHARACTERS ? [LONG_ROW] : long;
}

const KEPT_CHARACTERS = 200;

/** In JSON each takes six bytes, but a tab and a line feed two. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]+/gu;

/**
 * The cells of rows as JSON, as they are stored: without control characters and empty cells at the end, and of a cell that is too long
 * the beginning. Of a row that is too long, the columns that are ignored are left empty, and the others have their beginning if it
 * still is.
 */
export function cellsToJson({ places }: Columns): (row: readonly string[]) => string {
  const columnAt = new Map(
    [...places].flatMap(([column, own]) => own.map((place) => [place, column] as const)),
  );
  return (row) => {
    const cells = row.slice(0, row.findLastIndex((cell) => cell !== "") + 1).map((cell, place) => {
      const kept = cell.length > maxCharactersOf(columnAt.get(place)) ? cell.slice(0, KEPT_CHARACTERS) : cell;
      return kept.toWellFormed().replace(CONTROL_CHARACTERS, " ");
    });
    const known = (max?: number) =>
      JSON.stringify(cells.map((cell, place) => (columnAt.has(place) ? cell.slice(0, max) : "")));
    const whole = [JSON.stringify(cells), known()].find(({ length }) => length <= MAX_CHARACTERS);
    return whole ?? known(KEPT_CHARACTERS);
  };
}
