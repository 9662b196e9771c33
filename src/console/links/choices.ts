import type { ServedDomain } from "../../access/statements";
import type { Context } from "../../context";
import type { Conventions } from "../../lib/conventions";
import { sortNaturally } from "../../lib/natural-order";
import { listAllActivityGroups } from "../../resources/activity-groups/manage";
import type { ActivityGroup } from "../../resources/activity-groups/schema";
import { listServedDomains } from "../../resources/domains/service";
import { listSuggestions, type SuggestedValues } from "../../resources/links/values";
import type { Tag } from "../../resources/tags/schema";
import { listTagsNaturally } from "../../resources/tags/service";

/** What the form of a link chooses from. */
export interface Choices {
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  /** Besides the short host. */
  domains: readonly ServedDomain[];
  /** What was used before. */
  suggestions: SuggestedValues;
  conventions: Conventions;
}

/** What the form of a link offers. */
export async function readChoices(ctx: Context): Promise<Choices> {
  const [tags, groups, domains, used] = await Promise.all([
    listTagsNaturally(ctx),
    listAllActivityGroups(ctx),
    listServedDomains(ctx),
    listSuggestions(ctx),
  ]);
  return {
    tags,
    groups: sortNaturally(groups),
    domains,
    ...used,
  };
}
