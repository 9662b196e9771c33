import { slugLimit } from "../lib/slug-limit";
import type { Usage } from "./repository";

const NEARLY_FULL_RATIO = 0.9;

/** Something that a workspace has nearly as much of as it may have, or as much. */
export interface NearlyFull {
  of: "links" | "slugs";
  used: number;
  limit: number;
}

/** What of links and slugs a workspace uses above 90 %. */
export const nearlyFull = (
  use: Pick<Usage, "link_limit" | "active_links" | "archived_links" | "slug_claims">,
): NearlyFull[] =>
  [
    { of: "links" as const, used: use.active_links + use.archived_links, limit: use.link_limit },
    { of: "slugs" as const, used: use.slug_claims, limit: slugLimit(use.link_limit) },
  ].flatMap(({ of, used, limit }) =>
    limit !== null && used > NEARLY_FULL_RATIO * limit ? [{ of, used, limit }] : [],
  );
