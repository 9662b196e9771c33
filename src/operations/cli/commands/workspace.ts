import { z } from "zod";
import { changedWorkspace, newWorkspace } from "../../../access/schema";
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  resumeWorkspace,
  suspendWorkspace,
  updateWorkspace,
} from "../../../access/service";
import { text } from "../../../lib/validation";
import { type Commands, type Options, parseOptions } from "./options";

const slugOption = z.object({ slug: text(120) });

const parseSlug = (options: Options): string => parseOptions(slugOption, options).slug;

export const workspaceCommands: Commands = {
  "workspace create": {
    required: ["name", "slug"],
    optional: ["link-limit", "time-zone"],
    description: "creates a workspace, in UTC if no time zone is given",
    run: async (ctx, options) => ({
      workspace: await createWorkspace(ctx, parseOptions(newWorkspace, options)),
    }),
  },
  "workspace update": {
    required: ["slug"],
    optional: ["name", "time-zone"],
    description: "changes the name or the time zone of a workspace, such as Europe/Zurich",
    run: async (ctx, { slug = "", ...options }) => {
      const change = parseOptions(changedWorkspace, options);
      const workspace = await getWorkspace(ctx, parseSlug({ slug }));
      return { workspace: await updateWorkspace({ ...ctx, workspace }, change) };
    },
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
