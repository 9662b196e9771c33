import { updateTagCount } from "../../access/statements";
import type { Context } from "../../context";
import { type FieldError, invalid, notFound, retryLostRaces } from "../../errors";
import { storedId } from "../../lib/ulid-text";
import type { Tag } from "../tags/schema";
import { toTag } from "../tags/service";
import { deleteTagRows, ensureTagExists, selectTag, selectTagSnapshot } from "../tags/statements";
import { replaceTag } from "./write/replace-tag";

const UNKNOWN_TAG: FieldError = { field: "into", message: "The selected tag is invalid.", code: "unknown" };
const SAME_TAG: FieldError = { field: "into", message: "A tag cannot be merged into itself.", code: "state" };

/** Replaces the tag `path` with the tag `into` on all links, then deletes it. Returns the remaining tag. */
export const mergeTags = (ctx: Context, path: string, into: string): Promise<Tag> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[from], [to]] = await ctx.db.read(
      selectTag(workspaceId, storedId(path)),
      selectTag(workspaceId, storedId(into)),
    );
    if (from === undefined) throw notFound("Tag");
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
        before: selectTagSnapshot(workspaceId, from.public_id),
        change: { into: to.public_id },
        guards: [ensureTagExists(workspaceId, from.public_id), ensureTagExists(workspaceId, to.public_id)],
      },
      [
        ...replaceTag(workspaceId, ctx.actor, from, to, at),
        ...deleteTagRows(workspaceId, from.public_id),
        updateTagCount(workspaceId, -1),
      ],
    );
    return toTag(to);
  });
