import type { Context } from "../../context";
import { assertNone } from "../../field-errors";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { listServedDomains } from "../../resources/domains/domain-service";
import { TOO_MANY_TAGS } from "../../resources/links/link-errors";
import { findAboutDestination } from "../../resources/links/preview-change";
import { findProposedSlug, findSlugState } from "../../resources/links/slug-state";
import { listSuggestions } from "../../resources/links/utm-values";
import { ensureTags, splitTagNames } from "../../resources/tags/tag-names";
import { listTagsNaturally } from "../../resources/tags/tag-service";
import type { Draft } from "./draft";

/**
 * What the form of a link offers, and what it says of the host and the slug that are typed; `id` is the link that has the slug.
 * Domains are those besides the short host, suggestions what was used before.
 */
export async function readChoices(ctx: Context, draft: Draft, id?: string) {
  const [tags, groups, domains, used, about] = await Promise.all([
    listTagsNaturally(ctx),
    listAllActivityGroups(ctx),
    listServedDomains(ctx),
    listSuggestions(ctx),
    readAbout(ctx, draft, id),
  ]);
  return { tags, groups, domains, ...used, ...about };
}

/** What is known of the destination, the slug and, for a new link, the title of a draft. */
export async function readAbout(ctx: Context, draft: Draft, id: string | undefined) {
  const [{ refusal, there }, slugState, proposed] = await Promise.all([
    findAboutDestination(ctx, draft.destination_url, id),
    findSlugState(ctx, draft.slug, id, draft.domain),
    id === undefined ? findProposedSlug(ctx, draft) : undefined,
  ]);
  return { refusal, there, slugState, proposed };
}

export type Choices = Awaited<ReturnType<typeof readChoices>>;

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
