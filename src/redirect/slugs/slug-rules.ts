import { linkIsFull, SLUG_TAKEN, takenDown } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import type { SlugOwnerRow } from "./statements/slug-owners";

export const SLUG_TAKEN_DOWN = takenDown("slug");
export const MAX_SLUGS_OF_LINK = 100;
export const TOO_MANY_SLUGS = linkIsFull("slug", MAX_SLUGS_OF_LINK, "slugs");

export const isNewClaim = (owner: SlugOwnerRow | undefined): boolean => owner?.own !== 1;

/** The error if another workspace or an asset has the slug, if it is taken down, or if it opens a link other than `linkId`. */
export function slugProblem(owner: SlugOwnerRow | undefined, linkId: string | null): Failure | undefined {
  if (owner === undefined) return undefined;
  // Other workspaces must not learn about a takedown, so this check comes first.
  if (owner.own === 0 || owner.code === 1) return SLUG_TAKEN;
  if (owner.taken_down === 1) return SLUG_TAKEN_DOWN;
  return owner.link === null || owner.link === linkId ? undefined : { ...SLUG_TAKEN, conflict: owner.link };
}
