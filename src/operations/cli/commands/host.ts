import { z } from "zod";
import { text } from "../../../lib/validation";
import { blockHost, listBlockedHosts, unblockHost } from "../../../resources/destinations/service";
import { type Commands, command, NO_OPTIONS } from "./command";

const hostOption = z.object({ host: text(255) });

export const hostCommands: Commands = {
  "host block": command("blocks destinations on a host and its subdomains", hostOption, (ctx, { host }) =>
    blockHost(ctx, host),
  ),
  "host unblock": command("unblocks a host", hostOption, (ctx, { host }) => unblockHost(ctx, host)),
  "host list": command("lists the blocked hosts", NO_OPTIONS, async (ctx) => ({
    hosts: await listBlockedHosts(ctx),
  })),
};
