import type { Context } from "../context";
import type { FieldError } from "../errors";
import { storedId } from "../lib/ulid-text";
import { type TagRow, tagsByIds } from "../tags/repository";
import { byName, toTag } from "../tags/service";
import { tagsOf, toLink } from "./link";
import { type LinkRow, linkById } from "./repository";
import { foundUndeleted, type RevertedField, type RevertPlan } from "./revert-plan";
import { saveLink } from "./save";
import type { Link } from "./schema";
import { fieldsOf } from "./update";

const names = (list: Link["tags"]): string | null => list.map(({ name }) => name).join(", ") || null;

/** What bringing back the tags of `tagIds` changes, and those that are gone; `there` are the ones that are not. */
export function tagsBroughtBack(
  row: LinkRow,
  tagIds: readonly string[],
  there: readonly TagRow[],
): { fields: RevertedField[]; refused: FieldError[] } {
  const carried = tagsOf(row);
  const tags = byName(there.map(toTag));
  const isSame =
    carried.length === tags.length && tags.every(({ id }) => carried.some((tag) => tag.id === id));
  return {
    fields: isSame ? [] : [{ field: "tag_ids", is: names(carried), willBe: names(tags) }],
    refused: tagIds
      .filter((id) => tags.every((tag) => tag.id !== id))
      .map((id) => ({ field: "tag_ids", message: `The tag ${id} has been deleted.` })),
  };
}

/** Has a link carry the tags again that it carried before an operation, as far as they are still there. */
export async function planTags(
  ctx: Context,
  linkId: string,
  tagIds: readonly string[],
  operation: string,
): Promise<RevertPlan> {
  const workspaceId = ctx.workspace.rowId;
  const [rows, tags] = await ctx.db.read(
    linkById(workspaceId, linkId),
    tagsByIds(workspaceId, tagIds.map(storedId)),
  );
  const row = foundUndeleted(rows[0]);
  return {
    link: toLink(row, ctx.config.shortBaseUrl),
    ...tagsBroughtBack(row, tagIds, tags),
    save: () =>
      saveLink(ctx, {
        row,
        fields: fieldsOf({}, undefined),
        group: undefined,
        tags,
        isNewSlug: false,
        verdict: undefined,
        action: "link.revert",
        change: { tag_ids: tags.map((tag) => tag.public_id), reverted: operation },
      }),
  };
}
