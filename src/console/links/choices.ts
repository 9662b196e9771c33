import { listAllActivityGroups } from "../../activity-groups/manage";
import type { Context } from "../../context";
import { listChannels } from "../../links/channels";
import { listTags } from "../../tags/service";
import type { Choices } from "./fields";

/** The tags, Activity Groups and channels that the form of a link offers. */
export async function readChoices(ctx: Context): Promise<Choices> {
  const [tags, groups, channels] = await Promise.all([
    listTags(ctx),
    listAllActivityGroups(ctx),
    listChannels(ctx),
  ]);
  return { tags, groups, channels };
}
