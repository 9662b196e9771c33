import type { ServedDomain } from "../../access/statements";
import type { Context } from "../../context";
import { sortNaturally } from "../../lib/natural-order";
import { listAllActivityGroups } from "../../resources/activity-groups/manage";
import type { ActivityGroup } from "../../resources/activity-groups/schema";
import { listServedDomains } from "../../resources/domains/service";
import { listChannels, listUsedValues, type UsedValues } from "../../resources/links/used-values";
import type { Tag } from "../../resources/tags/schema";
import { listTagsNaturally } from "../../resources/tags/service";

export type SuggestedName = keyof UsedValues | "channel";

/** What the form of a link chooses from. */
export interface Choices {
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  /** Besides the short host. */
  domains: readonly ServedDomain[];
  /** What was used before. */
  suggestions: Readonly<Record<SuggestedName, readonly string[]>>;
}

/** What the form of a link offers. */
export async function readChoices(ctx: Context): Promise<Choices> {
  const [tags, groups, domains, channels, used] = await Promise.all([
    listTagsNaturally(ctx),
    listAllActivityGroups(ctx),
    listServedDomains(ctx),
    listChannels(ctx),
    listUsedValues(ctx),
  ]);
  return {
    tags,
    groups: sortNaturally(groups),
    domains,
    suggestions: { ...used, channel: channels },
  };
}
