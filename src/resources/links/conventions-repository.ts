import { eq, type SQL, sql } from "drizzle-orm";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";

/** Stores the convention of one field, so that people who change others do not lose theirs. */
export const updateConvention = (workspaceId: number, field: string, convention: string, at: number) =>
  orm
    .update(workspaces)
    .set({
      conventions: sql`json_set(coalesce(${workspaces.conventions}, '{}'), ${`$.${field}`}, json(${convention}))`,
      updated_at: at,
    })
    .where(eq(workspaces.id, workspaceId));

/** The convention of one field as JSON for the audit log. */
export const selectConventionBefore = (workspaceId: number, field: string): SQL =>
  sql`(select json_object('conventions', json_object(${field}, ${workspaces.conventions} -> ${`$.${field}`}))
    from ${workspaces} where ${workspaces.id} = ${workspaceId})`;
