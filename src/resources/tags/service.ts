import type { Context } from "../../context";
import { changedSinceRead, notFound } from "../../errors";
import { entityTagsMatch, etagOf } from "../../lib/etag";
import { sortNaturally } from "../../lib/natural-order";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectTagsWithTotals } from "./repository";
import type { Tag } from "./schema";
import { selectTag, selectTags, type TagRow } from "./statements";

export const toTag = (row: Pick<TagRow, "public_id" | "name" | "slug" | "colour" | "description">): Tag => ({
  id: row.public_id,
  name: row.name,
  slug: row.slug,
  colour: row.colour,
  description: row.description,
});

/** Sorts by folded name in TypeScript, because SQLite's order differs. */
export const sortByName = <T extends Tag>(tags: readonly T[]): T[] =>
  tags
    .map((tag) => ({ tag, key: fold(tag.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.tag.id < b.tag.id ? -1 : 1))
    .map(({ tag }) => tag);

/** All tags by name. */
export async function listTags(ctx: Context): Promise<Tag[]> {
  const [rows] = await ctx.db.read(selectTags(ctx.workspace.rowId));
  return sortByName(rows.map(toTag));
}

/** All tags in natural order of their names, for people to choose from. */
export async function listTagsNaturally(ctx: Context): Promise<Tag[]> {
  const [rows] = await ctx.db.read(selectTags(ctx.workspace.rowId));
  return sortNaturally(rows.map(toTag));
}

/** All tags in natural order of their names, with their numbers of links. */
export async function listUsedTags(ctx: Context) {
  const [rows] = await ctx.db.read(selectTagsWithTotals(ctx.workspace.rowId));
  return sortNaturally(rows).map(({ active_links, archived_links, ...row }) => ({
    ...toTag(row),
    active_links,
    archived_links,
  }));
}

export type UsedTag = Awaited<ReturnType<typeof listUsedTags>>[number];

export async function assertTag(ctx: Context, row: TagRow | undefined): Promise<TagRow> {
  if (row === undefined) throw notFound("Tag");
  if (ctx.ifMatch !== undefined && !entityTagsMatch(ctx.ifMatch, await etagOf(toTag(row)))) {
    throw changedSinceRead("tag");
  }
  return row;
}

/** Throws 404 if the path names no tag, and 412 if `If-Match` does not match it. */
export async function assertTagPath(ctx: Context, id: string): Promise<void> {
  const [rows] = await ctx.db.read(selectTag(ctx.workspace.rowId, storedId(id)));
  await assertTag(ctx, rows[0]);
}
