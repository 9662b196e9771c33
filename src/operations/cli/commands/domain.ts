import { typedHost } from "../../../resources/domains/schema";
import {
  addDomain,
  checkDomain,
  listDomains,
  releaseDomain,
  removeDomain,
  setPrimaryDomain,
} from "../../../resources/domains/service";
import { type Commands, command, NO_OPTIONS, workspaceCommand } from "./command";

export const domainCommands: Commands = {
  "domain add": workspaceCommand(
    "adds a host for the short links of a workspace, without proof",
    typedHost,
    async (ctx, { host }) => ({ domain: await addDomain(ctx, host, true) }),
  ),
  "domain list": workspaceCommand("lists the domains of a workspace", NO_OPTIONS, async (ctx) => ({
    domains: await listDomains(ctx),
  })),
  "domain check": workspaceCommand(
    "looks for the proof of a host, and whether it leads here",
    typedHost,
    async (ctx, { host }) => ({ domain: await checkDomain(ctx, host) }),
  ),
  "domain primary": workspaceCommand(
    "makes new links on a host; the service's short host takes that back",
    typedHost,
    async (ctx, { host }) => ({ domain: await setPrimaryDomain(ctx, host) }),
  ),
  "domain remove": workspaceCommand(
    "closes a host that is not in use; the workspace may add it again",
    typedHost,
    async (ctx, { host }) => ({ domain: await removeDomain(ctx, host) }),
  ),
  "domain release": command(
    "gives a removed host free for any workspace, with all its addresses",
    typedHost,
    async (ctx, { host }) => ({ domain: await releaseDomain(ctx, host) }),
  ),
};
