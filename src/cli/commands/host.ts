import { z } from "zod";
import { blockHost, listBlockedHosts, unblockHost } from "../../hosts/service";
import { text } from "../../lib/validation";
import { type Commands, checked, type Options } from "./options";

const hostOption = z.object({ host: text(255) });

const hostIn = (options: Options): string => checked(hostOption, options).host;

export const hostCommands: Commands = {
  "host block": {
    required: ["host"],
    does: "blocks destinations on a host and below it",
    run: async (ctx, options) => blockHost(ctx, hostIn(options)),
  },
  "host unblock": {
    required: ["host"],
    does: "ends the block of a host",
    run: async (ctx, options) => unblockHost(ctx, hostIn(options)),
  },
  "host list": {
    required: [],
    does: "lists the blocked hosts",
    run: async (ctx) => ({ hosts: await listBlockedHosts(ctx) }),
  },
};
