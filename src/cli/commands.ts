import { z } from "zod";
import {
  allActivityGroups,
  archiveActivityGroup,
  createActivityGroup,
  updateActivityGroup,
} from "../activity-groups/manage";
import { changedActivityGroup, newActivityGroup } from "../activity-groups/schema";
import { changedAsset, newAsset } from "../assets/schema";
import { createAsset, listAssets, updateAsset } from "../assets/service";
import { reportClicks } from "../clicks/report";
import type { Context, ServiceContext } from "../context";
import { examine } from "../doctor/service";
import { invalid, ServiceError } from "../errors";
import { blockHost, listBlockedHosts, unblockHost } from "../hosts/service";
import { DAY_MS } from "../lib/time";
import { check, isoMoment, text, trimmed } from "../lib/validation";
import { buildSearchIndex, dropSearchIndex } from "../links/search-index";
import { putBack, takeDown } from "../links/takedown";
import { cacheStatus } from "../slugs/status";
import { createApiKey, listApiKeys, revokeApiKey, revokeLeakedKey } from "../workspaces/keys";
import { newApiKey, newWorkspace } from "../workspaces/schema";
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  resumeWorkspace,
  suspendWorkspace,
} from "../workspaces/service";
import { backUp, restore } from "./backup";
import { makeDemo } from "./demo";
import { importFile } from "./import";
import { memberCommands } from "./members";

export type Options = Readonly<Record<string, string>>;

export interface Command {
  /** The options as typed, without the dashes; those in `required` must be there. */
  required: readonly string[];
  optional?: readonly string[];
  does: string;
  run: (ctx: ServiceContext, options: Options) => Promise<object>;
}

function checked<T>(schema: z.ZodType<T>, options: Options): T {
  const fields = Object.entries(options).map(([name, value]) => [name.replaceAll("-", "_"), value]);
  const result = check(schema, trimmed(Object.fromEntries(fields)));
  if (!result.ok) throw invalid(result.failures);
  return result.value;
}

const workspaceOption = z.object({ workspace: text(120) });
const slugOption = z.object({ slug: text(120) });
const idOption = z.object({ id: text(26) });
const hostOption = z.object({ host: text(255) });

const importOption = z.object({ from: text(4096), id: text(64).optional() });

const leakedKey = z.object({ id: text(26).optional(), key: text(120).optional() });
const reportedLink = z.object({ id: text(26).optional(), slug: text(64).optional() });

/** The one option that is given of those that a schema allows. */
function oneOf(schema: z.ZodType<Record<string, string | null | undefined>>, options: Options): string {
  const given = Object.values(checked(schema, options)).filter((value) => value != null);
  const [value] = given;
  if (value !== undefined && given.length === 1) return value;
  const names = Object.keys((schema as z.ZodObject).shape).map((name) => `--${name}`);
  throw new ServiceError(422, { message: `Give either ${names.join(" or ")}.` });
}
const backupOption = z.object({ out: text(4096), workspace: text(120).optional() });
const restoreOption = z.object({ from: text(4096), workspace: text(120).optional() });

const idIn = (options: Options): string => checked(idOption, options).id;
const slugIn = (options: Options): string => checked(slugOption, options).slug;

async function inWorkspace(ctx: ServiceContext, options: Options): Promise<Context> {
  const { workspace } = checked(workspaceOption, options);
  return { ...ctx, workspace: await getWorkspace(ctx, workspace) };
}

const clickReport = z
  .object({
    link: text(26).optional(),
    group: text(26).optional(),
    from: isoMoment().optional(),
    to: isoMoment().optional(),
  })
  .refine(({ link, group }) => (link === undefined) !== (group === undefined), {
    path: ["link"],
    message: "Give either --link or --group.",
  });

const GROUP_OPTIONS = ["description", "default-utm-campaign", "starts-at", "ends-at"];

/** Everything that `npm run admin` can do; each command calls one service. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  "workspace create": {
    required: ["name", "slug"],
    optional: ["link-limit"],
    does: "makes a workspace",
    run: async (ctx, options) => ({ workspace: await createWorkspace(ctx, checked(newWorkspace, options)) }),
  },
  "workspace list": {
    required: [],
    does: "lists all workspaces",
    run: async (ctx) => ({ workspaces: await listWorkspaces(ctx) }),
  },
  "workspace suspend": {
    required: ["slug"],
    does: "takes a workspace's API and links out of service",
    run: async (ctx, options) => ({ workspace: await suspendWorkspace(ctx, slugIn(options)) }),
  },
  "workspace resume": {
    required: ["slug"],
    does: "puts a suspended workspace back into service",
    run: async (ctx, options) => ({ workspace: await resumeWorkspace(ctx, slugIn(options)) }),
  },
  ...memberCommands(checked, inWorkspace),
  "key create": {
    required: ["workspace", "name"],
    optional: ["access", "expires-at"],
    does: "issues an API key, shown this once",
    run: async (ctx, options) => createApiKey(await inWorkspace(ctx, options), checked(newApiKey, options)),
  },
  "key list": {
    required: ["workspace"],
    does: "lists a workspace's keys",
    run: async (ctx, options) => ({ keys: await listApiKeys(await inWorkspace(ctx, options)) }),
  },
  "key revoke": {
    required: [],
    optional: ["id", "key"],
    does: "revokes a key, told by its id or as it leaked, from its next request on",
    run: async (ctx, options) =>
      options["key"] === undefined
        ? revokeApiKey(ctx, oneOf(leakedKey, options))
        : revokeLeakedKey(ctx, oneOf(leakedKey, options)),
  },
  "group create": {
    required: ["workspace", "name", "slug", "type"],
    optional: ["status", ...GROUP_OPTIONS],
    does: "makes an Activity Group",
    run: async (ctx, options) => ({
      activity_group: await createActivityGroup(
        await inWorkspace(ctx, options),
        checked(newActivityGroup, options),
      ),
    }),
  },
  "group update": {
    required: ["id"],
    optional: ["name", "slug", "type", "status", ...GROUP_OPTIONS],
    does: "changes what is given; an empty value clears",
    run: async (ctx, options) => ({
      activity_group: await updateActivityGroup(ctx, idIn(options), checked(changedActivityGroup, options)),
    }),
  },
  "group archive": {
    required: ["id"],
    does: "archives an Activity Group; its links go on",
    run: async (ctx, options) => ({ activity_group: await archiveActivityGroup(ctx, idIn(options)) }),
  },
  "group list": {
    required: ["workspace"],
    does: "lists a workspace's Activity Groups",
    run: async (ctx, options) => ({
      activity_groups: await allActivityGroups(await inWorkspace(ctx, options)),
    }),
  },
  "asset create": {
    required: ["workspace", "name", "link"],
    optional: ["kind", "status"],
    does: "puts a link on an Offline Engagement asset",
    run: async (ctx, options) => ({
      asset: await createAsset(await inWorkspace(ctx, options), checked(newAsset, options)),
    }),
  },
  "asset update": {
    required: ["id"],
    optional: ["name", "kind", "status"],
    does: "changes an asset",
    run: async (ctx, options) => ({
      asset: await updateAsset(ctx, idIn(options), checked(changedAsset, options)),
    }),
  },
  "asset list": {
    required: ["workspace"],
    does: "lists a workspace's assets",
    run: async (ctx, options) => ({ assets: await listAssets(await inWorkspace(ctx, options)) }),
  },
  "link takedown": {
    required: [],
    optional: ["id", "slug"],
    does: "takes a link down: its visitors see a page that says so",
    run: async (ctx, options) => ({ link: await takeDown(ctx, oneOf(reportedLink, options)) }),
  },
  "link restore": {
    required: [],
    optional: ["id", "slug"],
    does: "puts a link that was taken down back into service",
    run: async (ctx, options) => ({ link: await putBack(ctx, oneOf(reportedLink, options)) }),
  },
  "host block": {
    required: ["host"],
    does: "blocks destinations on a host and below it",
    run: async (ctx, options) => blockHost(ctx, checked(hostOption, options).host),
  },
  "host unblock": {
    required: ["host"],
    does: "ends the block of a host",
    run: async (ctx, options) => unblockHost(ctx, checked(hostOption, options).host),
  },
  "host list": {
    required: [],
    does: "lists the blocked hosts",
    run: async (ctx) => ({ hosts: await listBlockedHosts(ctx) }),
  },
  "cache status": {
    required: [],
    does: "says how many slugs KV still has to be told of, and since when",
    run: async (ctx) => ({ cache: await cacheStatus(ctx) }),
  },
  "clicks report": {
    required: [],
    optional: ["link", "group", "from", "to"],
    does: "counts the clicks of a link, or of a group's links; the last 30 days if no other time is given",
    run: async (ctx, options) => {
      const { link, group, from, to } = checked(clickReport, options);
      const until = to === undefined ? ctx.now() : to + DAY_MS;
      const of = link == null ? { group: group ?? "" } : { link };
      return { clicks: await reportClicks(ctx, of, from ?? until - 30 * DAY_MS, until) };
    },
  },
  "search-index drop": {
    required: [],
    does: "drops the search index, so that D1 can be exported; search goes on, more slowly",
    run: async (ctx) => ({ search_index: await dropSearchIndex(ctx) }),
  },
  "search-index build": {
    required: [],
    does: "builds the search index anew",
    run: async (ctx) => ({ search_index: await buildSearchIndex(ctx) }),
  },
  import: {
    required: ["workspace", "from"],
    optional: ["id"],
    does: "creates links from a file of JSON lines, each as the API takes it; again, it makes none twice",
    run: async (ctx, options) => {
      const { from, id } = checked(importOption, options);
      return { import: await importFile(await inWorkspace(ctx, options), from, id) };
    },
  },
  backup: {
    required: ["out"],
    optional: ["workspace"],
    does: "writes everything, or one workspace, to a file that `restore` reads",
    run: async (ctx, options) => {
      const { out, workspace } = checked(backupOption, options);
      return { backup: await backUp(ctx, out, workspace ?? undefined) };
    },
  },
  restore: {
    required: ["from"],
    optional: ["workspace"],
    does: "restores a backup, or one workspace of it, where there is none of the same; again, it goes on",
    run: async (ctx, options) => {
      const { from, workspace } = checked(restoreOption, options);
      return { restore: await restore(ctx, from, workspace ?? undefined) };
    },
  },
  doctor: {
    required: [],
    does: "counts again what workspaces, tags, groups and channels keep, and repairs what is wrong",
    run: async (ctx) => ({ doctor: await examine(ctx) }),
  },
  demo: {
    required: [],
    does: "makes the demo workspace where there is none",
    run: (ctx) => makeDemo(ctx),
  },
};
