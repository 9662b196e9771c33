import type { Context } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { storedId } from "../../lib/ulid-text";
import { assertLinkUnchanged, toLink } from "./link";
import { TOO_MANY_TAGS } from "./link-errors";
import { selectLink } from "./link-repository";
import type { Link } from "./link-schema";
import { requestedTags, selectRequestedTags, unknownTags } from "./requested-tags";
import { commitLinks } from "./write/commit";
import { nextState } from "./write/next-state";

/** Attaches all of the tags or none. Attached tags stay as they are. */
export const attachTagsToLink = (ctx: Context, path: string, ids: string[]): Promise<Link> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const requested = requestedTags({ tag_ids: ids });
    const [[row], wanted] = await ctx.db.read(
      selectLink(workspaceId, storedId(path)),
      selectRequestedTags(workspaceId, requested),
    );
    const was = assertFound(row, "Link");
    await assertLinkUnchanged(ctx, was);
    const added = wanted.filter(({ id }) => was.tags.every((tag) => tag.id !== id));
    const tags = [...was.tags, ...added];
    assertNone([
      ...unknownTags(requested, wanted),
      tags.length > MAX_TAGS_ON_LINK ? TOO_MANY_TAGS : undefined,
    ]);

    const at = ctx.now();
    const will = nextState(was, {}, { tags }, at);
    if (will === undefined) return toLink(was, ctx.config);
    await commitLinks(ctx, [{ was, will, input: { tag_ids: ids } }], { action: "link.attach_tags", at });
    return toLink(will, ctx.config);
  });

/** The link and the tag that it carries. Throws 404, and 412 if `If-Match` does not match the link. */
export async function assertTagOfLink(ctx: Context, path: string, tagPath: string) {
  const [[row]] = await ctx.db.read(selectLink(ctx.workspace.rowId, storedId(path)));
  const link = assertFound(row, "Link");
  const carried = link.tags.find(({ public_id: id }) => id === storedId(tagPath));
  const tag = assertFound(carried, "Tag");
  await assertLinkUnchanged(ctx, link);
  return { link, tag };
}

export const detachTagFromLink = (ctx: Context, path: string, tagPath: string): Promise<void> =>
  retryLostRaces(async () => {
    const { link: was, tag } = await assertTagOfLink(ctx, path, tagPath);
    const at = ctx.now();
    const will = nextState(was, {}, { tags: was.tags.filter(({ id }) => id !== tag.id) }, at);
    const input = { tag_id: tag.public_id };
    await commitLinks(ctx, [{ was, will, input }], { action: "link.detach_tag", at });
  });
