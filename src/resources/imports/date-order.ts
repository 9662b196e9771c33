import { ServiceError } from "../../errors";
import { invalid } from "../../field-errors";
import type { CsvRow } from "../../lib/csv";
import type { Columns } from "../../lib/import-columns";
import { type DateOrder, dateOrderOf } from "../../lib/local-time";
import { DATE_FIELDS, type Reading } from "./row-cells";

/** Somebody has to say first how such a date of the file is read. */
export class UnclearDates extends ServiceError {
  constructor(readonly example: string) {
    super(422, {
      message: `The file has dates such as ${example}. Say whether the day or the month comes first.`,
    });
  }
}

interface Found {
  date: string;
  row: number;
}

/** The first date of each order in the columns of dates. */
function firstDates({ places }: Columns, rows: readonly CsvRow[]) {
  const own = DATE_FIELDS.flatMap((field) => places.get(field) ?? []);
  const first = new Map<ReturnType<typeof dateOrderOf>, Found>();
  for (const { cells, number: row } of rows)
    for (const place of own) {
      const date = cells[place]?.trim() ?? "";
      const order = dateOrderOf(date);
      if (!first.has(order)) first.set(order, { date, row });
    }
  return first;
}

/** The order that the dates of a file show. Those with slashes or hyphens count before those with dots. */
function shownOrder(day: Found | undefined, month: Found | undefined, dots: Found | undefined) {
  if (month !== undefined) return { order: "month", shownBy: month } as const;
  const shownBy = day ?? dots;
  return shownBy && ({ order: "day", shownBy } as const);
}

/**
 * The order of dates such as 03/04/2026, if the file has one: that of other dates of the file, else the chosen one. Throws
 * UnclearDates without both, and 422 if the file has dates of both orders.
 */
export function findDateOrder(
  columns: Columns,
  rows: readonly CsvRow[],
  chosen: DateOrder | undefined,
): Reading["dates"] {
  const first = firstDates(columns, rows);
  const [day, month, example] = [first.get("day"), first.get("month"), first.get("either")?.date];
  if (day !== undefined && month !== undefined) {
    const message = `Row ${day.row} has ${day.date}, with the day first, and row ${month.row} has ${month.date}, with the month first. Write all dates in one order, such as 2026-12-31.`;
    throw invalid([{ field: "file", message, code: "format" }]);
  }
  if (example === undefined) return undefined;
  const shown = shownOrder(day, month, first.get("dots"));
  if (shown !== undefined) return { ...shown, example };
  if (chosen === undefined) throw new UnclearDates(example);
  return { order: chosen, example };
}
