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

// Each rule returns an error, or undefined if it holds.

/** Refuses a destination on one of the service's own hosts, on a blocked host, or with a bad verdict. */
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

/** An error for each tag id that names no tag of the workspace, with its index in the request. */
export const unknownTags = (ids: readonly string[], rows: readonly TagRow[]): FieldError[] =>
  ids.flatMap((id, index) => (rows.some((row) => row.public_id === storedId(id)) ? [] : [unknownTag(index)]));

/** Refuses a link if the workspace has reached its link limit. */
export const limitProblem = (use: Usage | undefined): FieldError | undefined =>
  use !== undefined && use.link_limit !== null && use.active_links + use.archived_links >= use.link_limit
    ? linkLimitReached(use.link_limit)
    : undefined;

/** Refuses `more` new claims if they exceed the workspace's slug limit. */
export const claimProblem = (use: Usage | undefined, more: number): FieldError | undefined => {
  if (use === undefined || more === 0) return undefined;
  const limit = slugLimit(use.link_limit);
  return use.slug_claims + more > limit ? slugLimitReached(limit) : undefined;
};

/** The facts for a change of slug: its claims, the link's number of slugs and the workspace's usage. */
interface RenameFacts {
  claims: readonly SlugOwnerRow[];
  slugs: number;
  use: Usage | undefined;
}

/** The errors on `slug` and `slug_limit` for a change of slug; none if the link already has it in this spelling. */
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
