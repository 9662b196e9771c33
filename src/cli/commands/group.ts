import {
  archiveActivityGroup,
  createActivityGroup,
  listAllActivityGroups,
  updateActivityGroup,
} from "../../activity-groups/manage";
import { changedActivityGroup, newActivityGroup } from "../../activity-groups/schema";
import { getContextOf } from "../../workspaces/service";
import { type Commands, checked, idIn, inWorkspace } from "./options";

const GROUP_OPTIONS = ["description", "default-utm-campaign", "starts-at", "ends-at"];

export const groupCommands: Commands = {
  "group create": {
    required: ["workspace", "name", "slug", "type"],
    optional: ["status", ...GROUP_OPTIONS],
    does: "makes an Activity Group",
    run: async (ctx, options) => ({
      activity_group: await createActivityGroup(
        await inWorkspace(ctx, options),
        checked(newActivityGroup, options),
      ),
    }),
  },
  "group update": {
    required: ["id"],
    optional: ["name", "slug", "type", "status", ...GROUP_OPTIONS],
    does: "changes what is given; an empty value clears",
    run: async (ctx, options) => {
      const [id, input] = [idIn(options), checked(changedActivityGroup, options)];
      return { activity_group: await updateActivityGroup(await getContextOf(ctx, "group", id), id, input) };
    },
  },
  "group archive": {
    required: ["id"],
    does: "archives an Activity Group; its links go on",
    run: async (ctx, options) => {
      const id = idIn(options);
      return { activity_group: await archiveActivityGroup(await getContextOf(ctx, "group", id), id) };
    },
  },
  "group list": {
    required: ["workspace"],
    does: "lists a workspace's Activity Groups",
    run: async (ctx, options) => ({
      activity_groups: await listAllActivityGroups(await inWorkspace(ctx, options)),
    }),
  },
};
