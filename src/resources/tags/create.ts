import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/statements";
import { auditEntry, type Context } from "../../context";
import { assertNone, retryLostRaces } from "../../errors";
import { newId } from "../../lib/ids";
import { fold } from "../../lib/slug-text";
import { MAX_TAGS, TAG_LIMIT_REACHED, takenProblems } from "./errors";
import { insertTag, selectSimilarTags } from "./repository";
import type { CreateTag, Tag } from "./schema";
import { toTag } from "./service";
import { freeTagSlug, slugBase } from "./slug";

/** Creates a tag. Without a slug, it is generated from the name. */
export const createTag = (ctx: Context, input: CreateTag): Promise<Tag> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const nameKey = fold(input.name);
    const base = input.slug ?? slugBase(ctx, input.name);
    const [neighbours, [use]] = await ctx.db.read(
      selectSimilarTags(workspaceId, nameKey, base),
      selectUsage(workspaceId),
    );
    assertNone([
      ...takenProblems(neighbours, nameKey, input.slug),
      use !== undefined && use.tag_count >= MAX_TAGS ? TAG_LIMIT_REACHED : undefined,
    ]);

    const at = ctx.now();
    const row = {
      public_id: newId(at),
      workspace_id: workspaceId,
      name: input.name,
      name_key: nameKey,
      slug: input.slug ?? freeTagSlug(base, neighbours),
      colour: input.colour ?? null,
      description: input.description ?? null,
      created_at: at,
      updated_at: at,
    };
    const tag = toTag(row);
    await ctx.db.write(
      {
        ...auditEntry(ctx, "tag.create", tag.id, at),
        change: tag,
        guards: [ensureRoomForTag(workspaceId, MAX_TAGS)],
        answer: tag,
      },
      [insertTag(row), updateTagCount(workspaceId, 1)],
    );
    return tag;
  });
