import {
  archiveActivityGroup,
  createActivityGroup,
  listAllActivityGroups,
  updateActivityGroup,
} from "../../activity-groups/manage";
import { changedActivityGroup, newActivityGroup } from "../../activity-groups/schema";
import { getContextOf } from "../../workspaces/service";
import { type Commands, inWorkspace, parseId, parseOptions } from "./options";

const GROUP_OPTIONS = [
  "description",
  "default-utm-campaign",
  "starts-at",
  "ends-at",
  "ended-url",
  "ends-links",
];

export const groupCommands: Commands = {
  "group create": {
    required: ["workspace", "name", "slug", "type"],
    optional: ["status", ...GROUP_OPTIONS],
    description: "creates an Activity Group",
    run: async (ctx, options) => ({
      activity_group: await createActivityGroup(
        await inWorkspace(ctx, options),
        parseOptions(newActivityGroup, options),
      ),
    }),
  },
  "group update": {
    required: ["id"],
    optional: ["name", "slug", "type", "status", ...GROUP_OPTIONS],
    description: "changes the given fields; an empty value clears a field",
    run: async (ctx, options) => {
      const [id, input] = [parseId(options), parseOptions(changedActivityGroup, options)];
      return { activity_group: await updateActivityGroup(await getContextOf(ctx, "group", id), id, input) };
    },
  },
  "group archive": {
    required: ["id"],
    description: "archives an Activity Group; its links still redirect",
    run: async (ctx, options) => {
      const id = parseId(options);
      return { activity_group: await archiveActivityGroup(await getContextOf(ctx, "group", id), id) };
    },
  },
  "group list": {
    required: ["workspace"],
    description: "lists a workspace's Activity Groups",
    run: async (ctx, options) => ({
      activity_groups: await listAllActivityGroups(await inWorkspace(ctx, options)),
    }),
  },
};
