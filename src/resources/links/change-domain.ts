import { selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { SLUG_TAKEN } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { type SlugKey, slugKey } from "../../lib/slug-text";
import { countSlugsOfLinks, selectSlugOwners } from "../../redirect/slugs/statements/slug-owners";
import type { LinkRow } from "./link-repository";
import { renameProblems } from "./link-rules";
import { claimsOf } from "./write/commit";

/** Checks which links can get an address with their own slug on a domain. Of two with the same slug the first one can. */
export async function checkMoves(ctx: Context, rows: readonly LinkRow[], domain: string) {
  const workspaceId = ctx.workspace.rowId;
  const moved = rows.filter((row) => row.domain !== domain);
  const movedIds = moved.map((row) => row.public_id);
  const keyOf = (row: LinkRow) => slugKey(domain, row.slug);
  const [owners, counts, [use]] = await ctx.db.read(
    selectSlugOwners(workspaceId, [...new Set(moved.map(keyOf))]),
    countSlugsOfLinks(workspaceId, movedIds),
    selectUsage(workspaceId),
  );
  const ownerOf = new Map(owners.map((owner) => [owner.key, owner]));
  const countOf = new Map(counts.map(({ link, slugs }) => [link, slugs]));
  const refusals = new Map<string, Failure>();
  const claims: ReturnType<typeof claimsOf> = [];
  const taken = new Set<SlugKey>();
  for (const row of moved) {
    const key = keyOf(row);
    const owner = ownerOf.get(key);
    const slugs = countOf.get(row.public_id) ?? 0;
    const usage = use && { ...use, slug_claims: use.slug_claims + claims.length };
    const problems = renameProblems(row, { domain, slug: row.slug }, { owner, slugs, use: usage });
    const problem = taken.has(key) ? SLUG_TAKEN : problems.find((one) => one !== undefined);
    if (problem !== undefined) {
      refusals.set(row.public_id, problem);
      continue;
    }
    claims.push(...claimsOf(owner, key));
    taken.add(key);
  }
  return { refusals, claims };
}
