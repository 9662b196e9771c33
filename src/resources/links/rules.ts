import type { Usage } from "../../access/statements";
import type { Config } from "../../context";
import { alreadyTaken, type FieldError, limitReached, takenBy } from "../../errors";
import type { DestinationField } from "../../lib/destination";
import { type StoredWindow, storedWindow } from "../../lib/link-fields";
import { slugLimit } from "../../lib/slug-text";
import {
  isNewClaim,
  MAX_SLUGS_OF_LINK,
  SLUG_TAKEN_DOWN,
  slugProblem,
  TOO_MANY_SLUGS,
} from "../../redirect/slugs/rules";
import type { SlugOwnerRow } from "../../redirect/slugs/statements/owners";
import { hostProblem, ruleProblems, type toRefusedHosts } from "../destinations/rules";
import { ENDS_TOO_EARLY } from "./errors";
import type { LinkRow } from "./repository";
import type { UpdateLink } from "./schema";

// Each rule returns an error, or undefined if it holds.

/** Refuses an end that is not after the start. */
export const endProblem = ({ starts_at: start, ends_at: end }: StoredWindow): FieldError | undefined =>
  start !== null && end !== null && end <= start ? ENDS_TOO_EARLY : undefined;

/**
 * What is wrong with the values of a new link or of a change, that of the destination first. Those that the link has already are
 * not checked again.
 */
export function valueProblems(
  ctx: { config: Pick<Config, "ownHosts"> },
  input: Omit<UpdateLink, "slug" | "domain">,
  was: LinkRow | undefined,
  refused: ReturnType<typeof toRefusedHosts>,
  externalId: FieldError | undefined,
): (FieldError | undefined)[] {
  const problemOf = (field: DestinationField) =>
    input[field] === was?.[field] ? undefined : hostProblem(ctx, field, input[field], refused);
  return [
    problemOf("destination_url"),
    externalId,
    endProblem(storedWindow(input, was)),
    problemOf("ended_url"),
    ...ruleProblems(ctx, input.rules, refused, was?.rules),
    problemOf("preview_image_url"),
  ];
}

/** Refuses an external id that another link of the workspace has. */
export const externalIdProblem = (
  owner: { id: string } | undefined,
  link: string | undefined,
): FieldError | undefined => (owner?.id === link ? undefined : takenBy(alreadyTaken("external_id"), owner));

/** Refuses `more` new claims if they exceed the workspace's slug limit. */
export const claimProblem = (use: Usage | undefined, more: number): FieldError | undefined => {
  if (use === undefined || more === 0) return undefined;
  const limit = slugLimit(use.link_limit);
  return use.slug_claims + more > limit ? limitReached("slug", limit, "slugs") : undefined;
};

/** The errors on `slug` and `slug_limit` for another address; none if the link already has it in this spelling. */
export function renameProblems(
  row: LinkRow,
  address: Pick<LinkRow, "domain" | "slug"> | undefined,
  { owner, slugs, use }: { owner: SlugOwnerRow | undefined; slugs: number; use: Usage | undefined },
): (FieldError | undefined)[] {
  if (address === undefined || (address.slug === row.slug && address.domain === row.domain)) return [];
  if (row.taken_down_by === "operator") return [SLUG_TAKEN_DOWN];
  const isFull = owner?.link !== row.public_id && slugs >= MAX_SLUGS_OF_LINK;
  return [
    slugProblem(owner, row.public_id) ?? (isFull ? TOO_MANY_SLUGS : undefined),
    claimProblem(use, isNewClaim(owner) ? 1 : 0),
  ];
}
