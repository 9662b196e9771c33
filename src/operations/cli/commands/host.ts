import { z } from "zod";
import { text } from "../../../lib/validation";
import { releaseSlug } from "../../../redirect/slugs/release";
import { blockHost, listBlockedHosts, unblockHost } from "../../../resources/destinations/service";
import { type Commands, command, NO_OPTIONS } from "./command";

const hostOption = z.object({ host: text(255) });

export const hostCommands: Commands = {
  "slug release": command(
    "gives a slug to another workspace, if it opens nothing and is not taken down",
    z.object({ slug: text(64), workspace: text(120) }),
    async (ctx, { slug, workspace }) => ({ slug: await releaseSlug(ctx, slug, workspace) }),
  ),
  "host block": command("blocks destinations on a host and its subdomains", hostOption, (ctx, { host }) =>
    blockHost(ctx, host),
  ),
  "host unblock": command("unblocks a host", hostOption, (ctx, { host }) => unblockHost(ctx, host)),
  "host list": command("lists the blocked hosts", NO_OPTIONS, async (ctx) => ({
    hosts: await listBlockedHosts(ctx),
  })),
};
