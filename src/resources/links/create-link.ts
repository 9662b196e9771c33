import { selectServedDomains, selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { LostRace, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { destinationHost } from "../../lib/destination";
import { newId } from "../../lib/ids";
import { domainNamed } from "../../lib/short-url";
import { foldSlug, randomSlug, slugKey } from "../../lib/slug-text";
import { selectSlugOwner, selectSlugOwnerOnPrimary } from "../../redirect/slugs/statements/slug-owners";
import { selectGroupNamed } from "../activity-groups/group-statements";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkedHost, checkHosts, hostsOfLink, toRefusedHosts } from "../destinations/hosts";
import { addressesOf } from "./choose-domain";
import { toLink } from "./link";
import { UNKNOWN_GROUP } from "./link-errors";
import { rowRules } from "./link-rules";
import type { CreateLink, Link } from "./link-schema";
import { selectExternalIdOwner } from "./link-statements";
import { requestedTags, selectRequestedTags, unknownTags, withTagIds } from "./requested-tags";
import { claimsOf, commitLinks } from "./write/commit";
import { newState } from "./write/next-state";

export const createLink = (ctx: Context, input: CreateLink): Promise<Link> => {
  const hosts = hostsOfLink(input);
  const checked = checkHosts(ctx.config, hosts);
  return retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const slug = input.slug ?? randomSlug(ctx.random);
    const asked = input.domain == null ? undefined : domainNamed(ctx.config, input.domain);
    const requested = requestedTags(input);
    const [refused, owners, [group], externalIdOwners, tags, [use], served] = await ctx.db.read(
      selectRefusedHosts(hosts),
      asked === undefined
        ? selectSlugOwnerOnPrimary(workspaceId, foldSlug(slug))
        : selectSlugOwner(workspaceId, slugKey(asked, slug)),
      selectGroupNamed(workspaceId, input.activity_group_id),
      input.external_id == null ? undefined : selectExternalIdOwner(workspaceId, input.external_id),
      selectRequestedTags(workspaceId, requested),
      selectUsage(workspaceId),
      selectServedDomains(workspaceId),
    );
    const hostChecks = await checked;
    const addressed = addressesOf(ctx.config, { ...input, old_slugs: [] }, served);
    const { domain } = addressed.addresses;
    const key = slugKey(asked ?? domain, slug);
    const problemsOf = rowRules(ctx, {
      claims: owners.map((owner) => ({ ...owner, key })),
      refusedHosts: toRefusedHosts(refused, hostChecks),
      externalIdOwners: externalIdOwners.map(({ id }) => ({ id, external_id: input.external_id ?? "" })),
      use,
    });
    assertNone(
      problemsOf({
        number: 1,
        link: input,
        addressed,
        group: input.activity_group_id != null && group === undefined ? UNKNOWN_GROUP : undefined,
        tags: unknownTags(requested, tags),
      }),
    );
    const [owner] = owners;
    if (input.slug == null && owner !== undefined) throw new LostRace();

    const at = ctx.now();
    const hostCheck = hostChecks.get(destinationHost(input.destination_url));
    const zone = use?.time_zone;
    const found = { group, tags, zone, ...checkedHost(ctx.config, hostCheck, at) };
    const will = newState(input, { domain, slug }, found, { id: newId(at), at, by: ctx.actor });
    const change = { was: undefined, will, input: withTagIds(input, tags) };
    await commitLinks(ctx, [change], {
      action: "link.create",
      at,
      zone,
      hostChecks,
      claims: claimsOf(owner, key),
    });
    return toLink(will, ctx.config);
  });
};
