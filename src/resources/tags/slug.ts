import type { Context } from "../../context";
import { freeSlug, randomSlugText, slugFromName } from "../../lib/slug-text";

const SLUG_LENGTH = 120;
/** Leaves room for the suffix of a thousandth tag, so a numbered slug keeps its whole base. */
const SLUG_BASE_LENGTH = SLUG_LENGTH - "-1000".length;

/** The base, or the base with the first number that no neighbour has. */
export const freeTagSlug = (base: string, neighbours: readonly { slug: string }[]): string =>
  freeSlug(base, new Set(neighbours.map(({ slug }) => slug)), SLUG_LENGTH);

/** The base of a generated slug: the name, or random text if the name has no letters for a slug. */
export const slugBase = (ctx: Context, name: string): string =>
  slugFromName(name, SLUG_BASE_LENGTH) || `tag-${randomSlugText(8, ctx.random)}`;
