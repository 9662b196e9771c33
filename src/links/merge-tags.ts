import type { Context } from "../context";
import { type FieldError, invalid, retryLostRaces, tagNotFound } from "../errors";
import { storedId } from "../lib/ulid-text";
import { removeTag, tagById, tagIsThere, tagSnapshot } from "../tags/repository";
import type { Tag } from "../tags/schema";
import { toTag } from "../tags/service";
import { countTags } from "../workspaces/repository";
import { replaceTag } from "./write/replace-tag";

const UNKNOWN_TAG: FieldError = { field: "into", message: "The selected tag is invalid." };
const SAME_TAG: FieldError = { field: "into", message: "A tag cannot be merged into itself." };

/** Puts the tag `into` on all links that carry the tag `path`, which is then deleted. Returns the tag that stays. */
export const mergeTags = (ctx: Context, path: string, into: string): Promise<Tag> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[from], [to]] = await ctx.db.read(
      tagById(workspaceId, storedId(path)),
      tagById(workspaceId, storedId(into)),
    );
    if (from === undefined) throw tagNotFound();
    if (to === undefined) throw invalid([UNKNOWN_TAG]);
    if (to.id === from.id) throw invalid([SAME_TAG]);
    const at = ctx.now();
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "tag.merge",
        subject: from.public_id,
        at,
        before: tagSnapshot(workspaceId, from.public_id),
        change: { into: to.public_id },
        guards: [tagIsThere(workspaceId, from.public_id), tagIsThere(workspaceId, to.public_id)],
      },
      [
        ...replaceTag(workspaceId, ctx.actor, from, to, at),
        ...removeTag(workspaceId, from.public_id),
        countTags(workspaceId, -1),
      ],
    );
    return toTag(to);
  });
