import type { Context } from "../context";
import {
  BLOCKED_HOST,
  DANGEROUS_HOST,
  type FieldError,
  linkLimitReached,
  MAX_SLUGS_OF_LINK,
  SLUG_TAKEN_DOWN,
  slugLimitReached,
  TOO_MANY_SLUGS,
  unknownTag,
} from "../errors";
import type { Verdict } from "../hosts/resolver";
import { destinationHost, ownHostProblem } from "../lib/destination";
import { slugLimit } from "../lib/slug-limit";
import { storedId } from "../lib/ulid-text";
import type { SlugOwnerRow } from "../slugs/owners";
import { slugProblem } from "../slugs/rules";
import type { TagRow } from "../tags/repository";
import type { Usage } from "../workspaces/repository";
import type { LinkRow } from "./repository";

// Each rule gives its refusal, or nothing where it holds.

/** The refusal of a destination on one of the service's own hosts, on the operator's blocklist, or known to be bad. */
export function hostProblem(
  ctx: Context,
  destination: string,
  blocked: readonly unknown[],
  verdict: Verdict = "unknown",
): FieldError | undefined {
  const own = ownHostProblem(destinationHost(destination), ctx.config.ownHosts);
  if (own !== undefined) return { field: "destination_url", message: own.message };
  if (blocked.length > 0) return BLOCKED_HOST;
  return verdict === "blocked" ? DANGEROUS_HOST : undefined;
}

/** The refusals of tag ids that name no tag of the workspace, each at its place in the request. */
export const unknownTags = (ids: readonly string[], rows: readonly TagRow[]): FieldError[] =>
  ids.flatMap((id, index) => (rows.some((row) => row.public_id === storedId(id)) ? [] : [unknownTag(index)]));

/** The refusal where the workspace has as many links as it may have. */
export const limitProblem = (use: Usage | undefined): FieldError | undefined =>
  use !== undefined && use.link_limit !== null && use.active_links + use.archived_links >= use.link_limit
    ? linkLimitReached(use.link_limit)
    : undefined;

/** The refusal where a workspace cannot claim so many more slugs. */
export const claimProblem = (use: Usage | undefined, more: number): FieldError | undefined => {
  if (use === undefined || more === 0) return undefined;
  const limit = slugLimit(use.link_limit);
  return use.slug_claims + more > limit ? slugLimitReached(limit) : undefined;
};

/** What is read to judge another slug for a link: who has it, how many the link has, and what the workspace has. */
export interface RenameFacts {
  claims: readonly SlugOwnerRow[];
  slugs: number;
  use: Usage | undefined;
}

/** The refusals of `slug` for the link `row`, on `slug` and `slug_limit`; none where it is the link's own as it is written. */
export function renameProblems(
  row: LinkRow,
  slug: string | undefined,
  { claims, slugs, use }: RenameFacts,
): (FieldError | undefined)[] {
  if (slug === undefined || slug === row.slug) return [];
  if (row.taken_down_by === "operator") return [SLUG_TAKEN_DOWN];
  const returns = claims.some(({ link }) => link === row.public_id);
  const isFull = !returns && slugs >= MAX_SLUGS_OF_LINK;
  return [
    slugProblem(claims, row.public_id) ?? (isFull ? TOO_MANY_SLUGS : undefined),
    claimProblem(use, claims.length === 0 ? 1 : 0),
  ];
}
