import { selectServedDomains, selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { hasDays } from "../../lib/days";
import { destinationHost } from "../../lib/destination";
import { domainNamed } from "../../lib/short-url";
import { slugKey } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { countSlugsOfLinks, selectNextSlugOwner } from "../../redirect/slugs/statements/slug-owners";
import { selectGroupNamed } from "../activity-groups/group-statements";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkedHost, checkHosts, type HostChecks, hostsOfLink, toRefusedHosts } from "../destinations/hosts";
import { chooseDomain, INVALID_DOMAIN } from "./choose-domain";
import { assertLinkUnchanged, toLink } from "./link";
import { UNKNOWN_GROUP } from "./link-errors";
import { selectLink } from "./link-repository";
import { externalIdProblem, renameProblems, valueProblems } from "./link-rules";
import type { Link, UpdateLink } from "./link-schema";
import { selectExternalIdOwner } from "./link-statements";
import { requestedTags, selectRequestedTags, unknownTags, withTagIds } from "./requested-tags";
import { claimsOf, commitLinks } from "./write/commit";
import { nextState, type Resolved } from "./write/next-state";

export async function checkUpdate(
  ctx: Context,
  path: string,
  input: UpdateLink,
  checked: Promise<HostChecks>,
) {
  const { external_id: externalId } = input;
  const requested = requestedTags(input);
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const asked = input.domain == null ? undefined : domainNamed(ctx.config, input.domain);
  const isMoved = input.slug !== undefined || asked !== undefined;
  const hosts = hostsOfLink(input);
  const [[row], refusedHosts, [owner], [group], [externalIdOwner], tags, [opening], [use], served] =
    await ctx.db.read(
      selectLink(workspaceId, id),
      hosts.length === 0 ? undefined : selectRefusedHosts(hosts),
      isMoved ? selectNextSlugOwner(workspaceId, id, asked, input.slug) : undefined,
      selectGroupNamed(workspaceId, input.activity_group_id),
      externalId == null ? undefined : selectExternalIdOwner(workspaceId, externalId),
      selectRequestedTags(workspaceId, requested),
      isMoved ? countSlugsOfLinks(workspaceId, [id]) : undefined,
      isMoved || hasDays(input) ? selectUsage(workspaceId) : undefined,
      asked === undefined ? undefined : selectServedDomains(workspaceId),
    );
  const hostChecks = await checked;
  const refused = toRefusedHosts(refusedHosts, hostChecks);
  const idProblem = externalIdProblem(externalIdOwner, row?.public_id);
  const [destinationProblem, ...others] = valueProblems(ctx, input, row, refused, idProblem, use?.time_zone);
  const hostCheck = input.destination_url && hostChecks.get(destinationHost(input.destination_url));
  const domain = chooseDomain(ctx.config, asked, served, row?.domain);
  const slug = input.slug ?? row?.slug ?? "";
  const address = domain === undefined ? undefined : { domain, slug };
  const renameState = { owner, slugs: opening?.slugs ?? 0, use };
  const [slugProblem, claimProblem] = row === undefined ? [] : renameProblems(row, address, renameState);
  const found: Resolved = {
    group,
    domain,
    zone: use?.time_zone,
    ...(requested && { tags }),
    ...(hostCheck && checkedHost(ctx.config, hostCheck, ctx.now())),
  };
  return {
    row,
    found,
    hostChecks,
    claims: isMoved && address !== undefined ? claimsOf(owner, slugKey(address.domain, slug)) : [],
    problems: [
      destinationProblem,
      slugProblem,
      domain === undefined ? INVALID_DOMAIN : undefined,
      input.activity_group_id != null && group === undefined ? UNKNOWN_GROUP : undefined,
      ...others,
      ...unknownTags(requested, tags),
      claimProblem,
    ],
  };
}

export const updateLink = (ctx: Context, path: string, input: UpdateLink): Promise<Link> => {
  const checked = checkHosts(ctx.config, hostsOfLink(input));
  return retryLostRaces(async () => {
    const { row, problems, found, claims, hostChecks } = await checkUpdate(ctx, path, input, checked);
    const was = assertFound(row, "Link");
    await assertLinkUnchanged(ctx, was);
    assertNone(problems);

    const at = ctx.now();
    const will = nextState(was, input, found, at);
    if (will === undefined) return toLink(was, ctx.config);
    await commitLinks(ctx, [{ was, will, input: withTagIds(input, found.tags ?? []) }], {
      action: "link.update",
      at,
      zone: found.zone,
      claims,
      hostChecks,
    });
    return toLink(will, ctx.config);
  });
};
