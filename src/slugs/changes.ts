import { and, eq, inArray, sql } from "drizzle-orm";
import { insertAuditRow } from "../db/audit";
import type { AuditedChange, Guard, Statement } from "../db/client";
import { links, slugs, workspaces } from "../db/schema";

// The statements by which the operator and owners change slugs without changing a link.

/** Marks every slug of a link, by its row id, as taken down, or for null as not, and for a push. */
export const setTakenDownOfSlugs =
  (workspaceId: number, linkRowId: number, takenDownAt: number | null, at: number): Statement =>
  (orm) =>
    orm
      .update(slugs)
      .set({ taken_down_at: takenDownAt, rev: sql`${slugs.rev} + 1`, push_at: at })
      .where(and(eq(slugs.workspace_id, workspaceId), eq(slugs.link_id, linkRowId)));

/** A slug of whatever workspace, for the operator. */
export type SlugAnywhere = Pick<
  typeof slugs.$inferSelect,
  "key" | "workspace_id" | "link_id" | "taken_down_at"
>;

export const slugAnywhere =
  (key: string): Statement<SlugAnywhere[]> =>
  (orm) =>
    orm
      .select({
        key: slugs.key,
        workspace_id: slugs.workspace_id,
        link_id: slugs.link_id,
        taken_down_at: slugs.taken_down_at,
      })
      .from(slugs)
      .where(eq(slugs.key, key));

/** Holds while the slug is as it was read. */
export const slugIsAsRead = ({
  key,
  workspace_id: workspaceId,
  link_id: linkId,
  taken_down_at: at,
}: SlugAnywhere): Guard =>
  sql`exists (select 1 from ${slugs} where ${slugs.key} = ${key} and ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.link_id} is ${linkId} and ${slugs.taken_down_at} is ${at})`;

/** Ends the takedown of a slug whose link is gone, and marks it for a push. */
export const endTakedownOfSlug =
  (key: string, at: number): Statement =>
  (orm) =>
    orm
      .update(slugs)
      .set({ taken_down_at: null, rev: sql`${slugs.rev} + 1`, push_at: at })
      .where(eq(slugs.key, key));

/** Gives a slug that opens nothing to another workspace. Its revision stays, so that its next use is pushed. */
export const giveSlug =
  (key: string, workspaceId: number): Statement =>
  (orm) =>
    orm.update(slugs).set({ workspace_id: workspaceId }).where(eq(slugs.key, key));

/** Says in the audit log of the workspace that gets a slug that it came; the operation needs an id of its own. */
export const auditReceipt = (
  operationId: string,
  change: Pick<AuditedChange, "workspaceId" | "actor" | "subject" | "at">,
): Statement => insertAuditRow(operationId, { ...change, action: "slug.receive" });

/** Counts one claim less for the one workspace, by its row id, and one more for the other. */
export const moveClaim =
  (fromWorkspaceId: number, toWorkspaceId: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({
        slug_claims: sql`max(0, ${workspaces.slug_claims} + iif(${workspaces.id} = ${toWorkspaceId}, 1, -1))`,
      })
      .where(inArray(workspaces.id, [fromWorkspaceId, toWorkspaceId]));

/** Holds while the slug opens the link, by its row id, is not the link's own, and is not taken down. */
export const isOldSlug = (workspaceId: number, linkRowId: number, key: string): Guard =>
  sql`exists (select 1 from ${slugs} join ${links} on ${links.id} = ${slugs.link_id} where ${slugs.key} = ${key}
    and ${slugs.link_id} = ${linkRowId} and ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.taken_down_at} is null and ${links.slug_key} <> ${key} and ${links.taken_down_by} is not 'operator')`;

/** Makes a slug of the workspace open nothing, and marks it for a push. */
export const closeSlug =
  (workspaceId: number, key: string, at: number): Statement =>
  (orm) =>
    orm
      .update(slugs)
      .set({ link_id: null, rev: sql`${slugs.rev} + 1`, push_at: at })
      .where(and(eq(slugs.key, key), eq(slugs.workspace_id, workspaceId)));
