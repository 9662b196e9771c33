import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
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

const CLAIM_LIMIT: SQL = sql`min(max(coalesce(${workspaces.link_limit}, ${sql.raw(String(MAX_CLAIMS))})
  * ${sql.raw(String(CLAIMS_A_LINK))}, ${sql.raw(String(MIN_CLAIMS))}), ${sql.raw(String(MAX_CLAIMS))})`;

/** The workspace's claims with so many more. Above its limit it is null, which the column refuses: the batch fails. */
export const claimsWith = (more: number): SQL =>
  sql`case when ${workspaces.slug_claims} + ${more} <= ${CLAIM_LIMIT}
    then ${workspaces.slug_claims} + ${more} end`;
