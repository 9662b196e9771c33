import { asc, eq, sql } from "drizzle-orm";
import { ensureRow } from "../../db/audit";
import { whereOwn } from "../../db/columns";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { codeBrandings } from "../../db/schema/code-brandings";
import { links } from "../../db/schema/links";

export type CodeBrandingRow = typeof codeBrandings.$inferSelect;

/** By name. There are at most ten. */
export const selectCodeBrandings = (workspaceId: number) =>
  orm
    .select()
    .from(codeBrandings)
    .where(eq(codeBrandings.workspace_id, workspaceId))
    .orderBy(asc(codeBrandings.name_key));

/** The logo of pages for visitors. */
export const selectPageLogo = (workspaceId: number) =>
  orm.select({ logo: workspaces.logo }).from(workspaces).where(eq(workspaces.id, workspaceId));

export const insertCodeBranding = (row: typeof codeBrandings.$inferInsert) =>
  orm.insert(codeBrandings).values(row);

export const updateCodeBranding = (
  workspaceId: number,
  id: string,
  fields: Omit<CodeBrandingRow, "id" | "public_id" | "workspace_id" | "created_at">,
) =>
  orm
    .update(codeBrandings)
    .set(fields)
    .where(whereOwn(codeBrandings, workspaceId, id));

export const deleteCodeBranding = (workspaceId: number, id: string) =>
  orm.delete(codeBrandings).where(whereOwn(codeBrandings, workspaceId, id));

/** True while a branding is as it was read. */
export const ensureCodeBrandingUnchanged = (row: CodeBrandingRow) => ensureRow(codeBrandings, row);

/** Sorts by length. */
const LENGTH_AND_ID = sql`printf('%02d', length(${links.folded_slug})) || ${links.public_id}`;

/** The longest and the shortest slug of an active link, of which one index has all; none if there is no such link. */
export const selectSlugsByLength = (workspaceId: number) =>
  orm.all<{ slug: string }>(sql`select ${links.slug} from
      (select substr(max(${LENGTH_AND_ID}), 3) as longest, substr(min(${LENGTH_AND_ID}), 3) as shortest
        from ${links} indexed by links_list_slug where ${links.workspace_id} = ${workspaceId} and ${links.archived} = 0 and ${links.deleted_at} is null)
    cross join ${links} on ${links.public_id} in (longest, shortest)`);
