import { type GetColumnData, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * The row of a workspace with a public id. The unary plus prevents an index by workspace: by public id one row is read, by a
 * list's index two.
 */
export const whereOwn = (
  { public_id, workspace_id }: Record<"public_id" | "workspace_id", SQLiteColumn>,
  workspaceId: number,
  id: string | SQL,
): SQL => sql`${public_id} = ${id} and +${workspace_id} = ${workspaceId}`;

type Aliased<Columns extends Record<string, SQLiteColumn>> = {
  [Name in keyof Columns]: SQL.Aliased<GetColumnData<Columns[Name]>>;
};

/** Columns of a joined table with a prefix. A D1 batch returns rows as objects, so equal column names would overwrite each other. */
export const columnsAs = <Columns extends Record<string, SQLiteColumn>>(
  prefix: string,
  columns: Columns,
): Aliased<Columns> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(`${prefix}_${name}`)]),
  ) as Aliased<Columns>;
