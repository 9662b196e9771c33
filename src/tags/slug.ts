import type { Context } from "../context";
import { randomSlugText, slugFromName, withSuffix } from "../lib/slug-text";

const SLUG_LENGTH = 120;
/** Leaves room for the suffix of a thousandth tag, so a numbered slug keeps its whole base. */
const SLUG_BASE_LENGTH = SLUG_LENGTH - "-1000".length;

type Neighbour = { id: string; name_key: string; slug: string };

/** The base, or the base with the first free number. */
export function freeSlug(base: string, neighbours: readonly Neighbour[]): string {
  const taken = new Set(neighbours.map((neighbour) => neighbour.slug));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(withSuffix(base, number, SLUG_LENGTH))) number++;
  return withSuffix(base, number, SLUG_LENGTH);
}

/** The base of a generated slug: the name, or random text if the name has no letters for a slug. */
export const slugBase = (ctx: Context, name: string): string =>
  slugFromName(name, SLUG_BASE_LENGTH) || `tag-${randomSlugText(8, ctx.random)}`;
