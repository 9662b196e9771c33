import type { Context } from "../../context";
import { assertNone } from "../../errors";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { TOO_MANY_TAGS } from "../../resources/links/errors";
import { ensureTags, splitTagNames } from "../../resources/tags/create-many";
import type { Draft } from "./draft";

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
