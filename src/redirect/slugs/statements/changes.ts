// Statements that change slugs without changing a link.

import { and, eq, inArray, sql } from "drizzle-orm";
import { abortUnless } from "../../../db/audit";
import type { Guard } from "../../../db/client";
import { orm } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { links, slugs } from "../../../db/schema/links";
import type { SlugKey } from "../../../lib/slug-text";

/** Sets (or with null clears) the takedown of every slug and code of a link, and queues their pushes. */
export const updateTakedownOfSlugs = (
  workspaceId: number,
  linkRowId: number,
  takenDownAt: number | null,
  at: number,
) =>
  orm
    .update(slugs)
    .set({ taken_down_at: takenDownAt, rev: sql`${slugs.rev} + 1`, push_at: at })
    .where(and(eq(slugs.workspace_id, workspaceId), eq(slugs.link_id, linkRowId)));

/** A slug as the operator sees it. */
export type SlugRow = Awaited<ReturnType<typeof selectSlug>>[number];

export const selectSlug = (key: SlugKey) =>
  orm
    .select({
      key: slugs.key,
      workspace_id: slugs.workspace_id,
      link_id: slugs.link_id,
      asset: slugs.asset,
      taken_down_at: slugs.taken_down_at,
    })
    .from(slugs)
    .where(eq(slugs.key, key));

export const ensureSlugUnchanged = (row: SlugRow): Guard =>
  abortUnless(sql`exists (select 1 from ${slugs} where ${slugs.key} = ${row.key} and ${slugs.workspace_id} = ${row.workspace_id}
    and ${slugs.link_id} is ${row.link_id} and ${slugs.taken_down_at} is ${row.taken_down_at})`);

/** Ends the takedown of a slug whose link is deleted, and queues its push. */
export const clearTakedownOfSlug = (key: SlugKey, at: number) =>
  orm
    .update(slugs)
    .set({ taken_down_at: null, rev: sql`${slugs.rev} + 1`, push_at: at })
    .where(eq(slugs.key, key));

/** Moves a tombstone to another workspace. The revision stays, so the next use increments it and queues a push. */
export const updateSlugWorkspace = (key: SlugKey, workspaceId: number) =>
  orm.update(slugs).set({ workspace_id: workspaceId }).where(eq(slugs.key, key));

/** Moves one slug between the slug counts of two workspaces. */
export const updateSlugCounts = (fromWorkspaceId: number, toWorkspaceId: number) =>
  orm
    .update(workspaces)
    .set({
      slug_claims: sql`max(0, ${workspaces.slug_claims} + iif(${workspaces.id} = ${toWorkspaceId}, 1, -1))`,
    })
    .where(inArray(workspaces.id, [fromWorkspaceId, toWorkspaceId]));

/** True while the slug opens the link, is not the link's current slug, and is not taken down. */
export const ensureOldSlug = (workspaceId: number, linkRowId: number, key: SlugKey): Guard =>
  abortUnless(sql`exists (select 1 from ${slugs} join ${links} on ${links.id} = ${slugs.link_id} where ${slugs.key} = ${key}
    and ${slugs.link_id} = ${linkRowId} and ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.asset} is null and ${slugs.taken_down_at} is null and ${links.slug_key} <> ${key} and ${links.taken_down_by} is not 'operator')`);

/** Turns a slug of the workspace into a tombstone, and queues its push. */
export const detachSlug = (workspaceId: number, key: SlugKey, at: number) =>
  orm
    .update(slugs)
    .set({ link_id: null, rev: sql`${slugs.rev} + 1`, push_at: at })
    .where(and(eq(slugs.key, key), eq(slugs.workspace_id, workspaceId)));
