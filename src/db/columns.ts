import type { GetColumnData, SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

type Aliased<Columns extends Record<string, SQLiteColumn>> = {
  [Name in keyof Columns]: SQL.Aliased<GetColumnData<Columns[Name]>>;
};

/** Columns of a joined table under names of their own: D1 returns the rows of a batch as objects, and two columns of one name as one. */
export const columnsAs = <Columns extends Record<string, SQLiteColumn>>(
  prefix: string,
  columns: Columns,
): Aliased<Columns> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(`${prefix}_${name}`)]),
  ) as Aliased<Columns>;
