import { z } from "zod";
import { endOfDate } from "../../lib/time";
import { text } from "../../lib/validation";
import { releaseSlug } from "../../redirect/slugs/release-slug";
import { changedActivityGroup, newActivityGroup } from "../../resources/activity-groups/group-schema";
import {
  createActivityGroup,
  listAllActivityGroups,
  updateActivityGroup,
} from "../../resources/activity-groups/manage-groups";
import { blockHost, listBlockedHosts, unblockHost } from "../../resources/destinations/blocklist";
import { listBrokenLinks } from "../../resources/destinations/health";
import { typedHost } from "../../resources/domains/domain-schema";
import {
  addDomain,
  checkDomain,
  type Domain,
  listDomains,
  setPrimaryDomain,
} from "../../resources/domains/domain-service";
import { releaseDomain } from "../../resources/domains/release-domain";
import { removeDomain } from "../../resources/domains/remove-domain";
import { changedAsset, newAsset } from "../../resources/engagement/asset-schema";
import { createAsset, listAssets } from "../../resources/engagement/asset-service";
import { updateAsset } from "../../resources/engagement/update-asset";
import { getContextOf } from "../../resources/workspaces/workspace-service";
import { importFile } from "../import-file";
import { toPlainText } from "../plain";
import { type Commands, command, idOption, NO_OPTIONS, workspaceCommand } from "./admin-command";

/** A group that ends on a day ends at its last millisecond, as in the web application. */
const ends_at = z
  .preprocess(
    (value) => (typeof value === "string" ? endOfDate(value) : value),
    newActivityGroup.shape.ends_at,
  )
  .optional();

const hostOption = z.object({ host: text(255) });

const HOW_TO_ASK =
  'Destinations are asked only with DESTINATION_HEALTH_CHECK = "on": set it in wrangler.toml and run `npm run deploy`.\n';

type DomainState = Pick<Domain, "host" | "state" | "is_primary">;
type ShownDomain = DomainState & Partial<Pick<Domain, "proof" | "failing_since">>;

const stateOf = ({ host, state, is_primary }: DomainState): DomainState => ({ host, state, is_primary });

/** With the proof that a pending host lacks, and since when an active one has not led here. */
const withLack = ({ proof, failing_since, ...domain }: Domain): ShownDomain => ({
  ...stateOf(domain),
  ...(proof !== null && { proof }),
  ...(failing_since !== null && { failing_since }),
});

function missingIn({ state, proof, failing_since: since }: ShownDomain): string {
  if (proof) return `the DNS record ${proof.name} ${proof.type} ${proof.value}`;
  if (state === "verified") return "a route to this service: npm run deploy";
  return since ? `an answer, since ${since}` : "nothing";
}

const domainsToText = (result: { domain?: ShownDomain; domains?: ShownDomain[] }): string => {
  const inWords = (domain: ShownDomain) => ({ ...stateOf(domain), missing: missingIn(domain) });
  const { domain, domains = [] } = result;
  return toPlainText(domain === undefined ? { domains: domains.map(inWords) } : { domain: inWords(domain) });
};

/** The commands for what workspaces own. */
export const resourceCommands: Commands = {
  "group create": workspaceCommand(
    "creates an Activity Group",
    newActivityGroup.extend({ ends_at }),
    async (ctx, input) => ({ activity_group: await createActivityGroup(ctx, input) }),
  ),
  "group update": command(
    "changes the given fields; an empty value clears a field",
    idOption.extend({ ...changedActivityGroup.shape, ends_at }),
    async (ctx, { id, ...input }) => ({
      activity_group: await updateActivityGroup(await getContextOf(ctx, "group", id), id, input),
    }),
  ),
  "group archive": command(
    "archives an Activity Group; its links still redirect",
    idOption,
    async (ctx, { id }) => ({
      activity_group: await updateActivityGroup(await getContextOf(ctx, "group", id), id, {
        status: "archived",
      }),
    }),
  ),
  "group list": workspaceCommand("lists a workspace's Activity Groups", NO_OPTIONS, async (ctx) => ({
    activity_groups: await listAllActivityGroups(ctx),
  })),
  "asset create": workspaceCommand(
    "creates an Offline Engagement asset for a link",
    newAsset,
    async (ctx, input) => ({ asset: await createAsset(ctx, input) }),
  ),
  "asset update": command(
    "changes an asset, or moves it with its code to another link",
    idOption.extend(changedAsset.shape),
    async (ctx, { id, ...input }) => ({
      asset: await updateAsset(await getContextOf(ctx, "asset", id), id, input),
    }),
  ),
  "asset list": workspaceCommand("lists a workspace's assets", NO_OPTIONS, async (ctx) => ({
    assets: await listAssets(ctx),
  })),
  "link broken": {
    ...command(
      "lists the links whose destination is broken, in all workspaces or in one",
      z.object({ workspace: text(120).optional() }),
      async (ctx, { workspace }) => {
        const { links, has_more: hasMore } = await listBrokenLinks(ctx, workspace);
        return {
          broken_links: links,
          ...(hasMore && { has_more: true }),
          ...(!ctx.config.healthCheck && { health_check: "off" }),
        };
      },
    ),
    toText: (result) => `${toPlainText(result)}${"health_check" in result ? HOW_TO_ASK : ""}`,
  },
  import: {
    ...workspaceCommand(
      "creates links from a file of JSON lines in the API's format; a repeat creates no link twice",
      z.object({ from: text(4096), id: text(64).optional() }),
      async (ctx, { from, id }) => ({ import: await importFile(ctx, from, id) }),
    ),
    hasFailed: (result: { import: { refused: readonly unknown[] } }) => result.import.refused.length > 0,
  },
  "slug release": command(
    "gives a slug to another workspace, if it opens nothing and is not taken down",
    z.object({ slug: text(64), workspace: text(120) }),
    async (ctx, { slug, workspace }) => ({ slug: await releaseSlug(ctx, slug, workspace) }),
  ),
  "domain add": workspaceCommand(
    "adds a host for the short links of a workspace, without proof",
    typedHost,
    async (ctx, { host }) => ({ domain: stateOf(await addDomain(ctx, host, true)) }),
  ),
  "domain list": {
    ...workspaceCommand(
      "lists the domains of a workspace, and what is missing of each",
      NO_OPTIONS,
      async (ctx) => ({ domains: (await listDomains(ctx)).map(withLack) }),
    ),
    toText: domainsToText,
  },
  "domain check": {
    ...workspaceCommand(
      "looks for the proof of a host, and whether it leads here",
      typedHost,
      async (ctx, { host }) => ({ domain: withLack(await checkDomain(ctx, host)) }),
    ),
    toText: domainsToText,
  },
  "domain primary": workspaceCommand(
    "makes new links on a host; the service's short host takes that back",
    typedHost,
    async (ctx, { host }) => ({ domain: stateOf(await setPrimaryDomain(ctx, host)) }),
  ),
  "domain remove": workspaceCommand(
    "closes a host that is not in use; the workspace may add it again",
    typedHost,
    async (ctx, { host }) => ({ domain: { ...stateOf(await removeDomain(ctx, host)), state: "removed" } }),
  ),
  "domain release": command(
    "gives a removed host free for any workspace, with all its addresses",
    typedHost,
    async (ctx, { host }) => ({ domain: await releaseDomain(ctx, host) }),
  ),
  "host block": command("blocks destinations on a host and its subdomains", hostOption, (ctx, { host }) =>
    blockHost(ctx, host),
  ),
  "host unblock": command("unblocks a host", hostOption, (ctx, { host }) => unblockHost(ctx, host)),
  "host list": command("lists the blocked hosts", NO_OPTIONS, async (ctx) => ({
    hosts: await listBlockedHosts(ctx),
  })),
};
