import { z } from "zod";
import { text } from "../../lib/validation";
import { newWorkspace } from "../../workspaces/schema";
import { createWorkspace, listWorkspaces, resumeWorkspace, suspendWorkspace } from "../../workspaces/service";
import { type Commands, checked, type Options } from "./options";

const slugOption = z.object({ slug: text(120) });

const slugIn = (options: Options): string => checked(slugOption, options).slug;

export const workspaceCommands: Commands = {
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
};
