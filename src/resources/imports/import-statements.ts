import { type SQL, sql } from "drizzle-orm";
import { imports } from "../../db/schema/imports";

/** False for a file that nobody has started although the same rows were sent again: people are shown the last one. */
export const whereLastSent: SQL = sql`(${imports.started_at} is not null or not exists (select 1 from ${imports} as later
  where later.workspace_id = ${imports.workspace_id} and later.digest = ${imports.digest} and later.id > ${imports.id}))`;

/** The row id of an import. */
export const selectRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${imports.id} from ${imports} where ${imports.workspace_id} = ${workspaceId} and ${imports.public_id} = ${id})`;
