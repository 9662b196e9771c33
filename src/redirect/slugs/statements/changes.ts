// Statements that change slugs without changing a link.

import { sql } from "drizzle-orm";
import { abortUnless, ensureRow } from "../../../db/audit";
import type { Guard } from "../../../db/client";
import { literal } from "../../../db/literal";
import { links, slugs } from "../../../db/schema/links";
import type { SlugKey } from "../../../lib/slug-text";

/** Sets (or with null clears) the takedown of every slug and code of a link, and queues their pushes. */
export const updateTakedownOfSlugs = (
  workspaceId: number,
  linkRowId: number,
  takenDownAt: number | null,
  at: number,
) =>
  literal(
    "update slugs set taken_down_at = ?3, rev = rev + 1, push_at = ?4 where workspace_id = ?1 and link_id = ?2",
    ...[workspaceId, linkRowId, takenDownAt, at],
  );

/** A slug as the operator sees it. */
export type SlugRow = Pick<
  typeof slugs.$inferSelect,
  "asset" | "key" | "link_id" | "taken_down_at" | "workspace_id"
>;

export const selectSlug = (key: SlugKey) =>
  literal<SlugRow>("select key, workspace_id, link_id, asset, taken_down_at from slugs where key = ?1", key);

export const ensureSlugUnchanged = ({ key, workspace_id, link_id, taken_down_at }: SlugRow) =>
  ensureRow(slugs, { key, workspace_id, link_id, taken_down_at });

/** Ends the takedown of a slug whose link is deleted, and queues its push. */
export const clearTakedownOfSlug = (key: SlugKey, at: number) =>
  literal("update slugs set taken_down_at = null, rev = rev + 1, push_at = ?2 where key = ?1", key, at);

/** Moves a tombstone to another workspace. The revision stays, so the next use increments it and queues a push. */
export const updateSlugWorkspace = (key: SlugKey, workspaceId: number) =>
  literal("update slugs set workspace_id = ?2 where key = ?1", key, workspaceId);

/** Moves one slug between the slug counts of two workspaces. */
export const updateSlugCounts = (fromWorkspaceId: number, toWorkspaceId: number) =>
  literal(
    "update workspaces set slug_claims = max(0, slug_claims + iif(id = ?2, 1, -1)) where id in (?1, ?2)",
    ...[fromWorkspaceId, toWorkspaceId],
  );

/** True while the slug opens the link, is not the link's current slug, and is not taken down. */
export const ensureOldSlug = (workspaceId: number, linkRowId: number, key: SlugKey): Guard =>
  abortUnless(sql`exists (select 1 from ${slugs} join ${links} on ${links.id} = ${slugs.link_id} where ${slugs.key} = ${key}
    and ${slugs.link_id} = ${linkRowId} and ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.asset} is null and ${slugs.taken_down_at} is null and ${links.slug_key} <> ${key} and ${links.taken_down_by} is not 'operator')`);

/** Turns a slug of the workspace into a tombstone, and queues its push. */
export const detachSlug = (workspaceId: number, key: SlugKey, at: number) =>
  literal(
    "update slugs set link_id = null, rev = rev + 1, push_at = ?3 where key = ?2 and workspace_id = ?1",
    ...[workspaceId, key, at],
  );
