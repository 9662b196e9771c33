import { listAllActivityGroups } from "../../activity-groups/manage";
import type { ActivityGroup } from "../../activity-groups/schema";
import type { Context } from "../../context";
import { sortNaturally } from "../../lib/natural-order";
import { listChannels } from "../../links/channels";
import { listUsedValues, type UsedValues } from "../../links/used-values";
import type { Tag } from "../../tags/schema";
import { listTagsNaturally } from "../../tags/service";

export type SuggestedName = keyof UsedValues | "channel";

/** What the form of a link chooses from. */
export interface Choices {
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  /** What was used before. */
  suggestions: Readonly<Record<SuggestedName, readonly string[]>>;
}

/** What the form of a link offers. */
export async function readChoices(ctx: Context): Promise<Choices> {
  const [tags, groups, channels, used] = await Promise.all([
    listTagsNaturally(ctx),
    listAllActivityGroups(ctx),
    listChannels(ctx),
    listUsedValues(ctx),
  ]);
  return {
    tags,
    groups: sortNaturally(groups),
    suggestions: { ...used, channel: channels },
  };
}
