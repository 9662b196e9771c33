import type { Context } from "../context";
import { assertNone, MOST_TAGS_ON_LINK, TOO_MANY_TAGS, tagNotFound, untilDecided } from "../errors";
import { readRules, settling } from "../idempotency/service";
import { storedId } from "../lib/ulid-text";
import { tagsByIds } from "../tags/repository";
import { byName, toTag } from "../tags/service";
import { attachTags, bumpVersion, detachTag, hasRoomForTags, isTagged } from "./changes";
import { assertUnchanged, found, tagsOf, toLink, versionToFind } from "./link";
import { linkById, linkIsThere, tagsSnapshot } from "./repository";
import { unknownTags } from "./rules";
import type { Link } from "./schema";
import { joinTotalsOfTags, leaveTotalOfTag } from "./totals";

/** Attaches tags to a link, all or none; attaching again changes nothing. */
export const attachTagsToLink = (ctx: Context, path: string, ids: readonly string[]): Promise<Link> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, wanted] = await readRules(
      ctx,
      [linkById(workspaceId, storedId(path)), tagsByIds(workspaceId, ids.map(storedId))],
      ([links]) => found(links[0]),
      ([links]) => assertUnchanged(ctx, found(links[0])),
    );
    const row = found(rows[0]);
    const attached = tagsOf(row);
    const added = wanted.map(toTag).filter((tag) => attached.every((other) => other.id !== tag.id));
    assertNone([
      ...unknownTags(ids, wanted),
      attached.length + added.length > MOST_TAGS_ON_LINK ? TOO_MANY_TAGS : undefined,
    ]);

    const link = { ...toLink(row, ctx.config.shortBaseUrl), tags: byName([...attached, ...added]) };
    if (added.length === 0 && ctx.reservation === undefined) return link;

    const id = row.public_id;
    const addedIds = added.map((tag) => tag.id);
    const settle = await settling(ctx, link);
    // The kept answer is made of what was read, so the link must still be as it was read then.
    const version = ctx.reservation === undefined ? versionToFind(ctx, row) : row.version;
    const [after] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "link.attach_tags",
        subject: id,
        at: ctx.now(),
        before: tagsSnapshot(workspaceId, id),
        change: { tag_ids: ids },
        guards: [
          linkIsThere(workspaceId, id, version),
          hasRoomForTags(workspaceId, id, MOST_TAGS_ON_LINK - addedIds.length),
          ...settle.guards,
        ],
      },
      [
        ...(added.length === 0
          ? []
          : [
              joinTotalsOfTags(workspaceId, id, addedIds),
              attachTags(workspaceId, id, addedIds),
              bumpVersion(workspaceId, id),
            ]),
        ...settle.statements,
      ],
      linkById(workspaceId, id),
    );
    return ctx.reservation === undefined ? toLink(found(after[0]), ctx.config.shortBaseUrl) : link;
  });

/** Takes one tag off one link; 404 where the tag is not on it. */
export const detachTagFromLink = (ctx: Context, path: string, tagPath: string): Promise<void> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows] = await ctx.db.read(linkById(workspaceId, storedId(path)));
    const row = found(rows[0]);
    const tag = tagsOf(row).find((candidate) => candidate.id === storedId(tagPath));
    if (tag === undefined) throw tagNotFound();
    await assertUnchanged(ctx, row);

    const id = row.public_id;
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "link.detach_tag",
        subject: id,
        at: ctx.now(),
        before: tagsSnapshot(workspaceId, id),
        change: { tag_id: tag.id },
        guards: [linkIsThere(workspaceId, id, versionToFind(ctx, row)), isTagged(workspaceId, id, tag.id)],
      },
      [
        leaveTotalOfTag(workspaceId, id, tag.id),
        detachTag(workspaceId, id, tag.id),
        bumpVersion(workspaceId, id),
      ],
    );
  });
