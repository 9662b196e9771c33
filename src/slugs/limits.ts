import { eq, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { WANTED, wantedIn } from "../db/json";
import { slugs, workspaces } from "../db/schema";
import { CLAIMS_A_LINK, MAX_CLAIMS, MIN_CLAIMS } from "../lib/slug-limit";
import { rowIdOfLink } from "./repository";

// How many slugs a link and a workspace may have.

/** How many slugs open a link, counted up to `most`. */
export const countSlugsOfLink =
  (workspaceId: number, linkId: string, most: number): Statement<{ slugs: number }[]> =>
  (orm) =>
    orm.all<{ slugs: number }>(sql`select count(*) as slugs from (select 1 from ${slugs}
      where ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${rowIdOfLink(workspaceId, linkId)} limit ${most})`);

/** Holds while the slug opens the link, by its row id, already, or fewer than `most` slugs do. */
export const linkHasRoomForSlug = (
  workspaceId: number,
  linkRowId: number,
  key: string,
  most: number,
): Guard => sql`(exists (select 1 from ${slugs} where ${slugs.key} = ${key} and ${slugs.link_id} = ${linkRowId})
  or (select count(*) from (select 1 from ${slugs} where ${slugs.workspace_id} = ${workspaceId}
    and ${slugs.link_id} = ${linkRowId} limit ${most})) < ${most})`;

/** Holds while nobody has claimed the slug. */
export const isUnclaimed = (key: string): Guard =>
  sql`not exists (select 1 from ${slugs} where ${slugs.key} = ${key})`;

/** Holds while nobody has claimed any of these slugs. */
export const areUnclaimed = (keys: readonly string[]): Guard =>
  sql`not exists (select 1 from ${wantedIn(JSON.stringify(keys))} cross join ${slugs} where ${slugs.key} = ${WANTED})`;

const CLAIM_LIMIT: SQL = sql`min(max(coalesce(${workspaces.link_limit}, ${sql.raw(String(MAX_CLAIMS))})
  * ${sql.raw(String(CLAIMS_A_LINK))}, ${sql.raw(String(MIN_CLAIMS))}), ${sql.raw(String(MAX_CLAIMS))})`;

/** The workspace's claims with so many more. Above its limit it is null, which the column refuses: the batch fails. */
export const claimsWith = (more: number): SQL =>
  sql`case when ${workspaces.slug_claims} + ${more} <= ${CLAIM_LIMIT}
    then ${workspaces.slug_claims} + ${more} end`;

/** Counts slugs that nobody has claimed, as a guard of the same batch says; the batch fails above the workspace's limit. */
export const countClaims =
  (workspaceId: number, more: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ slug_claims: claimsWith(more) })
      .where(eq(workspaces.id, workspaceId));
