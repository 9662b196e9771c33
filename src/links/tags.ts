import type { Context } from "../context";
import { assertNone, MAX_TAGS_ON_LINK, retryLostRaces, TOO_MANY_TAGS, tagNotFound } from "../errors";
import { readRules } from "../idempotency/service";
import { storedId } from "../lib/ulid-text";
import { tagsByIds } from "../tags/repository";
import { assertUnchanged, found, toLink } from "./link";
import { linkById } from "./repository";
import { unknownTags } from "./rules";
import type { Link } from "./schema";
import { commitLinks } from "./write/commit";
import { nextState } from "./write/next-state";

/** Attaches tags to a link, all or none; attaching again changes nothing. */
export const attachTagsToLink = (ctx: Context, path: string, ids: readonly string[]): Promise<Link> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[row], wanted] = await readRules(
      ctx,
      [linkById(workspaceId, storedId(path)), tagsByIds(workspaceId, ids.map(storedId))],
      ([links]) => found(links[0]),
      ([links]) => assertUnchanged(ctx, found(links[0])),
    );
    const was = found(row);
    const added = wanted.filter(({ id }) => was.tags.every((tag) => tag.id !== id));
    const tags = [...was.tags, ...added];
    assertNone([...unknownTags(ids, wanted), tags.length > MAX_TAGS_ON_LINK ? TOO_MANY_TAGS : undefined]);

    const at = ctx.now();
    const will = nextState(was, {}, { tags }, at);
    if (will === undefined) return toLink(was, ctx.config.shortBaseUrl);
    await commitLinks(ctx, [{ was, will }], { action: "link.attach_tags", input: { tag_ids: ids }, at });
    return toLink(will, ctx.config.shortBaseUrl);
  });

/** Takes one tag off one link; 404 where the tag is not on it. */
export const detachTagFromLink = (ctx: Context, path: string, tagPath: string): Promise<void> =>
  retryLostRaces(async () => {
    const [[row]] = await ctx.db.read(linkById(ctx.workspace.rowId, storedId(path)));
    const was = found(row);
    const tag = was.tags.find(({ public_id: id }) => id === storedId(tagPath));
    if (tag === undefined) throw tagNotFound();
    await assertUnchanged(ctx, was);

    const at = ctx.now();
    const will = nextState(was, {}, { tags: was.tags.filter(({ id }) => id !== tag.id) }, at);
    const input = { tag_id: tag.public_id };
    await commitLinks(ctx, [{ was, will }], { action: "link.detach_tag", input, at });
  });
