import { z } from "zod";
import { text } from "../../lib/validation";
import { newWorkspace } from "../../workspaces/schema";
import { createWorkspace, listWorkspaces, resumeWorkspace, suspendWorkspace } from "../../workspaces/service";
import { type Commands, type Options, parseOptions } from "./options";

const slugOption = z.object({ slug: text(120) });

const parseSlug = (options: Options): string => parseOptions(slugOption, options).slug;

export const workspaceCommands: Commands = {
  "workspace create": {
    required: ["name", "slug"],
    optional: ["link-limit"],
    description: "creates a workspace",
    run: async (ctx, options) => ({
      workspace: await createWorkspace(ctx, parseOptions(newWorkspace, options)),
    }),
  },
  "workspace list": {
    required: [],
    description: "lists all workspaces",
    run: async (ctx) => ({ workspaces: await listWorkspaces(ctx) }),
  },
  "workspace suspend": {
    required: ["slug"],
    description: "stops a workspace's API and links",
    run: async (ctx, options) => ({ workspace: await suspendWorkspace(ctx, parseSlug(options)) }),
  },
  "workspace resume": {
    required: ["slug"],
    description: "ends the suspension of a workspace",
    run: async (ctx, options) => ({ workspace: await resumeWorkspace(ctx, parseSlug(options)) }),
  },
};
