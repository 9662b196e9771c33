import type { Context } from "../context";
import {
  assertNone,
  changedSinceRead,
  NAME_TAKEN,
  SLUG_TAKEN,
  TAG_LIMIT,
  TAG_LIMIT_REACHED,
  tagNotFound,
  untilDecided,
} from "../errors";
import { readRules } from "../idempotency/service";
import { etagOf, ifMatchHolds } from "../lib/etag";
import { newId } from "../lib/ids";
import { fold, randomSlugText, slugFromName, withSuffix } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { countTags, hasRoomForTag, usage } from "../workspaces/repository";
import {
  insertTag,
  outdateLinksWith,
  removeTag,
  type TagRow,
  tagById,
  tagIsThere,
  tagSnapshot,
  tagsLike,
  tagsOfWorkspace,
  tagsWithTotals,
  updateTagRow,
} from "./repository";
import type { CreateTag, Tag, UpdateTag } from "./schema";

const SLUG_LENGTH = 120;
/** Leaves room for the number of a thousandth tag, so that a numbered slug always begins with its whole base. */
const SLUG_BASE_LENGTH = SLUG_LENGTH - "-1000".length;

export const toTag = (row: {
  public_id: string;
  name: string;
  slug: string;
  colour: string | null;
  description: string | null;
}): Tag => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  colour: row.colour,
  description: row.description,
});

/** Tags sorted by their folded name, in place of SQLite's order, so that every list agrees. */
export const byName = <T extends Tag>(tags: readonly T[]): T[] =>
  tags
    .map((tag) => ({ tag, key: fold(tag.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.tag.id < b.tag.id ? -1 : 1))
    .map(({ tag }) => tag);

/** All tags of the workspace by name. */
export async function listTags(ctx: Context): Promise<Tag[]> {
  const [rows] = await ctx.db.read(tagsOfWorkspace(ctx.workspace.rowId));
  return byName(rows.map(toTag));
}

/** A tag with how many links carry it. */
export interface UsedTag extends Tag {
  active_links: number;
  archived_links: number;
}

/** All tags of the workspace by name, each with how many links carry it. */
export async function listUsedTags(ctx: Context): Promise<UsedTag[]> {
  const [rows] = await ctx.db.read(tagsWithTotals(ctx.workspace.rowId));
  return byName(
    rows.map((row) => ({
      ...toTag(row),
      active_links: row.active_links,
      archived_links: row.archived_links,
    })),
  );
}

type Neighbour = { id: string; name_key: string; slug: string };

/** The slug, or else the first numbered one, that no neighbour has. */
export function freeSlug(base: string, neighbours: readonly Neighbour[]): string {
  const taken = new Set(neighbours.map((neighbour) => neighbour.slug));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(withSuffix(base, number, SLUG_LENGTH))) number++;
  return withSuffix(base, number, SLUG_LENGTH);
}

/** What the slug of a tag begins with that has none of its own. */
export const slugBase = (ctx: Context, name: string): string =>
  slugFromName(name, SLUG_BASE_LENGTH) || `tag-${randomSlugText(8, ctx.random)}`;

/** Creates a tag; its slug is made from the name where none is given. */
export const createTag = (ctx: Context, input: CreateTag): Promise<Tag> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const nameKey = fold(input.name);
    const base = input.slug ?? slugBase(ctx, input.name);
    const [neighbours, [use]] = await readRules(ctx, [
      tagsLike(workspaceId, nameKey, base),
      usage(workspaceId),
    ]);
    assertNone([
      neighbours.some((tag) => tag.name_key === nameKey) ? NAME_TAKEN : undefined,
      input.slug != null && neighbours.some((tag) => tag.slug === input.slug) ? SLUG_TAKEN : undefined,
      use !== undefined && use.tag_count >= TAG_LIMIT ? TAG_LIMIT_REACHED : undefined,
    ]);

    const at = ctx.now();
    const row = {
      public_id: newId(at),
      workspace_id: workspaceId,
      name: input.name,
      name_key: nameKey,
      slug: input.slug ?? freeSlug(base, neighbours),
      colour: input.colour ?? null,
      description: input.description ?? null,
      created_at: at,
      updated_at: at,
    };
    const tag = toTag(row);
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "tag.create",
        subject: tag.id,
        at,
        change: tag,
        guards: [hasRoomForTag(workspaceId, TAG_LIMIT)],
        answer: tag,
      },
      [insertTag(row), countTags(workspaceId, 1)],
    );
    return tag;
  });

async function assertTag(ctx: Context, row: TagRow | undefined): Promise<TagRow> {
  if (row === undefined) throw tagNotFound();
  if (ctx.ifMatch !== undefined && !ifMatchHolds(ctx.ifMatch, await etagOf(toTag(row)))) {
    throw changedSinceRead("tag");
  }
  return row;
}

/** Refuses a path that names no tag (404), or one that has changed since the client read it (412). */
export async function assertTagPath(ctx: Context, id: string): Promise<void> {
  const [rows] = await ctx.db.read(tagById(ctx.workspace.rowId, storedId(id)));
  await assertTag(ctx, rows[0]);
}

/** Updates the given fields; a null slug is made anew from the name. */
export const updateTag = (ctx: Context, id: string, input: UpdateTag): Promise<Tag> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows, all] = await ctx.db.read(tagById(workspaceId, storedId(id)), tagsOfWorkspace(workspaceId));
    const row = await assertTag(ctx, rows[0]);

    const others = all.filter((tag) => tag.id !== row.id).map((tag) => ({ ...tag, id: tag.public_id }));
    const name = input.name ?? row.name;
    const nameKey = fold(name);
    assertNone([
      others.some((tag) => tag.name_key === nameKey) ? NAME_TAKEN : undefined,
      input.slug != null && others.some((tag) => tag.slug === input.slug) ? SLUG_TAKEN : undefined,
    ]);

    const remade = input.slug === null ? freeSlug(slugBase(ctx, name), others) : undefined;
    const next = {
      name,
      name_key: nameKey,
      slug: input.slug ?? remade ?? row.slug,
      colour: input.colour === undefined ? row.colour : input.colour,
      description: input.description === undefined ? row.description : input.description,
    };
    const changed = Object.fromEntries(
      Object.entries(next).filter(([field, value]) => value !== row[field as keyof typeof next]),
    );
    if (Object.keys(changed).length === 0) return toTag(row);

    const at = ctx.now();
    const [after] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "tag.update",
        subject: row.public_id,
        at,
        before: tagSnapshot(workspaceId, row.public_id),
        change: input,
        guards: [tagIsThere(workspaceId, row.public_id, row.version)],
      },
      [updateTagRow(workspaceId, row.public_id, { ...changed, updated_at: at })],
      tagById(workspaceId, row.public_id),
    );
    if (after[0] === undefined) throw tagNotFound();
    return toTag(after[0]);
  });

/** Deletes a tag and takes it off all links; the links remain. */
export const deleteTag = (ctx: Context, id: string): Promise<void> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows] = await ctx.db.read(tagById(workspaceId, storedId(id)));
    const row = await assertTag(ctx, rows[0]);
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "tag.delete",
        subject: row.public_id,
        at: ctx.now(),
        before: tagSnapshot(workspaceId, row.public_id),
        guards: [tagIsThere(workspaceId, row.public_id, row.version)],
      },
      [
        outdateLinksWith(workspaceId, row.public_id),
        ...removeTag(workspaceId, row.public_id),
        countTags(workspaceId, -1),
      ],
    );
  });
