/** A workspace claims so many slugs for each link that it may have, within the bounds. */
export const CLAIMS_A_LINK = 10;
export const MIN_CLAIMS = 1_000;
/** Also where the number of links has no limit. */
export const MAX_CLAIMS = 1_000_000;

/** How many slugs a workspace with this limit of links may claim; null is no limit. */
export const slugLimit = (linkLimit: number | null): number =>
  linkLimit === null ? MAX_CLAIMS : Math.min(Math.max(CLAIMS_A_LINK * linkLimit, MIN_CLAIMS), MAX_CLAIMS);
