import type { Context } from "../context";
import { MAX_TAGS, retryLostRaces } from "../errors";
import { newId } from "../lib/ids";
import { spellings } from "../lib/slug-text";
import { countTags, hasRoomForTag, usage } from "../workspaces/repository";
import { insertTags, tagsOfWorkspace } from "./repository";
import { freeSlug, slugBase, toTag } from "./service";

const TAGS_A_STATEMENT = 100;

/**
 * The ids of the workspace's tags by their folded names. Those of `names` that are not there are made, as long as the
 * workspace has room; `subject` is what they are made for, in the audit log.
 */
export const ensureTags = (
  ctx: Context,
  subject: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, [use]] = await ctx.db.read(tagsOfWorkspace(workspaceId), usage(workspaceId));
    const ids = new Map(rows.map((tag) => [tag.name_key, tag.public_id]));
    const room = MAX_TAGS - (use?.tag_count ?? MAX_TAGS);
    const missing = spellings(names)
      .filter(([key]) => !ids.has(key))
      .slice(0, Math.max(0, room));
    if (missing.length === 0) return ids;
    const at = ctx.now();
    const neighbours = rows.map(({ slug, name_key }) => ({ id: "", slug, name_key }));
    const made = missing.map(([nameKey, name]) => {
      const slug = freeSlug(slugBase(ctx, name), neighbours);
      neighbours.push({ id: "", slug, name_key: nameKey });
      return { public_id: newId(at), name, name_key: nameKey, slug, colour: null, description: null };
    });
    const operations = made.map((tag) => ({ ...tag, operation_id: newId(at), change: toTag(tag) }));
    const pieces = Array.from({ length: Math.ceil(operations.length / TAGS_A_STATEMENT) }, (_, index) =>
      operations.slice(index * TAGS_A_STATEMENT, (index + 1) * TAGS_A_STATEMENT),
    );
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "tag.import",
        subject,
        at,
        change: { tags: made.length },
        guards: [hasRoomForTag(workspaceId, MAX_TAGS - made.length + 1)],
      },
      [
        ...pieces.flatMap((piece) => insertTags(workspaceId, ctx.actor, piece, at)),
        countTags(workspaceId, made.length),
      ],
    );
    return new Map([...ids, ...made.map((tag) => [tag.name_key, tag.public_id] as const)]);
  });
