import { z } from "zod";
import { text } from "../../../lib/validation";
import { blockHost, listBlockedHosts, unblockHost } from "../../../resources/destinations/service";
import { type Commands, type Options, parseOptions } from "./options";

const hostOption = z.object({ host: text(255) });

const parseHost = (options: Options): string => parseOptions(hostOption, options).host;

export const hostCommands: Commands = {
  "host block": {
    required: ["host"],
    description: "blocks destinations on a host and its subdomains",
    run: async (ctx, options) => blockHost(ctx, parseHost(options)),
  },
  "host unblock": {
    required: ["host"],
    description: "unblocks a host",
    run: async (ctx, options) => unblockHost(ctx, parseHost(options)),
  },
  "host list": {
    required: [],
    description: "lists the blocked hosts",
    run: async (ctx) => ({ hosts: await listBlockedHosts(ctx) }),
  },
};
