import type { Context } from "../context";
import { storedId } from "../lib/ulid-text";
import { tagsByIds } from "../tags/repository";
import { byName, toTag } from "../tags/service";
import { attachTags, bumpVersion, detachTag } from "./changes";
import { found, tagsOf, toLink } from "./link";
import { type LinkRow, linkById, linkIsThere, tagsSnapshot } from "./repository";
import { foundUndeleted, type RevertPlan } from "./revert-plan";
import type { Link } from "./schema";
import { joinTotalsOfTags, leaveTotalOfTag } from "./totals";

type Tags = Link["tags"];

const missingIn = (list: Tags, among: Tags): string[] =>
  among.filter((tag) => list.every((other) => other.id !== tag.id)).map((tag) => tag.id);

/** Has a link carry the tags again that it carried before an operation, as far as they are still there. */
export async function planTags(
  ctx: Context,
  linkId: string,
  tagIds: readonly string[],
  operation: string,
): Promise<RevertPlan> {
  const workspaceId = ctx.workspace.rowId;
  const [rows, wanted] = await ctx.db.read(
    linkById(workspaceId, linkId),
    tagsByIds(workspaceId, tagIds.map(storedId)),
  );
  const row = foundUndeleted(rows[0]);
  const carried = tagsOf(row);
  const tags = byName(wanted.map(toTag));
  const [added, taken] = [missingIn(carried, tags), missingIn(tags, carried)];
  const names = (list: Tags): string | null => list.map(({ name }) => name).join(", ") || null;
  return {
    link: toLink(row, ctx.config.shortBaseUrl),
    fields:
      added.length + taken.length === 0
        ? []
        : [{ field: "tag_ids", is: names(carried), willBe: names(tags) }],
    refused: tagIds
      .filter((id) => tags.every((tag) => tag.id !== id))
      .map((id) => ({ field: "tag_ids", message: `The tag ${id} has been deleted.` })),
    save: () => saveTags(ctx, row, added, taken, { tag_ids: tags.map((tag) => tag.id), reverted: operation }),
  };
}

async function saveTags(
  ctx: Context,
  row: LinkRow,
  added: readonly string[],
  taken: readonly string[],
  change: object,
): Promise<Link> {
  const workspaceId = ctx.workspace.rowId;
  const id = row.public_id;
  const [after] = await ctx.db.write(
    {
      workspaceId,
      actor: ctx.actor,
      action: "link.revert_tags",
      subject: id,
      at: ctx.now(),
      before: tagsSnapshot(workspaceId, id),
      change,
      guards: [linkIsThere(workspaceId, id, row.version)],
    },
    [
      ...taken.flatMap((tag) => [leaveTotalOfTag(workspaceId, id, tag), detachTag(workspaceId, id, tag)]),
      ...(added.length === 0
        ? []
        : [joinTotalsOfTags(workspaceId, id, added), attachTags(workspaceId, id, added)]),
      bumpVersion(workspaceId, id),
    ],
    linkById(workspaceId, id),
  );
  return toLink(found(after[0]), ctx.config.shortBaseUrl);
}
