import { ensureRoomForTag, selectUsage, updateTagCount } from "../../access/statements";
import type { Context } from "../../context";
import { retryLostRaces } from "../../errors";
import { newId } from "../../lib/ids";
import { spellings } from "../../lib/slug-text";
import { MAX_TAGS } from "./errors";
import { insertTags } from "./repository";
import { toTag } from "./service";
import { freeTagSlug, slugBase } from "./slug";
import { selectTags } from "./statements";

const TAGS_PER_STATEMENT = 100;

/**
 * Creates the tags of `names` that are missing, up to the workspace's limit. Returns all tag ids by folded name.
 * `subject` is the audit log's subject, such as an import.
 */
export const ensureTags = (
  ctx: Context,
  subject: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, [use]] = await ctx.db.read(selectTags(workspaceId), selectUsage(workspaceId));
    const ids = new Map(rows.map((tag) => [tag.name_key, tag.public_id]));
    const room = MAX_TAGS - (use?.tag_count ?? MAX_TAGS);
    const missing = spellings(names)
      .filter(([key]) => !ids.has(key))
      .slice(0, Math.max(0, room));
    if (missing.length === 0) return ids;
    const at = ctx.now();
    const neighbours = rows.map(({ slug, name_key }) => ({ id: "", slug, name_key }));
    const made = missing.map(([nameKey, name]) => {
      const slug = freeTagSlug(slugBase(ctx, name), neighbours);
      neighbours.push({ id: "", slug, name_key: nameKey });
      return { public_id: newId(at), name, name_key: nameKey, slug, colour: null, description: null };
    });
    const operations = made.map((tag) => ({ ...tag, operation_id: newId(at), change: toTag(tag) }));
    const chunksOf = Array.from({ length: Math.ceil(operations.length / TAGS_PER_STATEMENT) }, (_, index) =>
      operations.slice(index * TAGS_PER_STATEMENT, (index + 1) * TAGS_PER_STATEMENT),
    );
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "tag.import",
        subject,
        at,
        change: { tags: made.length },
        guards: [ensureRoomForTag(workspaceId, MAX_TAGS - made.length + 1)],
      },
      [
        ...chunksOf.flatMap((chunk) => insertTags(workspaceId, ctx.actor, chunk, at)),
        updateTagCount(workspaceId, made.length),
      ],
    );
    return new Map([...ids, ...made.map((tag) => [tag.name_key, tag.public_id] as const)]);
  });
