import { selectServedDomains, selectUsage } from "../../access/statements";
import type { Context } from "../../context";
import { assertNone, LostRace, retryLostRaces } from "../../errors";
import { destinationHost } from "../../lib/destination";
import { newId } from "../../lib/ids";
import { storedWindow } from "../../lib/link-fields";
import { domainNamed } from "../../lib/short-url";
import { foldSlug, randomSlug, slugKey } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { isNewClaim, slugProblem } from "../../redirect/slugs/rules";
import { selectSlugOwner, selectSlugOwnerOnPrimary } from "../../redirect/slugs/statements/owners";
import { selectGroupByIdOrSlug } from "../activity-groups/statements";
import { checkHost, checkHosts, checkUrl, nextCheck } from "../destinations/resolver";
import { destinationsOf, hostProblem, hostsAbove, ruleProblems, toRefusedHosts } from "../destinations/rules";
import { selectRefusedHosts } from "../destinations/statements";
import { createMissingTags, findNamedTags } from "../tags/create-many";
import { chooseDomain, INVALID_DOMAIN } from "./choose-domain";
import { UNKNOWN_GROUP } from "./errors";
import { toLink } from "./link";
import {
  namedTagProblems,
  requestedTags,
  selectRequestedTags,
  unknownTags,
  withNamed,
  withTagIds,
} from "./requested-tags";
import { claimProblem, endProblem, externalIdProblem, limitProblem } from "./rules";
import type { CreateLink, Link } from "./schema";
import { selectExternalIdOwner } from "./statements";
import { claimsOf, commitLinks } from "./write/commit";
import { newState } from "./write/next-state";

/**
 * Creates a link with the given group, tags and slug. Without a slug it generates one. `tagNames` are tags that a form adds
 * to those of the input. The missing ones are created once all rules hold.
 */
export const createLink = (
  ctx: Context,
  input: CreateLink,
  tagNames: readonly string[] = [],
): Promise<Link> => {
  const { destination_url: destination, ended_url: endedUrl, preview_image_url: image, rules } = input;
  const checked = Promise.all([
    checkHost(ctx.config, destinationHost(destination)),
    checkUrl(ctx.config, endedUrl),
    checkUrl(ctx.config, image),
    checkHosts(ctx.config, rules),
  ]);
  return retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const slug = input.slug ?? randomSlug(ctx.random);
    const asked = input.domain == null ? undefined : domainNamed(ctx.config, input.domain);
    const groupId = input.activity_group_id ?? undefined;
    const requested = requestedTags(input);
    const [[hosts, [owner], [group], [externalIdOwner], tags, [use], served], named] = await Promise.all([
      ctx.db.read(
        selectRefusedHosts(hostsAbove(destinationsOf(input))),
        asked === undefined
          ? selectSlugOwnerOnPrimary(workspaceId, foldSlug(slug))
          : selectSlugOwner(workspaceId, slugKey(asked, slug)),
        groupId === undefined ? undefined : selectGroupByIdOrSlug(workspaceId, storedId(groupId), groupId),
        input.external_id == null ? undefined : selectExternalIdOwner(workspaceId, input.external_id),
        selectRequestedTags(workspaceId, requested),
        selectUsage(workspaceId),
        selectServedDomains(workspaceId),
      ),
      findNamedTags(ctx, tagNames),
    ]);
    const [hostCheck, endedHostCheck, imageHostCheck, hostChecks] = await checked;
    const refused = toRefusedHosts(hosts);
    const domain = chooseDomain(ctx.config, asked, served);
    assertNone([
      hostProblem(ctx, "destination_url", destination, refused, hostCheck),
      input.slug == null || domain === undefined ? undefined : slugProblem(owner, null),
      domain === undefined ? INVALID_DOMAIN : undefined,
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
      externalIdProblem(externalIdOwner, undefined),
      endProblem(storedWindow(input)),
      hostProblem(ctx, "ended_url", endedUrl, refused, endedHostCheck),
      ...ruleProblems(ctx, rules, refused, { hostChecks }),
      hostProblem(ctx, "preview_image_url", image, refused, imageHostCheck),
      ...unknownTags(requested, tags),
      ...namedTagProblems(tags, named),
      limitProblem(use),
      claimProblem(use, isNewClaim(owner) ? 1 : 0),
    ]);
    if (domain === undefined || (input.slug == null && owner !== undefined)) throw new LostRace();

    const allTags = withNamed(tags, await createMissingTags(ctx, named));
    const at = ctx.now();
    const found = { group, tags: allTags, hostCheck, checkAt: nextCheck(ctx.config, hostCheck, at) };
    const will = newState(input, { domain, slug }, found, { id: newId(at), at, by: ctx.actor });
    const change = { was: undefined, will, input: withTagIds(input, allTags, tagNames) };
    await commitLinks(ctx, [change], {
      action: "link.create",
      at,
      hostChecks,
      claims: claimsOf(owner, slugKey(domain, slug)),
    });
    return toLink(will, ctx.config);
  });
};
