import { sql } from "drizzle-orm";
import { abortUnless, ensureRow } from "../../../db/audit";
import type { Guard } from "../../../db/client";
import { literal } from "../../../db/literal";
import { links, slugs } from "../../../db/schema/links";
import type { SlugKey } from "../../../lib/slug-text";

export type SlugRow = Pick<
  typeof slugs.$inferSelect,
  "asset" | "doubt_until" | "key" | "link_id" | "taken_down_at" | "workspace_id"
>;

export const selectSlug = (key: SlugKey) =>
  literal<SlugRow>(
    "select key, workspace_id, link_id, asset, taken_down_at, doubt_until from slugs where key = ?1",
    key,
  );

export const ensureSlugUnchanged = ({ asset: _, ...row }: SlugRow) => ensureRow(slugs, row);

export const updateSlugCounts = (fromWorkspaceId: number, toWorkspaceId: number) =>
  literal(
    "update workspaces set slug_claims = max(0, slug_claims + iif(id = ?2, 1, -1)) where id in (?1, ?2)",
    ...[fromWorkspaceId, toWorkspaceId],
  );

export const ensureOldSlug = (workspaceId: number, linkRowId: number, key: SlugKey): Guard =>
  abortUnless(sql`exists (select 1 from ${slugs} join ${links} on ${links.id} = ${slugs.link_id} where ${slugs.key} = ${key}
    and ${slugs.link_id} = ${linkRowId} and ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.asset} is null and ${slugs.taken_down_at} is null and ${links.slug_key} <> ${key} and ${links.taken_down_by} is not 'operator')`);
