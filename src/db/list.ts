import { type SQL, sql } from "drizzle-orm";

export type Value = string | number | null | undefined;

/**
 * So many values of a list are bound one by one, which reads no rows. A longer list is bound as JSON, since D1 takes a
 * hundred parameters a statement; then each of its items is a row read.
 */
const MAX_BOUND_VALUES = 24;

/** A list of rows as a statement gets it. In a prepared statement, placeholders stand for its values. */
export interface List {
  /** How many values a row has. */
  readonly width: number;
  readonly content: { readonly rows: readonly (readonly unknown[])[] } | { readonly json: unknown };
}

const isRow = (item: unknown): item is readonly Value[] => Array.isArray(item);

/** Values, or rows that all have as many of them. */
export type Items = readonly (Value | readonly Value[])[];

export function listOf(items: Items): List {
  const rows = items.map((item) => (isRow(item) ? item : [item]));
  const width = rows[0]?.length ?? 1;
  const isShort = rows.length > 0 && rows.length * width <= MAX_BOUND_VALUES;
  return { width, content: isShort ? { rows } : { json: JSON.stringify(rows) } };
}

/** What a prepared statement depends on: lists of one shape have the same SQL. */
export const shapeOf = ({ width, content }: List): string =>
  "json" in content ? `json of ${width}` : `${content.rows.length} by ${width}`;

/** The list with other values in the places of its own. */
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

/** The list to select from, as `item`. Cross joined with a table it is walked first. */
export function fromList({ width, content }: List): SQL {
  if ("json" in content) return sql`(select ${columnsOf(width)} from json_each(${content.json})) as item`;
  return sql`(values ${join(content.rows.map((row) => sql`(${join(row)})`))}) as item`;
}

/** A value of the current item. */
export const item = (index = 0): SQL => sql.raw(`item.column${index + 1}`);

/** The list behind `in`. */
export function inList({ width, content }: List): SQL {
  if ("json" in content) {
    const columns = sql.raw(Array.from({ length: width }, (_, index) => `value ->> ${index}`).join(", "));
    return sql`(select ${columns} from json_each(${content.json}))`;
  }
  if (width === 1) return sql`(${join(content.rows.flat())})`;
  return sql`(values ${join(content.rows.map((row) => sql`(${join(row)})`))})`;
}
