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

type InRow<Columns extends Record<string, SQLiteColumn>> = {
  [Name in keyof Columns]: SQL.Aliased<GetColumnData<Columns[Name]>>;
};

/** Columns that a row has in an object of their own. Drizzle's type would be null after a left join. */
export const columnsAs = <Columns extends Record<string, SQLiteColumn>>(columns: Columns) =>
  columns as unknown as InRow<Columns>;
