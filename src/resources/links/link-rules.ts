import type { Usage } from "../../access/workspace-statements";
import type { Config } from "../../context";
import { alreadyTaken, limitReached, takenBy } from "../../field-errors";
import { type StoredDates, storedWindow } from "../../lib/days";
import type { DestinationField } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { type SlugKey, slugLimit } from "../../lib/slug-text";
import {
  isNewClaim,
  MAX_SLUGS_OF_LINK,
  SLUG_TAKEN_DOWN,
  slugProblem,
  TOO_MANY_SLUGS,
} from "../../redirect/slugs/slug-rules";
import type { SlugOwnerRow } from "../../redirect/slugs/statements/slug-owners";
import { hostProblem, ruleProblems, type toRefusedHosts } from "../destinations/hosts";
import type { addressesOf } from "./choose-domain";
import { ENDS_TOO_EARLY } from "./link-errors";
import type { LinkRow } from "./link-repository";
import type { CreateLink, UpdateLink } from "./link-schema";

// Each rule returns an error, or undefined if it holds.

export const endProblem = ({ starts_at: start, ends_at: end }: StoredDates): Failure | undefined =>
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
  externalId: Failure | undefined,
  zone: string | undefined,
): (Failure | undefined)[] {
  const problemOf = (field: DestinationField) =>
    input[field] === was?.[field] ? undefined : hostProblem(ctx, field, input[field], refused);
  return [
    problemOf("destination_url"),
    externalId,
    endProblem(storedWindow(input, was, zone)),
    problemOf("ended_url"),
    ...ruleProblems(ctx, input.rules, refused, was?.rules),
    problemOf("preview_image_url"),
  ];
}

export const externalIdProblem = (
  owner: { id: string } | undefined,
  link: string | undefined,
): Failure | undefined => (owner?.id === link ? undefined : takenBy(alreadyTaken("external_id"), owner));

const claimProblem = (use: Usage | undefined, more: number): Failure | undefined => {
  if (use === undefined || more === 0) return undefined;
  const limit = slugLimit(use.link_limit);
  return use.slug_claims + more > limit ? limitReached("slug", limit, "slugs") : undefined;
};

/** The errors on `slug` and `slug_limit` for another address; none if the link already has it in this spelling. */
export function renameProblems(
  row: LinkRow,
  address: Pick<LinkRow, "domain" | "slug"> | undefined,
  { owner, slugs, use }: { owner: SlugOwnerRow | undefined; slugs: number; use: Usage | undefined },
): (Failure | undefined)[] {
  if (address === undefined || (address.slug === row.slug && address.domain === row.domain)) return [];
  if (row.taken_down_by === "operator") return [SLUG_TAKEN_DOWN];
  const isFull = owner?.link !== row.public_id && slugs >= MAX_SLUGS_OF_LINK;
  return [
    slugProblem(owner, row.public_id) ?? (isFull ? TOO_MANY_SLUGS : undefined),
    claimProblem(use, isNewClaim(owner) ? 1 : 0),
  ];
}

interface RuleRows {
  claims: readonly (SlugOwnerRow & { key: SlugKey })[];
  refusedHosts: ReturnType<typeof toRefusedHosts>;
  externalIdOwners: readonly { id: string; external_id: string }[];
  use: Usage | undefined;
}

/** A new link, the row of a file or the only one, with the errors of its addresses, its group and its tags. */
interface AddressedRow {
  number: number;
  link: CreateLink;
  addressed: ReturnType<typeof addressesOf>;
  group: Failure | undefined;
  tags: readonly (Failure | undefined)[];
}

export const keysOf = ({ addresses: { key, old } }: ReturnType<typeof addressesOf>): SlugKey[] => [
  ...(key === undefined ? [] : [key]),
  ...old.map((one) => one.key),
];

const toOldSlugProblem = (address: string, problem: Failure | undefined): Failure | undefined =>
  problem && { ...problem, field: "old_slugs", of: `old slug ${address}` };

/**
 * Checks new links in order; returns the errors of each. Slugs, external ids and places within limits that one takes
 * are not available to later ones. `toTwin` is the error of a value that an earlier row has.
 */
export function rowRules(
  ctx: { config: Pick<Config, "ownHosts"> },
  { claims, refusedHosts, externalIdOwners, use }: RuleRows,
  toTwin: (field: string, row: number) => Failure = alreadyTaken,
): (row: AddressedRow) => Failure[] {
  const limit = use?.link_limit ?? null;
  let links = (use?.active_links ?? 0) + (use?.archived_links ?? 0);
  let newClaims = 0;
  const claimOf = new Map(claims.map((claim) => [claim.key, claim]));
  const ownerOf = new Map(externalIdOwners.map((link) => [link.external_id, link]));
  const slugs = new Map<SlugKey, number>();
  const externalIds = new Map<string, number>();

  const ownSlugProblem = (key: SlugKey): Failure | undefined => {
    const row = slugs.get(key);
    return row === undefined ? slugProblem(claimOf.get(key), null) : toTwin("slug", row);
  };
  const idProblem = (id: string): Failure | undefined => {
    const row = externalIds.get(id);
    return row === undefined ? externalIdProblem(ownerOf.get(id), undefined) : toTwin("external_id", row);
  };

  return ({ number, link, addressed, group, tags }) => {
    const { key, old } = addressed.addresses;
    const keys = keysOf(addressed);
    // A generated slug is always a new claim.
    const more = (key === undefined ? 1 : 0) + keys.filter((one) => isNewClaim(claimOf.get(one))).length;
    const ownId = link.external_id == null ? undefined : idProblem(link.external_id);
    const [destinationProblem, ...others] = valueProblems(
      ctx,
      link,
      undefined,
      refusedHosts,
      ownId,
      use?.time_zone,
    );
    const errors = [
      destinationProblem,
      key === undefined ? undefined : ownSlugProblem(key),
      ...addressed.problems,
      ...old.map((one) => toOldSlugProblem(one.address, ownSlugProblem(one.key))),
      group,
      ...others,
      ...tags,
      limit !== null && links >= limit ? limitReached("link", limit, "links") : undefined,
      claimProblem(use, newClaims + more),
    ].filter((error) => error !== undefined);
    if (errors.length > 0) return errors;
    links++;
    newClaims += more;
    if (link.external_id != null) externalIds.set(link.external_id, number);
    for (const one of keys) slugs.set(one, number);
    return [];
  };
}
