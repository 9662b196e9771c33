import { selectUsage } from "../../access/statements";
import type { Context } from "../../context";
import { SLUG_TAKEN } from "../../errors";
import { type SlugKey, slugKey } from "../../lib/slug-text";
import { isNewClaim } from "../../redirect/slugs/rules";
import { countSlugsOfLinks } from "../../redirect/slugs/statements/counts";
import { selectSlugOwners } from "../../redirect/slugs/statements/owners";
import type { LinkRow } from "./repository";
import { renameProblems } from "./rules";
import { claimsOf } from "./write/commit";

interface CheckedMoves {
  /** Why links cannot move, by public id. */
  refusals: ReadonlyMap<string, string>;
  /** How the new addresses of the others count. */
  claims: { unclaimed: SlugKey[]; received: SlugKey[] };
}

/** Checks which links can get an address with their own slug on a domain. Of two with the same slug the first one can. */
export async function checkMoves(
  ctx: Context,
  rows: readonly LinkRow[],
  domain: string,
): Promise<CheckedMoves> {
  const workspaceId = ctx.workspace.rowId;
  const moved = rows.filter((row) => row.domain !== domain);
  const keyOf = (row: LinkRow) => slugKey(domain, row.slug);
  const [owners, counts, [use]] = await ctx.db.read(
    selectSlugOwners(workspaceId, [...new Set(moved.map(keyOf))]),
    countSlugsOfLinks(
      workspaceId,
      moved.map(({ id }) => id),
    ),
    selectUsage(workspaceId),
  );
  const ownerOf = new Map(owners.map((owner) => [owner.key, owner]));
  const countOf = new Map(counts.map(({ link_id: id, slugs }) => [id, slugs]));
  const refusals = new Map<string, string>();
  const claims: CheckedMoves["claims"] = { unclaimed: [], received: [] };
  const taken = new Set<SlugKey>();
  let newClaims = 0;
  for (const row of moved) {
    const key = keyOf(row);
    const owner = ownerOf.get(key);
    const problems = renameProblems(
      row,
      { domain, slug: row.slug },
      {
        claims: owner === undefined ? [] : [owner],
        slugs: countOf.get(row.id) ?? 0,
        use: use && { ...use, slug_claims: use.slug_claims + newClaims },
      },
    );
    const problem = taken.has(key) ? SLUG_TAKEN : problems.find((one) => one !== undefined);
    if (problem !== undefined) {
      refusals.set(row.public_id, problem.message);
      continue;
    }
    const { unclaimed = [], received = [] } = claimsOf(owner, key);
    claims.unclaimed.push(...unclaimed);
    claims.received.push(...received);
    taken.add(key);
    newClaims += isNewClaim(owner) ? 1 : 0;
  }
  return { refusals, claims };
}
