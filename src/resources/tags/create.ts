import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/statements";
import { auditEntry, type Context } from "../../context";
import { assertNone, retryLostRaces } from "../../errors";
import { newId } from "../../lib/ids";
import { fold } from "../../lib/slug-text";
import { MAX_TAGS, TAG_LIMIT_REACHED, takenProblems } from "./errors";
import { insertTags } from "./repository";
import type { CreateTag, Tag } from "./schema";
import { toTag } from "./service";
import { freeTagSlug, slugBase } from "./slug";
import { selectTags } from "./statements";

/** Creates a tag. Without a slug, it is generated from the name. */
export const createTag = (ctx: Context, input: CreateTag): Promise<Tag> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const nameKey = fold(input.name);
    const [others, [use]] = await ctx.db.read(selectTags(workspaceId), selectUsage(workspaceId));
    assertNone([
      ...takenProblems(others, nameKey, input.slug),
      use !== undefined && use.tag_count >= MAX_TAGS ? TAG_LIMIT_REACHED : undefined,
    ]);

    const at = ctx.now();
    const row = {
      public_id: newId(at),
      name: input.name,
      name_key: nameKey,
      slug: input.slug ?? freeTagSlug(slugBase(ctx, input.name), others),
      colour: input.colour ?? null,
      description: input.description ?? null,
    };
    const tag = toTag(row);
    await ctx.db.write(
      {
        ...auditEntry(ctx, "tag.create", tag.id, at),
        change: tag,
        guards: [ensureRoomForTag(workspaceId, MAX_TAGS)],
        answer: tag,
      },
      [insertTags(workspaceId, [row], at), updateTagCount(workspaceId, 1)],
    );
    return tag;
  });
