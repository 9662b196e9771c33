import type { Context } from "../context";
import {
  blockedHost,
  dangerousHost,
  ENDS_TOO_EARLY,
  EXTERNAL_ID_TAKEN,
  type FieldError,
  linkLimitReached,
  MAX_SLUGS_OF_LINK,
  SLUG_TAKEN_DOWN,
  slugLimitReached,
  TOO_MANY_SLUGS,
  takenBy,
} from "../errors";
import type { Verdict } from "../hosts/resolver";
import { type DestinationField, destinationHost, hostAndParents, ownHostProblem } from "../lib/destination";
import type { StoredLife } from "../lib/link-fields";
import { slugLimit } from "../lib/slug-limit";
import type { SlugOwnerRow } from "../slugs/owners";
import { slugProblem } from "../slugs/rules";
import type { Usage } from "../workspaces/repository";
import type { LinkRow } from "./repository";

// Each rule returns an error, or undefined if it holds.

/** The hosts whose block refuses one of these URLs. */
export const blockableHosts = (urls: readonly (string | null | undefined)[]): string[] => [
  ...new Set(urls.flatMap((url) => (url == null ? [] : hostAndParents(destinationHost(url))))),
];

export const hostsOf = (rows: readonly { host: string }[]): ReadonlySet<string> =>
  new Set(rows.map(({ host }) => host));

/** Refuses a destination on one of the service's own hosts, on a blocked host, or with a bad verdict. */
export function hostProblem(
  ctx: Context,
  field: DestinationField,
  url: string | null | undefined,
  blocked: ReadonlySet<string>,
  verdict: Verdict = "unknown",
): FieldError | undefined {
  if (url == null) return undefined;
  const host = destinationHost(url);
  const own = ownHostProblem(host, ctx.config.ownHosts, field);
  if (own !== undefined) return { field, message: own.message, code: own.code };
  if (hostAndParents(host).some((name) => blocked.has(name))) return blockedHost(field);
  return verdict === "blocked" ? dangerousHost(field) : undefined;
}

/** Refuses an end that is not after the start. */
export const endProblem = ({ starts_at: start, ends_at: end }: StoredLife): FieldError | undefined =>
  start !== null && end !== null && end <= start ? ENDS_TOO_EARLY : undefined;

/** Refuses an external id that another link of the workspace has. */
export const externalIdProblem = (
  owner: { id: string } | undefined,
  link: string | undefined,
): FieldError | undefined => (owner?.id === link ? undefined : takenBy(EXTERNAL_ID_TAKEN, owner));

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
