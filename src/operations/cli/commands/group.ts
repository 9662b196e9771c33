import { z } from "zod";
import { getContextOf } from "../../../access/service";
import { endOfDate } from "../../../lib/time";
import {
  archiveActivityGroup,
  createActivityGroup,
  listAllActivityGroups,
  updateActivityGroup,
} from "../../../resources/activity-groups/manage";
import { changedActivityGroup, newActivityGroup } from "../../../resources/activity-groups/schema";
import { type Commands, command, idOption, NO_OPTIONS, workspaceCommand } from "./command";

/** A group that ends on a day ends at its last millisecond, as in the web application. */
const ends_at = z
  .preprocess(
    (value) => (typeof value === "string" ? endOfDate(value) : value),
    newActivityGroup.shape.ends_at,
  )
  .optional();

export const groupCommands: Commands = {
  "group create": workspaceCommand(
    "creates an Activity Group",
    newActivityGroup.extend({ ends_at }),
    async (ctx, input) => ({ activity_group: await createActivityGroup(ctx, input) }),
  ),
  "group update": command(
    "changes the given fields; an empty value clears a field",
    idOption.extend({ ...changedActivityGroup.shape, ends_at }),
    async (ctx, { id, ...input }) => ({
      activity_group: await updateActivityGroup(await getContextOf(ctx, "group", id), id, input),
    }),
  ),
  "group archive": command(
    "archives an Activity Group; its links still redirect",
    idOption,
    async (ctx, { id }) => ({
      activity_group: await archiveActivityGroup(await getContextOf(ctx, "group", id), id),
    }),
  ),
  "group list": workspaceCommand("lists a workspace's Activity Groups", NO_OPTIONS, async (ctx) => ({
    activity_groups: await listAllActivityGroups(ctx),
  })),
};
