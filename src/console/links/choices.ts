import type { ServedDomain } from "../../access/statements";
import type { Context } from "../../context";
import { assertNone } from "../../errors";
import type { Conventions } from "../../lib/conventions";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { listAllActivityGroups } from "../../resources/activity-groups/manage";
import type { ActivityGroup } from "../../resources/activity-groups/schema";
import { listServedDomains } from "../../resources/domains/service";
import { TOO_MANY_TAGS } from "../../resources/links/errors";
import { listSuggestions, type SuggestedValues } from "../../resources/links/values";
import { ensureTags, splitTagNames } from "../../resources/tags/create";
import type { Tag } from "../../resources/tags/schema";
import { listTagsNaturally } from "../../resources/tags/service";
import type { Draft } from "./draft";

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
  return { tags, groups, domains, ...used };
}

const assertRoom = ({ length }: readonly string[]): void =>
  assertNone([length > MAX_TAGS_ON_LINK ? TOO_MANY_TAGS : undefined]);

/** The tags of a form that names further ones, which are created if the workspace lacks them; nothing if it names none. */
export async function newTagsIn(
  ctx: Context,
  { tag_ids: chosen, new_tags: typed }: Draft,
): Promise<{ tag_ids?: string[] }> {
  const names = splitTagNames(typed);
  if (names.length === 0) return {};
  // Before a tag is created.
  assertRoom(names);
  const ids = [...new Set([...chosen, ...(await ensureTags(ctx, names)).values()])];
  assertRoom(ids);
  return { tag_ids: ids };
}
