import { type SQL, sql } from "drizzle-orm";

export type Value = string | number | null | undefined;

/**
 * A list of up to this many values is bound value by value, which reads no rows. D1 allows 100 parameters per statement, so
 * a longer list is bound as JSON, which reads one row per item. The row of a link has 29 values.
 */
const MAX_BOUND_VALUES = 29;

/** A list as a parameter of a statement. In a prepared statement its values are placeholders. */
export interface List {
  /** Values per row. */
  readonly width: number;
  readonly content: { readonly rows: readonly (readonly unknown[])[] } | { readonly json: unknown };
}

const isRow = (item: unknown): item is readonly Value[] => Array.isArray(item);

/** Values, or rows of equal length. */
export type Items = readonly (Value | readonly Value[])[];

export function toList(items: Items): List {
  const rows = items.map((item) => (isRow(item) ? item : [item]));
  const width = rows[0]?.length ?? 1;
  const isShort = rows.length > 0 && rows.length * width <= MAX_BOUND_VALUES;
  return { width, content: isShort ? { rows } : { json: JSON.stringify(rows) } };
}

/** Lists of the same shape have the same SQL, so prepared statements are cached by it. */
export const shapeOf = ({ width, content }: List): string =>
  "json" in content ? `json of ${width}` : `${content.rows.length} by ${width}`;

/** The list with every value replaced. `place` is unique within the list. */
export const mapList = (list: List, to: (place: string, value: unknown) => unknown): List => ({
  width: list.width,
  content:
    "json" in list.content
      ? { json: to("json", list.content.json) }
      : { rows: list.content.rows.map((row, y) => row.map((value, x) => to(`${y}.${x}`, value))) },
});

const join = (parts: readonly unknown[]): SQL =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

const columnsOf = (width: number): SQL =>
  sql.raw(Array.from({ length: width }, (_, index) => `value ->> ${index} as column${index + 1}`).join(", "));

/** The list as a table named `item`. In a cross join SQLite reads it first. */
export function fromList({ width, content }: List): SQL {
  if ("json" in content) return sql`(select ${columnsOf(width)} from json_each(${content.json})) as item`;
  return sql`(values ${join(content.rows.map((row) => sql`(${join(row)})`))}) as item`;
}

/** A column of the current row of `fromList`. */
export const item = (index = 0): SQL => sql.raw(`item.column${index + 1}`);

/** The right-hand side of `in`. */
export function inList({ width, content }: List): SQL {
  if ("json" in content) {
    const columns = sql.raw(Array.from({ length: width }, (_, index) => `value ->> ${index}`).join(", "));
    return sql`(select ${columns} from json_each(${content.json}))`;
  }
  if (width === 1) return sql`(${join(content.rows.flat())})`;
  return sql`(values ${join(content.rows.map((row) => sql`(${join(row)})`))})`;
}
