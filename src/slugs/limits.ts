import { eq, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { WANTED, wantedIn } from "../db/json";
import { prepared } from "../db/prepared";
import { slugs, workspaces } from "../db/schema";
import { CLAIMS_A_LINK, MAX_CLAIMS, MIN_CLAIMS } from "../lib/slug-limit";
import { rowIdOfLink } from "./repository";

// How many slugs a link and a workspace may have. Each limit holds within the batch that inserts the slug.

/** Some of the slugs that open a link, by its row id or a query for it; no more rows are read than `most`. */
const someSlugsOf = (workspaceId: number, linkRowId: SQL, most: number): SQL =>
  sql`select 1 from ${slugs} where ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} = ${linkRowId} limit ${most}`;

/** How many slugs open a link, counted up to `most`. */
export const countSlugsOfLink =
  (workspaceId: number, linkId: string, most: number): Statement<{ slugs: number }[]> =>
  (orm) =>
    orm.all<{ slugs: number }>(
      sql`select count(*) as slugs from (${someSlugsOf(workspaceId, rowIdOfLink(workspaceId, linkId), most)})`,
    );

/** Holds while the slug opens the link, by its row id, already, or fewer than `most` slugs do. */
export const linkHasRoomForSlug = (
  workspaceId: number,
  linkRowId: number,
  key: string,
  most: number,
): Guard =>
  sql`(exists (select 1 from ${slugs} where ${slugs.key} = ${key} and ${slugs.link_id} = ${linkRowId})
    or (select count(*) from (${someSlugsOf(workspaceId, sql`${linkRowId}`, most)})) < ${most})`;

/** How many of these slugs, a JSON list of keys, nobody has claimed yet. */
const newSlugsAmong = (keys: string): SQL =>
  sql`(select count(*) from ${wantedIn(keys)} where not exists (select 1 from ${slugs} where ${slugs.key} = ${WANTED}))`;

const CLAIM_LIMIT: SQL = sql`min(max(coalesce(${workspaces.link_limit}, ${sql.raw(String(MAX_CLAIMS))})
  * ${sql.raw(String(CLAIMS_A_LINK))}, ${sql.raw(String(MIN_CLAIMS))}), ${sql.raw(String(MAX_CLAIMS))})`;

/** Holds while the workspace may claim those of these slugs that nobody has; using one of its own again is always allowed. */
export const hasRoomForSlugs = (workspaceId: number, keys: readonly string[]): Guard =>
  sql`${newSlugsAmong(JSON.stringify(keys))} <= (select max(${CLAIM_LIMIT} - ${workspaces.slug_claims}, 0)
    from ${workspaces} where ${workspaces.id} = ${workspaceId})`;

/** Counts those of these slugs for the workspace that nobody has claimed. Goes before the statement that inserts them. */
export const countNewSlugs = (workspaceId: number, keys: readonly string[]): Statement =>
  countNewSlugsJson(workspaceId, JSON.stringify(keys));

const countNewSlugsJson = prepared(
  (workspaceId: number, keys: string): Statement =>
    (orm) =>
      orm
        .update(workspaces)
        .set({ slug_claims: sql`${workspaces.slug_claims} + ${newSlugsAmong(keys)}` })
        .where(eq(workspaces.id, workspaceId)),
);
