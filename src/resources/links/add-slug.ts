import { selectServedDomains, selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { retryLostRaces } from "../../errors";
import { assertNone, invalid } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { namedKey } from "../../lib/short-url";
import { domainOfKey, isSlugShaped, slugKey, slugOfKey } from "../../lib/slug-text";
import { selectSlugOwner } from "../../redirect/slugs/statements/slug-owners";
import { toLink } from "./link";
import { countSlugsOfLinkAt, selectLinkAt } from "./link-repository";
import { renameProblems } from "./link-rules";
import type { Link } from "./link-schema";
import { claimsOf, commitLinks } from "./write/commit";

const UNKNOWN_LINK: Failure = {
  field: "link",
  message: "No link of this workspace has this address.",
  code: "unknown",
};
const NO_ADDRESS: Failure = {
  field: "slug",
  message: "The address must be a slug on a domain of the workspace.",
  code: "format",
};

/**
 * Makes an address on a domain of the workspace, such as `go.example.com/sumer`, an old slug of a link: it leads there too. The
 * link is named by its address, or by its slug on the same domain or else on the short host. Throws 422.
 */
export const addSlug = (ctx: Context, address: string, link: string): Promise<Link> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const key = namedKey(ctx.config, address);
    const [domain, slug] = [domainOfKey(key), slugOfKey(key)];
    const linkKeys = [namedKey(ctx.config, link, domain), namedKey(ctx.config, link)];
    const [[was], [owner], [opening], [use], served] = await ctx.db.read(
      selectLinkAt(workspaceId, linkKeys),
      selectSlugOwner(workspaceId, key),
      countSlugsOfLinkAt(workspaceId, linkKeys),
      selectUsage(workspaceId),
      selectServedDomains(workspaceId),
    );
    const isOnDomain = served.some(({ host }) => host === domain);
    if (!isSlugShaped(slug) || !isOnDomain) throw invalid([NO_ADDRESS]);
    if (was === undefined) throw invalid([UNKNOWN_LINK]);
    if (owner?.link === was.public_id) return toLink(was, ctx.config);
    assertNone(renameProblems(was, { domain, slug }, { owner, slugs: opening?.slugs ?? 0, use }));
    const will = { ...was, version: was.version + 1 };
    const change = { was, will, otherSlugs: [slugKey(domain, slug)], input: { added_slug: key } };
    await commitLinks(ctx, [change], {
      action: "link.add_slug",
      at: ctx.now(),
      claims: claimsOf(owner, key),
    });
    return toLink(will, ctx.config);
  });
