import { updateTagCount } from "../../access/workspace-statements";
import { auditEntry, type Context, type ServiceContext } from "../../context";
import { notFound, retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { storedId } from "../../lib/ulid-text";
import { replaceTagOfChannels } from "../channels/channel-statements";
import { queueSum } from "../events/event-statements";
import type { Tag } from "../tags/tag-schema";
import { getTagRow, tagSnapshot, toTag } from "../tags/tag-service";
import { ensureTagExists, selectTag, type TagRow } from "../tags/tag-statements";
import {
  linksOfTag,
  markRemoved,
  type RemovedTag,
  selectRemovedTag,
  selectRemovedTags,
  takeOffChunk,
} from "./write/remove-tag";

const UNKNOWN_TAG: Failure = { field: "into", message: "The selected tag is invalid.", code: "unknown" };
const SAME_TAG: Failure = { field: "into", message: "A tag cannot be merged into itself.", code: "state" };

/** The chunks after an answer. The job does the others. */
const CHUNKS_OF_REQUEST = 5;
const CHUNKS_OF_JOB = 50;
const TAGS_OF_JOB = 20;

async function takeOff(
  { db }: Pick<ServiceContext, "db">,
  removed: readonly RemovedTag[],
  most: number,
): Promise<void> {
  let left = most;
  for (const tag of removed) {
    let isDone = false;
    while (!isDone && left-- > 0) {
      const statements = takeOffChunk(tag);
      if (db.statementsLeft() < statements.length) return;
      const changed = await db.writeOnce(...statements);
      isDone = changed.at(-2) === 0 || changed.at(-1) === 1;
    }
  }
}

/** Goes on with the tags that are not yet off all links. */
export async function takeOffRemovedTags(ctx: Pick<ServiceContext, "db">): Promise<void> {
  const [removed] = await ctx.db.read(selectRemovedTags(TAGS_OF_JOB));
  await takeOff(ctx, removed, CHUNKS_OF_JOB);
}

/** Marks a tag, takes it off the first links in the same batch, and off more of them after the answer. */
async function removeTag(ctx: Context, from: TagRow, into?: TagRow): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const at = ctx.now();
  const removed = { id: from.id, workspace_id: workspaceId, replaced_by: into?.id ?? 0 };
  const [rest] = await ctx.db.write(
    {
      ...auditEntry(ctx, into === undefined ? "tag.delete" : "tag.merge", from.public_id, at),
      ...(into === undefined && { space: "frees" }),
      before: tagSnapshot(from),
      ...(into && { change: { into: into.public_id } }),
      guards: [
        ensureTagExists(workspaceId, from.public_id, from.version),
        ...(into === undefined ? [] : [ensureTagExists(workspaceId, into.public_id)]),
      ],
    },
    [
      queueSum(workspaceId, "link.updated", linksOfTag(workspaceId, from.id), at),
      ...markRemoved(workspaceId, from.id, into?.id),
      ...takeOffChunk(removed),
      updateTagCount(workspaceId, -1),
      ...(into === undefined ? [] : [replaceTagOfChannels(workspaceId, from.public_id, into.public_id)]),
    ],
    selectRemovedTag(workspaceId, from.id),
  );
  if (rest.length > 0) ctx.waitUntil(takeOff(ctx, [removed], CHUNKS_OF_REQUEST));
}

export const deleteTag = (ctx: Context, id: string): Promise<void> =>
  retryLostRaces(async () => {
    await removeTag(ctx, await getTagRow(ctx, id));
  });

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
    await removeTag(ctx, from, to);
    return toTag(to);
  });
