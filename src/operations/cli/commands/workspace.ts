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
import { type Commands, command, NO_OPTIONS } from "./command";

const slugOption = z.object({ slug: text(120) });

export const workspaceCommands: Commands = {
  "workspace create": command(
    "creates a workspace, in UTC if no time zone is given",
    newWorkspace,
    async (ctx, input) => ({ workspace: await createWorkspace(ctx, input) }),
  ),
  "workspace update": command(
    "changes the name or the time zone of a workspace, such as Europe/Zurich",
    slugOption.extend(changedWorkspace.shape),
    async (ctx, { slug, ...change }) => {
      const workspace = await getWorkspace(ctx, slug);
      return { workspace: await updateWorkspace({ ...ctx, workspace }, change) };
    },
  ),
  "workspace list": command("lists all workspaces", NO_OPTIONS, async (ctx) => ({
    workspaces: await listWorkspaces(ctx),
  })),
  "workspace suspend": command("stops a workspace's API and links", slugOption, async (ctx, { slug }) => ({
    workspace: await suspendWorkspace(ctx, slug),
  })),
  "workspace resume": command("ends the suspension of a workspace", slugOption, async (ctx, { slug }) => ({
    workspace: await resumeWorkspace(ctx, slug),
  })),
};
