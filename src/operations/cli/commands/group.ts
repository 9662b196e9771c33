import { getContextOf } from "../../../access/service";
import { endOfDate } from "../../../lib/time";
import {
  archiveActivityGroup,
  createActivityGroup,
  listAllActivityGroups,
  updateActivityGroup,
} from "../../../resources/activity-groups/manage";
import { changedActivityGroup, newActivityGroup } from "../../../resources/activity-groups/schema";
import { type Commands, inWorkspace, type Options, parseId, parseOptions } from "./options";

const GROUP_OPTIONS = [
  "description",
  "default-utm-campaign",
  "starts-at",
  "ends-at",
  "ended-url",
  "ends-links",
  "follows-dates",
];

/** A group that ends on a day ends at its last millisecond, as in the web application. */
const withEndOfDay = (options: Options): Options =>
  options["ends-at"] === undefined
    ? options
    : { ...options, "ends-at": endOfDate(options["ends-at"].trim()) };

export const groupCommands: Commands = {
  "group create": {
    required: ["workspace", "name", "slug", "type"],
    optional: ["status", ...GROUP_OPTIONS],
    description: "creates an Activity Group",
    run: async (ctx, options) => ({
      activity_group: await createActivityGroup(
        await inWorkspace(ctx, options),
        parseOptions(newActivityGroup, withEndOfDay(options)),
      ),
    }),
  },
  "group update": {
    required: ["id"],
    optional: ["name", "slug", "type", "status", ...GROUP_OPTIONS],
    description: "changes the given fields; an empty value clears a field",
    run: async (ctx, options) => {
      const [id, input] = [parseId(options), parseOptions(changedActivityGroup, withEndOfDay(options))];
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
