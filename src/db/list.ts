import { type SQL, sql } from "drizzle-orm";

export type Value = string | number | null | undefined;

/** A list that a statement binds as one parameter, since D1 allows 100. In a prepared statement it is a placeholder. */
export interface List {
  readonly json: unknown;
}

/** Values, or rows of equal length. */
export type Items = readonly (Value | readonly Value[])[];

export const toList = (items: Items): List => ({
  json: JSON.stringify(items.map((item) => (Array.isArray(item) ? item : [item]))),
});

/** The list as a table named `item`. In a cross join SQLite reads it first. D1 counts a row read for each item. */
export const fromList = ({ json }: List): SQL => sql`(select value as row from json_each(${json})) as item`;

/** A column of the current row of `fromList`. */
export const item = (index = 0): SQL => sql.raw(`(item.row ->> ${index})`);

/** The right-hand side of `in`, with the first `width` columns of each row. */
export const inList = ({ json }: List, width = 1): SQL => {
  const columns = Array.from({ length: width }, (_, index) => `value ->> ${index}`).join(", ");
  return sql`(select ${sql.raw(columns)} from json_each(${json}))`;
};
