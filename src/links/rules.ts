import type { Context } from "../context";
import { BLOCKED_HOST, DANGEROUS_HOST, type FieldError, linkLimitReached, unknownTag } from "../errors";
import type { Verdict } from "../hosts/resolver";
import { destinationHost, ownHostProblem } from "../lib/destination";
import { storedId } from "../lib/ulid-text";
import type { TagRow } from "../tags/repository";
import type { Usage } from "../workspaces/repository";

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
