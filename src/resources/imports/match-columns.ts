import { assertNone } from "../../field-errors";
import { rowsOf } from "../../lib/csv";
import type { Failure } from "../../lib/failure";
import { textOf } from "../../lib/file-text";
import {
  columnsOf,
  IMPORT_FIELDS,
  type ImportField,
  isLeftOut,
  knownColumns,
  type MatchedColumns,
} from "../../lib/import-columns";
import { MAX_FILE_COLUMNS } from "./import-file";

/** In which the first values of a column are looked for. */
const FIRST_ROWS = 50;
/** Further columns are left out, if they are unknown. */
const MAX_PLACES = 1_000;
const MAX_COLUMNS = 30;
const MAX_VALUES = 3;
const MAX_CHARACTERS = 60;
const ADDRESS = /^\s*https?:\/\//i;

/** A column of a file that no field has the name of. */
export interface UnknownColumn {
  place: number;
  /** Empty for a column without a name. */
  name: string;
  /** Its first values. */
  values: readonly string[];
}

export interface UnknownColumns {
  columns: readonly UnknownColumn[];
  /** The fields that no column of the file has the name of. */
  fields: readonly ImportField[];
  /** Whether a person should be asked what they are. */
  isAsked: boolean;
}

const NONE: UnknownColumns = { columns: [], fields: [], isAsked: false };

const beginningOf = (text: string): string => {
  const plain = text.trim().replace(/\s+/g, " ");
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS).toWellFormed()}…` : plain;
};

/**
 * The unknown columns with values in the first rows of a file; none of a file that cannot be read, or that begins with a link:
 * this would be lost as the names of the columns.
 */
export function findUnknownColumns(bytes: Uint8Array): UnknownColumns {
  const text = textOf(bytes);
  const read = text.ok ? rowsOf(text.value, knownColumns, FIRST_ROWS) : text;
  if (!read.ok) return NONE;
  const [heading = { cells: [] }, ...rows] = read.value;
  if (heading.cells.length > MAX_FILE_COLUMNS || heading.cells.some((cell) => ADDRESS.test(cell)))
    return NONE;
  const { isUnknown, places } = columnsOf(heading.cells);
  const columns = [...heading.cells.slice(0, MAX_PLACES).keys()]
    .filter(isUnknown)
    .map((place): UnknownColumn => {
      const values = rows.map(({ cells }) => beginningOf(cells[place] ?? "")).filter((value) => value !== "");
      const name = beginningOf(heading.cells[place] ?? "");
      return { place, name, values: [...new Set(values)].slice(0, MAX_VALUES) };
    })
    .filter(({ values }) => values.length > 0)
    .slice(0, MAX_COLUMNS);
  return {
    columns,
    fields: IMPORT_FIELDS.filter((field) => !places.has(field)),
    isAsked: columns.some(({ name }) => !isLeftOut(name)),
  };
}

/** The only unknown column whose first values are addresses, if no column of the file is the destination. */
export function likelyDestination({ columns, fields }: UnknownColumns): UnknownColumn | undefined {
  const likely = columns.filter(({ values }) => values.every((value) => ADDRESS.test(value)));
  return fields.includes("destination_url") && likely.length === 1 ? likely[0] : undefined;
}

/** The name of the choice for a column. */
export const choiceOf = ({ place }: UnknownColumn): string => `column_${place}`;

/** The columns for which a field is chosen. 422 on the choice if another column has the field. */
export function matchColumns(
  { columns, fields }: UnknownColumns,
  chosen: Readonly<Record<string, string>>,
): MatchedColumns {
  const matched = new Map<number, ImportField>();
  const problems: Failure[] = [];
  for (const column of columns) {
    const field = fields.find((one) => one === chosen[choiceOf(column)]);
    if (field === undefined) continue;
    if ([...matched.values()].includes(field)) {
      const message = "Another column is this already. Choose something else for one of them.";
      problems.push({ field: choiceOf(column), message, code: "taken" });
    } else matched.set(column.place, field);
  }
  assertNone(problems);
  return matched;
}
