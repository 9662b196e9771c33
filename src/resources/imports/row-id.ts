import { type SQL, sql } from "drizzle-orm";
import { imports } from "../../db/schema/imports";

/** The row id of an import. */
export const selectRowId = (workspaceId: number, id: string): SQL =>
  sql`(select ${imports.id} from ${imports} where ${imports.workspace_id} = ${workspaceId} and ${imports.public_id} = ${id})`;
