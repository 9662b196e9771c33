import { type Delimiter, headingsOf, rowsWith } from "../../lib/csv";
import { sayToPeople } from "../../lib/failure";
import { slugFromName } from "../../lib/slug-text";
import { check, trimmed } from "../../lib/validation";
import { type ListedAsset, listedAsset, MAX_ASSETS_OF_LINK } from "./asset-schema";

/** More characters than 200 assets with the longest names and places have. */
export const MAX_LIST_CHARACTERS = 100_000;

const COLUMNS = ["name", "place", "quantity"] as const;
type Column = (typeof COLUMNS)[number];

/** Headings as `slugFromName` writes them. */
const HEADINGS: ReadonlyMap<string, Column> = new Map(
  Object.entries({
    name: "name title titel bezeichnung nom nome nombre",
    place: "place location address ort standort adresse lieu luogo lugar",
    quantity:
      "quantity qty count copies anzahl menge stuck stuckzahl stueck stueckzahl quantite quantita cantidad",
  } satisfies Record<Column, string>).flatMap(([column, names]) =>
    names.split(" ").map((name) => [name, column as Column] as const),
  ),
);

/** A line of the list as it was read, with what it creates or why it cannot. */
interface ListRow extends Record<Column, string> {
  line: number;
  asset: ListedAsset | undefined;
  problems: readonly string[];
}

export interface AssetList {
  rows: readonly ListRow[];
  problem: string | undefined;
  headingLine: number | undefined;
  ignored: readonly string[];
}

const MAX_HEADING_CHARACTERS = 40;

const columnOf = (cell: string): Column | undefined =>
  HEADINGS.get(slugFromName(cell, MAX_HEADING_CHARACTERS));

const written = (cells: readonly string[]): string[] => cells.filter((cell) => cell.trim() !== "");

/** A heading has a column for names, or nothing but known columns. */
const isHeading = (cells: readonly string[]): boolean => {
  const columns = written(cells).map(columnOf);
  return columns.includes("name") || (columns.length > 0 && !columns.includes(undefined));
};

const countLinesWith = (text: string, delimiter: string): number =>
  text.split("\n").filter((line) => line.includes(delimiter)).length;

/** The heading decides. Without one, a tab comes from a spreadsheet, and otherwise the more frequent delimiter wins. */
function delimiterOf(text: string): Delimiter {
  const [heading] = headingsOf(text)
    .filter(({ heading }) => isHeading(heading))
    .toSorted((one, other) => other.heading.length - one.heading.length);
  if (heading !== undefined && heading.heading.length > 1) return heading.delimiter;
  if (text.includes("\t")) return "\t";
  const semicolons = countLinesWith(text, ";");
  return semicolons > 0 && semicolons >= countLinesWith(text, ",") ? ";" : ",";
}

const WHOLE_NUMBER = /^\d+$/;
/** Thousands are separated as in 1,200 and 1.200, 1'200 and 1 200. */
const GROUPED_NUMBER = /^\d{1,3}(?:[.,'\u2019\s]\d{3})+$/;

const plainNumber = (cell: string): string => {
  const text = cell.trim();
  return GROUPED_NUMBER.test(text) ? text.replace(/\D/g, "") : text;
};

/** The columns of a list without a heading. A second cell that is always a number is the quantity. */
function columnsByPosition(rows: readonly { cells: readonly string[] }[]): (Column | undefined)[] {
  const hasThree = rows.some(({ cells }) => written(cells.slice(2)).length > 0);
  const seconds = rows.flatMap(({ cells }) => written(cells.slice(1, 2)));
  const areNumbers = seconds.length > 0 && seconds.every((cell) => WHOLE_NUMBER.test(plainNumber(cell)));
  return !hasThree && areNumbers ? ["name", "quantity"] : [...COLUMNS];
}

function toRow(line: number, cells: readonly string[], columns: readonly (Column | undefined)[]): ListRow {
  const cellOf = (column: Column): string => {
    const index = columns.indexOf(column);
    return index === -1 ? "" : (cells[index] ?? "").trim();
  };
  const place = cellOf("place");
  const row = {
    line,
    // A list of places needs no other names.
    name: columns.includes("name") ? cellOf("name") : place,
    place,
    quantity: cellOf("quantity"),
  };
  const result = check(listedAsset, trimmed({ ...row, quantity: plainNumber(row.quantity) }));
  const more = written(cells.slice(columns.length)).length > 0;
  const problems = [
    ...(result.ok ? [] : result.failures.map((failure) => sayToPeople(failure, failure.field))),
    ...(more
      ? ["The line has more cells than there are columns. Put a text with a separator in quotation marks."]
      : []),
  ];
  return { ...row, asset: result.ok && !more ? result.value : undefined, problems };
}

const refused = (problem: string): AssetList => ({ rows: [], problem, headingLine: undefined, ignored: [] });

/** Reads a pasted list or a CSV file: a name, a place and a quantity a line, of which the name is enough. */
export function parseAssetList(given: string): AssetList {
  const text = given.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (text.trim() === "") return refused("The list is empty. Write one poster a line.");
  if (text.length > MAX_LIST_CHARACTERS)
    return refused("The list is too long. It may have 100,000 characters.");
  const read = rowsWith(text, delimiterOf(text));
  if (!read.ok) return refused(read.message);
  const [first] = read.value;
  const heading = first !== undefined && isHeading(first.cells) ? first : undefined;
  const below = heading === undefined ? read.value : read.value.slice(1);
  if (below.length === 0) return refused("The list has a heading, but no posters below it.");
  if (below.length > MAX_ASSETS_OF_LINK) {
    return refused(
      `The list has ${below.length} posters. At most ${MAX_ASSETS_OF_LINK} can be created at once: take the others in a second list.`,
    );
  }
  const named = heading?.cells.map(columnOf);
  const columns = named ?? columnsByPosition(below);
  if (!columns.includes("name") && !columns.includes("place")) {
    return refused("The heading has no column “name” or “place”.");
  }
  return {
    rows: below.map(({ number, cells }) => toRow(number, cells, columns)),
    problem: undefined,
    headingLine: heading?.number,
    ignored: (heading?.cells ?? []).filter(
      (cell, index) =>
        cell.trim() !== "" && (named?.[index] === undefined || named.indexOf(named[index]) !== index),
    ),
  };
}
