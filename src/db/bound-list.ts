import { type SQL, sql } from "drizzle-orm";

export type Value = string | number | null | undefined;

/** A list that a statement binds as one parameter, since D1 allows 100. In a prepared statement it is a placeholder. */
export interface BoundList {
  readonly json: unknown;
}

export type ListValues = readonly (Value | readonly Value[])[];

export const boundList = (items: ListValues): BoundList => ({
  json: JSON.stringify(items.map((item) => (Array.isArray(item) ? item : [item]))),
});

/** The list as a table named `listed`. In a cross join SQLite reads it first. D1 counts a row read for each item. */
export const fromList = ({ json }: BoundList): SQL =>
  sql`(select value as row from json_each(${json})) as listed`;

export const listed = (index = 0): SQL => sql.raw(`(listed.row ->> ${index})`);

/** The columns of a list by name, in the order of the values in its rows. */
export const listedAs = <Name extends string>(...names: readonly Name[]): Record<Name, SQL> =>
  Object.fromEntries(names.map((name, index) => [name, listed(index)])) as Record<Name, SQL>;

/** The right-hand side of `in`, with the first `width` columns of each row. */
export const inList = ({ json }: BoundList, width = 1): SQL => {
  const columns = Array.from({ length: width }, (_, index) => `value ->> ${index}`).join(", ");
  return sql`(select ${sql.raw(columns)} from json_each(${json}))`;
};
