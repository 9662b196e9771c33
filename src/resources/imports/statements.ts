import { type SQL, sql } from "drizzle-orm";
import { imports } from "../../db/schema/imports";

/** False for a file that nobody has started although the same rows were sent again: people are shown the last one. */
export const whereLastSent: SQL = sql`(${imports.started_at} is not null or not exists (select 1 from ${imports} as later
  where later.workspace_id = ${imports.workspace_id} and later.digest = ${imports.digest} and later.id > ${imports.id}))`;
