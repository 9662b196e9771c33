export const SLUGS_PER_LINK = 10;
export const MIN_SLUGS_PER_WORKSPACE = 1_000;
/** Also the limit of a workspace without a link limit. */
export const MAX_SLUGS_PER_WORKSPACE = 1_000_000;

/** The slug limit of a workspace with this link limit; null means no link limit. */
export const slugLimit = (linkLimit: number | null): number =>
  linkLimit === null
    ? MAX_SLUGS_PER_WORKSPACE
    : Math.min(Math.max(SLUGS_PER_LINK * linkLimit, MIN_SLUGS_PER_WORKSPACE), MAX_SLUGS_PER_WORKSPACE);
